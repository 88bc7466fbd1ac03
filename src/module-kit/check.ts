import { randomUUID } from 'node:crypto';
import { decodeJwt, SignJWT, UnsecuredJWT } from 'jose';
import { HANDOFF_TOKEN_TYPE } from '#domain/hand-off/hand-off.ts';
import { moduleChecks, moduleSeen as seen } from '#locales/operator/module-command.ts';
import { fill } from '#locales/fill.ts';
import { type Answer, call, type CheckBrowser, createCheckBrowser, isRedirect } from './browser.ts';
import type { Change, CheckPortal, Redeeming } from './portal.ts';
import {
  encode,
  holdsToken,
  isPage,
  MINUTE,
  missingCookieAttributes,
  times,
  answerTrouble,
} from './answers.ts';

export type CheckName = keyof typeof moduleChecks;

export type Finding = {
  readonly check: CheckName;
  readonly state: 'ok' | 'fault';
  readonly what: string;
  /** The mend; '' for a passed check. */
  readonly mend: string;
};

export type Checked = {
  readonly id: string;
  readonly rootUrl: string;
  readonly loginUrl: string;
  /** Where it is told of a sign-out; `null` is not checked. */
  readonly signOutUrl: string | null;
  /** Where a person signs out of it; `null` is not checked. */
  readonly ownSignOut: string | null;
};

type Values = Readonly<Record<string, string | number>>;
type Person = ReturnType<CheckPortal['person']>;
/** The visible part of an answer: alike for two signed-in people, and different without a session. */
type Look = string;

type Arrival = {
  readonly home: URL;
  /** The names of a signed-in visitor's cookies. */
  readonly cookieNames: readonly string[];
  readonly lookAt: (answer: Answer) => Look;
  readonly inside: Look;
};

const UNKNOWN_KEYS = 4;

/** Sealed to the right key, and of another sign-in or for another module. */
const CREDENTIALS: readonly (readonly [CheckName, Change])[] = [
  ['credentialSignIn', { credential: { txn: 'another' } }],
  ['credentialAudience', { credential: { aud: 'another' } }],
];

/** Plays the portal against a module that runs, and says of each check whether it is well. */
export async function checkModule(
  portal: CheckPortal,
  { id, rootUrl, loginUrl, signOutUrl, ownSignOut }: Checked,
): Promise<readonly Finding[]> {
  const findings: Finding[] = [];
  const values = { id, portal: portal.url };
  const note = (check: CheckName, isGood: boolean, more: Values = {}) => {
    const { ok, fault, mend } = moduleChecks[check];
    const all = { ...values, ...more };
    findings.push(
      isGood
        ? { check, state: 'ok', what: fill(ok, all), mend: '' }
        : { check, state: 'fault', what: fill(fault, all), mend: fill(mend, all) },
    );
    return isGood;
  };

  const lookOf = (answer: Answer): Look => {
    const { status, url } = answer;
    return isRedirect(answer) ? `${status} ${url.origin}${url.pathname}` : String(status);
  };
  const named = (answer: Answer): Look => String(answer.text.includes(portal.memberName));

  /** The first visitor; nothing else can be judged without one. */
  const arrival = await arriveFirst();
  if (!arrival) return findings;
  const { home, cookieNames, lookAt, inside } = arrival;
  const isInside = async (browser: CheckBrowser) => lookAt(await browser.ask(home)) === inside;

  await checkLogin();
  await checkReplay();
  await checkFixation();
  await checkKept();
  await checkTokens();
  await checkUnknownKeys();
  await checkRefusals();
  if (ownSignOut !== null) await checkOwnSignOut(ownSignOut);
  if (signOutUrl !== null) await checkCalls(signOutUrl);
  return findings;

  async function arriveFirst(): Promise<Arrival | null> {
    const browser = createCheckBrowser();
    const address = await portal.handOff(rootUrl);
    const { first, last } = await browser.go(address);
    if (!note('reached', first.status !== null, { url: rootUrl })) return null;
    if (!note('keys', portal.keyCalls() > 0)) return null;
    const { calls } = portal;
    if (
      calls.length > 0 &&
      !note(
        'credentials',
        calls.every(({ isKnown }) => isKnown),
      )
    )
      return null;
    const count = calls.length;
    if (portal.isSealing) {
      const isOpened = isPage(last) || !(await arrivesWithoutCredential());
      if (!note('credential', isOpened, { status: String(last.status) })) return null;
    }
    if (!note('redeems', count === 1, { count })) return null;
    if (!note('arrives', isPage(last), { status: String(last.status) })) return null;
    note('cleanAddress', !holdsToken(last.url, address));
    note('referrer', first.headers.get('referrer-policy') === 'no-referrer');
    const missing = missingCookieAttributes(first, rootUrl);
    note('cookie', missing.length === 0, { missing: missing.join(', ') });
    const at = new URL(last.url.pathname, rootUrl);
    const [page, nobody] = [await browser.ask(at), await createCheckBrowser().ask(at)];
    // The name is not looked for where status and place tell: a visitor who was let in wrongly may have none.
    const lookAt = [lookOf, named].find((look) => look(page) !== look(nobody));
    note('nobody', lookAt !== undefined);
    const cookieNames = [...browser.cookies.keys()];
    return lookAt ? { home: at, cookieNames, lookAt, inside: lookAt(page) } : null;
  }

  async function arrivesWithoutCredential(): Promise<boolean> {
    const address = await portal.handOff(rootUrl, portal.person(), { credential: null });
    return isPage((await arrive(address)).last);
  }

  async function checkLogin(): Promise<void> {
    const { browser, last } = await arrive(await portal.handOff(loginUrl));
    note('arrivesAtLogin', await isInside(browser), { status: String(last.status) });
    if (portal.isSealing) note('withoutCredential', await arrivesWithoutCredential());
  }

  async function checkReplay(): Promise<void> {
    const address = await portal.handOff(rootUrl);
    await arrive(address);
    note('replay', !(await isInside((await arrive(address)).browser)));
  }

  /** Whose cookies were seen or planted before the hand-off must not be signed in by it. */
  async function checkFixation(): Promise<void> {
    const planted = new Map(cookieNames.map((name) => [name, randomUUID()]));
    const browser = createCheckBrowser(planted);
    await browser.ask(home);
    const before = [planted, new Map(browser.cookies)];
    await browser.go(await portal.handOff(rootUrl));
    const looks = await Promise.all(before.map((known) => isInside(createCheckBrowser(known))));
    note('freshSession', !looks.includes(true));
  }

  async function checkKept(): Promise<void> {
    const { browser } = await signedIn();
    await browser.go(await forged(tamper));
    note('keptSession', await isInside(browser));
  }

  /** Redeem takes whatever comes: the module itself has to refuse these. */
  async function checkTokens(): Promise<void> {
    const now = Math.floor(Date.now() / 1000);
    const changes: readonly (readonly [CheckName, Change])[] = [
      ['audience', { claims: { aud: id === 'agent' ? 'admin' : 'agent' } }],
      ['issuer', { claims: { iss: 'https://elsewhere.example' } }],
      ['expired', { claims: times(now - 5 * MINUTE) }],
      ['early', { claims: times(now + 5 * MINUTE) }],
      ['noBeginning', { claims: { nbf: undefined } }],
      ['type', { header: { typ: 'JWT' } }],
      ['foreignKey', { isForeign: true }],
      ['factor', { claims: { amr: ['pwd'] } }],
      ...(portal.isSealing ? CREDENTIALS : []),
    ];
    for (const [check, change] of changes) {
      await refuses(check, await portal.handOff(rootUrl, portal.person(), change));
    }
    await refuses('tampered', await forged(tamper));
    await refuses('unsigned', await forged(unsign));
    await refuses('publicKeyAsSecret', await forged(signByPublicKey));
    for (const [check, name, value] of [
      ['otherAppState', 'appState', 'another'],
      ['otherUserId', 'userId', String(portal.person().userId)],
      ['otherRoleId', 'roleId', '99'],
      ['otherLoggenInId', 'loggenInId', portal.person().loggenInId],
    ] as const) {
      const address = new URL(await portal.handOff(rootUrl));
      address.searchParams.set(name, value);
      await refuses(check, address.href);
    }
  }

  /** Anybody can send such tokens, as many as they like. */
  async function checkUnknownKeys(): Promise<void> {
    const before = portal.keyCalls();
    for (let n = 0; n < UNKNOWN_KEYS; n += 1) {
      const header = { kid: randomUUID() };
      await arrive(await portal.handOff(rootUrl, portal.person(), { header, isForeign: true }));
    }
    const count = portal.keyCalls() - before;
    note('keyCalls', count <= 1, { count });
  }

  async function refuses(check: CheckName, address: string): Promise<void> {
    note(check, !(await isInside((await arrive(address)).browser)));
  }

  async function forged(forge: (token: string) => Promise<string> | string): Promise<string> {
    const who = portal.person();
    const address = new URL(await portal.handOff(rootUrl, who));
    const good = atob(address.searchParams.get('token') ?? '');
    address.searchParams.set('token', btoa(await forge(good)));
    return address.href;
  }

  function tamper(token: string): string {
    const [header, , signature] = token.split('.');
    const claims = { ...decodeJwt(token), subtenantId: 1 };
    return [header, encode(claims), signature].join('.');
  }

  function unsign(token: string): string {
    const [, payload] = new UnsecuredJWT(decodeJwt(token)).encode().split('.');
    return `${encode({ alg: 'none', typ: HANDOFF_TOKEN_TYPE, kid: portal.publicJwk.kid })}.${payload}.`;
  }

  function signByPublicKey(token: string): Promise<string> {
    const header = { alg: 'HS256', typ: HANDOFF_TOKEN_TYPE, kid: portal.publicJwk.kid ?? '' };
    const secret = Buffer.from(JSON.stringify(portal.publicJwk));
    return new SignJWT(decodeJwt(token)).setProtectedHeader(header).sign(secret);
  }

  async function checkRefusals(): Promise<void> {
    const answers: readonly (readonly [CheckName, Redeeming])[] = [
      ['noCredential', { status: 401, errorFlag: 'MODULE_UNKNOWN' }],
      ['refusedToken', { status: 401, errorFlag: 'HANDOFF_INVALID' }],
      ['sessionOver', { status: 401, errorFlag: 'NO_SESSION' }],
      ['tooMany', { status: 429, errorFlag: 'TOO_MANY' }],
      ['unavailable', { status: 503, errorFlag: 'UNAVAILABLE' }],
      ['badGateway', { status: 502, errorFlag: null }],
    ];
    for (const [check, answer] of answers) {
      portal.setRedeeming(answer);
      const { browser, last } = await arrive(await portal.handOff(rootUrl));
      const reason = answerTrouble(last) ?? ((await isInside(browser)) ? seen.signedIn : null);
      note(check, reason === null, { reason: reason ?? '' });
    }
    for (const status of [302, 307]) {
      portal.setRedeeming({ status, errorFlag: null });
      await arrive(await portal.handOff(rootUrl));
    }
    note('redirected', portal.movedCalls() === 0);
    portal.setRedeeming('once');
  }

  async function checkOwnSignOut(path: string): Promise<void> {
    const { browser, who } = await signedIn();
    const url = new URL(path, rootUrl);
    const asked = await browser.ask(url);
    // A sign-out changes something: many take POST alone.
    const isPosted = asked.status === 404 || asked.status === 405;
    const answer = isPosted ? await browser.ask(url, 'POST') : asked;
    const wanted = new URL(`${portal.url}/account/Signout?success=true`);
    for (const name of ['appState', 'userId', 'roleId', 'loggenInId'] as const) {
      wanted.searchParams.set(name, String(who[name]));
    }
    const isThere =
      isRedirect(answer) &&
      answer.url.origin === wanted.origin &&
      answer.url.pathname.toLowerCase() === wanted.pathname.toLowerCase() &&
      [...wanted.searchParams].every(
        ([name, value]) => answer.url.searchParams.get(name) === value,
      );
    const [status, posted] = [String(asked.status), String(answer.status)];
    const other = isPosted
      ? fill(seen.answeredBoth, { status, posted })
      : fill(seen.answered, { status });
    const elsewhere = isRedirect(answer) ? fill(seen.elsewhere, { url: answer.url.href }) : other;
    const reason = isThere ? ((await isInside(browser)) ? seen.sessionStays : null) : elsewhere;
    note('signOut', reason === null, { reason: reason ?? '' });
  }

  async function checkCalls(url: string): Promise<void> {
    const { browser, who } = await signedIn();
    const now = Math.floor(Date.now() / 1000);
    const stranger = { isForeign: true };
    const calls: readonly (readonly [CheckName, string | null])[] = [
      ['emptyCall', null],
      ['foreignCall', await portal.logoutToken(who, stranger)],
      ['otherModuleCall', await logoutWith({ aud: id === 'agent' ? 'admin' : 'agent' })],
      ['otherIssuerCall', await logoutWith({ iss: 'https://elsewhere.example' })],
      ['expiredCall', await logoutWith(times(now - 5 * MINUTE))],
      ['eventlessCall', await logoutWith({ events: {} })],
      ['handOffCall', await handOffAsCall()],
    ];
    for (const [check, token] of calls) {
      const answer = await tell(token);
      const isOver = !(await isInside(browser));
      const isRefused = answer.status !== null && answer.status >= 400 && answer.status < 500;
      const status = String(answer.status);
      const other = answerTrouble(answer) ?? (isRefused ? null : fill(seen.answered, { status }));
      const reason = isOver ? seen.ended : other;
      note(check, reason === null, { reason: reason ?? '' });
      // A wrongly accepted token must not hide the later faults.
      if (isOver) return;
    }
    await tell(await logoutWith({ sub: String(portal.person().userId) }));
    if (!note('otherSubject', await isInside(browser))) return;
    const second = { ...portal.person(), userId: who.userId };
    const beside = await signedIn(second);
    await tell(await portal.logoutToken(second));
    note('otherSession', await isInside(browser));
    const good = await tell(await portal.logoutToken(who));
    const isOver = !(await isInside(browser)) && !(await isInside(beside.browser));
    note('told', isOver, { status: String(good.status) });
    const again = await tell(await portal.logoutToken(who));
    const odd = [good, again].find(({ status }) => status !== 200 && status !== 204);
    note('toldAnswer', odd === undefined, { status: String(odd?.status) });

    function tell(token: string | null): Promise<Answer> {
      const body = new URLSearchParams(token === null ? {} : { logout_token: token });
      return call(url, { method: 'POST', body });
    }
    function logoutWith(claims: NonNullable<Change['claims']>): Promise<string> {
      return portal.logoutToken(who, { claims });
    }
    async function handOffAsCall(): Promise<string> {
      const { sid, events } = decodeJwt(await portal.logoutToken(who));
      const claims = { sid, events };
      const address = new URL(await portal.handOff(rootUrl, who, { claims }));
      return atob(address.searchParams.get('token') ?? '');
    }
  }

  async function arrive(address: string) {
    const browser = createCheckBrowser();
    return { browser, ...(await browser.go(address)) };
  }

  async function signedIn(who: Person = portal.person()) {
    const { browser } = await arrive(await portal.handOff(rootUrl, who));
    return { browser, who };
  }
}
