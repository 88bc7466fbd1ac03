/**
 * Passwords and codes by each way in, from one table of inputs each. Numbers, mailboxes, names, searches and files have
 * tables of their own: decision 259 in docs/decisions/input.md lists them.
 */

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { hash as bcrypt } from '@node-rs/bcrypt';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { demoEmail } from '../../demo/seed.ts';
import { createAudit } from '../../audit/audit.ts';
import { createAccountPages } from '../account-pages.ts';
import { addApp, appCodeAt } from '../app-code.ts';
import { openDesk } from '../desk.ts';
import { operate } from '../operate.ts';
import { createTestAppWithPages, createTestContext, PASSWORD } from '../test-app.ts';
import { createWire, SPA, type Wire, wireClients } from '../wire.ts';
import { sentBack } from '../reset.ts';

const MINUTE = 60;
const CONNECTION = 'Username-Password-Authentication';

const directory = mkdtempSync(join(tmpdir(), 'typed-text-'));
let context: Awaited<ReturnType<typeof createTestContext>>;
let wire: Wire;
const pages = createAccountPages(() => testApp);
const testApp = await createTestAppWithPages((url) => ({
  ...wireClients(url),
  isPasswordGrantOn: true,
  limitFactor: 1000,
}));
beforeAll(async () => {
  context = await createTestContext();
  const { db, clock } = testApp;
  context = { ...context, db, clock, audit: createAudit({ db, clock, actor: 'operator:test' }) };
  wire = createWire(testApp);
});
afterAll(async () => {
  await testApp.close();
  await context.database.close();
  rmSync(directory, { recursive: true, force: true });
});

let count = 0;
const newEmail = () => `typed-${(count += 1)}@typed.test`;
const signUp = async (emailAddress: string, password: string, lastName = 'Lind') =>
  testApp.visitor().register({ emailAddress, password, lastName });
const opens = async (email: string, password: string) =>
  (await testApp.visitor().authenticate(email, password)).status === 200;

/** A visitor at the form of a mailed link. @returns what sends a new password */
async function atReset(email: string) {
  testApp.clock.advance(1);
  const visitor = testApp.visitor();
  const asked = { userName: email, emailID: email, commMedium: 'Email', commSendOn: email };
  await visitor.call('forgotPassword', { body: asked });
  const [mail] = await pages.mailsTo(email);
  const resetKey = new URL(mail?.link ?? 'x:').searchParams.get('resetLinkKey') ?? '';
  const user = (await visitor.call('getResetUser', { params: { resetKey, ip: '::1' } })).data;
  if (!user) throw new Error('The link is dead');
  return async (password: string) => {
    const proof = await visitor.prove('resetPassword');
    const body = { ...sentBack(user), password };
    return (await visitor.call('updatePassword', { body }, proof)).errorFlag;
  };
}

async function toNewPassword(email: string, password: string, more: Record<string, string> = {}) {
  const visitor = await pages.signInAgain(email, more.current);
  if (more.current) testApp.clock.advance(11 * MINUTE);
  const form = { password, confirmPassword: password, ...more };
  return pages.refused(visitor, form, '/account/me/password').catch(() => null);
}

/** How an account comes to a password. */
const SETS: Readonly<Record<string, (email: string, password: string) => Promise<unknown>>> = {
  'sign-up': signUp,
  async 'a mailed link'(email, password) {
    await signUp(email, PASSWORD);
    expect(await (await atReset(email))(password)).toBeNull();
  },
  async 'My account'(email, password) {
    await signUp(email, PASSWORD);
    await toNewPassword(email, password);
  },
  async 'the Management API'(email, password) {
    const user = { connection: CONNECTION, email, password, email_verified: true };
    const { access_token: token } = await wire.machine();
    expect((await wire.manage(token, 'POST', 'users', user)).status).toBe(201);
  },
  // By other systems, in the form that the keyboard of that day sent.
  async 'an imported hash'(email, password) {
    const file = join(directory, `${email}.csv`);
    const made = await bcrypt(password, 4);
    writeFileSync(file, `email;password_hash;email_verified\n${email};${made};true\n`);
    await operate(context, 'user', 'import', file, '--trust-proof');
  },
};

/** Where a password is compared. Each returns whether it was found right, or the same, or made of a name. */
const CHECKS: Readonly<Record<string, (email: string, typed: string) => Promise<boolean>>> = {
  'the sign-in': opens,
  async 'the password grant'(email, password) {
    const asked = { grant_type: 'password', client_id: SPA, username: email, password };
    return (await wire.token({ ...asked, scope: 'openid' })).error === 'mfa_required';
  },
  async "'not the old one' of a mailed link"(email, typed) {
    return (await (await atReset(email))(typed)) === 'SAME_PASSWORD';
  },
  "'not the old one' of My account": async (email, typed) => {
    const visitor = await pages.signInAgain(email, typed);
    const form = { password: typed, confirmPassword: typed };
    return (await pages.refused(visitor, form, '/account/me/password')) === 'samePassword';
  },
  async 'the password of now at My account'(email, typed) {
    await toNewPassword(email, 'Another-Garden-9', { current: typed });
    return opens(email, 'Another-Garden-9');
  },
};

const PASSWORDS = ['Café-Garden-7', 'Tiếng-Việt-77', '한국어-Garden-7A', 'Ångström-Garden-7'];
const forms = (password: string) => [password.normalize('NFC'), password.normalize('NFD')] as const;
/** `npm test` sets and compares the first of them at the doors that most people use. */
const OFTEN = ['sign-up', 'a mailed link', 'the sign-in', "'not the old one' of My account"];
const tagsOf = (password: string, door: string) =>
  password === PASSWORDS[0] && OFTEN.includes(door) ? [] : ['long'];

describe.each(PASSWORDS)('[SEC-02] F1: %s, in either spelling of its letters', (password) => {
  for (const [name, set] of Object.entries(SETS)) {
    test(`set by ${name}`, { tags: tagsOf(password, name) }, async () => {
      for (const [one, other] of [forms(password), forms(password).toReversed()] as const) {
        const email = newEmail();
        await set(email, one ?? '');
        // A hash of another system opens by what was typed there, and then by both.
        expect(await opens(email, one ?? '')).toBe(true);
        expect(await opens(email, other ?? '')).toBe(true);
        expect(await opens(email, `${one} `)).toBe(false);
      }
    });
  }

  for (const [name, check] of Object.entries(CHECKS)) {
    test(`compared by ${name}`, { tags: tagsOf(password, name) }, async () => {
      for (const [one, other] of [forms(password), forms(password).toReversed()] as const) {
        const email = newEmail();
        await signUp(email, one ?? '');
        expect(await check(email, other ?? '')).toBe(true);
      }
    });
  }
});

test('[SEC-02] F1: a right password in the other spelling is no wrong try', async () => {
  const email = newEmail();
  const [whole, apart] = forms('Café-Garden-7');
  await signUp(email, whole);
  const points = async (password: string) => {
    const sum = async () =>
      (await sql<{ sum: string }>`select sum(points) from limits`.execute(testApp.db)).rows[0]?.sum;
    const before = Number(await sum());
    await testApp.visitor().authenticate(email, password);
    return Number(await sum()) - before;
  };
  const counted = await points(whole);
  expect(await points(apart)).toBe(counted);
  expect(await points(`${apart}x`)).toBeGreaterThan(counted);
});

describe('[SEC-01] F1: a password may not be made of the name', () => {
  const NAMES = [
    ['Márquez', 'Márquez-2026!A'],
    ['García Márquez', 'Marquez-2026!A'],
    ['Müller', 'Muller-2026!A'],
    ['Muller', 'Müller-2026!A'],
    ['Straße', 'Strasse-2026!A'],
    ['O’Brien', "O'Brien-2026!A"],
    ['Nguyễn', 'Nguyen-2026!A'],
  ] as const;
  test.each(NAMES)('%s: %s', async (lastName, password) => {
    for (const name of forms(lastName)) {
      for (const typed of forms(password)) {
        const emailAddress = newEmail();
        const { errorFlag } = await testApp
          .visitor()
          .signUp({ emailAddress, lastName: name, password: typed });
        expect(errorFlag).toBe('PASSWORD_GUESSABLE');
      }
    }
  });
});

const inGroups = (code: string, between: string) => [code.slice(0, 3), code.slice(3)].join(between);
/** Ways of writing a code of six digits: one of each kind; `domain/proofs/otp.test.ts` has the others. */
const WRITTEN: Readonly<Record<string, (code: string) => string>> = {
  'in two groups': (code) => inGroups(code, ' '),
  'with a dash': (code) => inGroups(code, '–'),
  'with a full stop': (code) => inGroups(code, '.'),
  'with what nobody sees': (code) => `\u202A${inGroups(code, '\u200B')}\u202C`,
  'in Arabic digits': (code) =>
    code.replaceAll(/\d/g, (digit) => String.fromCodePoint(0x06_60 + Number(digit))),
  'full-width': (code) =>
    code.replaceAll(/\d/g, (digit) => String.fromCodePoint(0xff_10 + Number(digit))),
  'with a letter in front': (code) => `G-${code}`,
};
/** No code of an app comes in a text. */
const COPIED: Readonly<Record<string, (code: string) => string>> = {
  'as our whole text': (code) =>
    `${code} is your Rosewood 55 code. It works for 2 minutes.\n\n@login.example #${code}`,
  'behind a name with a number': (code) => `55+ Living: your code is ${inGroups(code, ' ')}.`,
};

async function byApp() {
  const email = newEmail();
  const { userId } = await signUp(email, PASSWORD);
  const app = await addApp(testApp, userId);
  testApp.clock.advance(30);
  return { email, userId, app };
}

type Way = (write: (code: string) => string) => Promise<unknown>;
const SENT_CODES: Readonly<Record<string, Way>> = {
  async 'sign-up and its activation'(write) {
    const emailAddress = newEmail();
    testApp.clock.advance(1);
    const visitor = testApp.visitor();
    const userId = (await visitor.signUp({ emailAddress })).data?.userId ?? 0;
    const id = (await visitor.sendCode(userId, 'USER_ACTIVATION')).data?.id ?? '';
    return (await visitor.verify(id, userId, write(await testApp.codeFor(emailAddress)))).data;
  },
  async 'the sign-in'(write) {
    const email = newEmail();
    await signUp(email, PASSWORD);
    testApp.clock.advance(1);
    const visitor = testApp.visitor();
    const { otpId, userId } = await visitor.reachCode(email, PASSWORD);
    return (await visitor.verify(otpId, userId, write(await testApp.codeFor(email)))).data;
  },
  async 'the step-up of My account'(write) {
    const { email, visitor } = await pages.signedIn(newEmail());
    testApp.clock.advance(11 * MINUTE);
    await pages.send(visitor, { step: 'send' }, '/account/me/name');
    const code = write(await testApp.codeFor(email));
    return (await pages.send(visitor, { step: 'check', code }, '/account/me/name')).status === 303;
  },
  async 'the step-up of the console'(write) {
    const { userId } = await signUp(newEmail(), PASSWORD);
    const own = await openDesk(testApp, 'staff');
    testApp.clock.advance(11 * MINUTE);
    const path = `/console/people/${userId}/correctPhone`;
    await own.send(path, { step: 'send' });
    const code = write(await testApp.codeFor(demoEmail('staff')));
    const { page } = await own.send(path, { step: 'check', code });
    return page?.kind === 'verb' && page.isFresh;
  },
  async 'a new contact'(write) {
    const { userId, visitor } = await pages.signedIn(newEmail());
    const email = newEmail();
    await pages.send(visitor, { email }, '/account/me/email');
    const code = write(await testApp.codeFor(email));
    await pages.send(visitor, { do: 'check', code }, '/account/me/email');
    return (await pages.rowOf(userId))?.email === email;
  },
  async "Auth0's passwordless calls"(write) {
    const email = newEmail();
    await signUp(email, PASSWORD);
    testApp.clock.advance(1);
    const begun = { client_id: SPA, connection: 'email', email, send: 'code' };
    await wire.post('passwordless/start', begun);
    await testApp.app.outbox.settle();
    const verification_code = write(await testApp.codeFor(email));
    const asked = { client_id: SPA, connection: 'email', email, verification_code };
    return (await wire.post('passwordless/verify', asked)).status === 200;
  },
};
const APP_CODES: Readonly<Record<string, Way>> = {
  async 'the first code of an app'(write) {
    const { visitor } = await pages.signedIn(newEmail());
    const path = '/account/me/app-codes';
    await pages.send(visitor, { do: 'start' }, path);
    const key = (await pages.open(visitor, path)).appCode?.setUp?.key.replaceAll(' ', '') ?? '';
    const appCode = write(appCodeAt(key, testApp.clock.now()));
    return (await pages.read(await pages.send(visitor, { do: 'confirm', appCode }, path)))
      .recoveryCodes.length;
  },
  async 'the code of an app at the sign-in'(write) {
    const { email, app } = await byApp();
    const visitor = testApp.visitor();
    const { otpId, userId } = await visitor.reachCode(email, PASSWORD);
    return (await visitor.verify(otpId, userId, write(app.code()))).data;
  },
  async "the code of an app at Auth0's grant"(write) {
    const { email, app } = await byApp();
    const asked = { grant_type: 'password', client_id: SPA, username: email, password: PASSWORD };
    const { mfa_token } = await wire.token({ ...asked, scope: 'openid' });
    const grant_type = 'http://auth0.com/oauth/grant-type/mfa-otp';
    const otp = write(app.code());
    return (await wire.token({ grant_type, client_id: SPA, mfa_token, otp })).status === 200;
  },
};

/** One way of writing goes through each way in for `npm test`. */
const FEW = ['with a full stop'];

describe.each([
  ...Object.entries(SENT_CODES).map((way) => [...way, { ...WRITTEN, ...COPIED }] as const),
  ...Object.entries(APP_CODES).map((way) => [...way, WRITTEN] as const),
])('[OTP-05] F20: %s', (_, way, writings) => {
  for (const [how, write] of Object.entries(writings)) {
    test(`a code ${how}`, { tags: FEW.includes(how) ? [] : ['long'] }, async () => {
      expect(await way(write)).toBeTruthy();
    });
  }
});

const RECOVERY_CODES = [
  ['in a sentence', (code: string) => `Recovery code: ${code}.`],
  ['as printed', (code: string) => code],
  ['with dashes', (code: string) => code.replaceAll(' ', '–')],
] as const;
for (const [index, [how, write]] of RECOVERY_CODES.entries()) {
  const tags = index === 0 ? [] : ['long'];
  test(`[OTP-05] F20: a recovery code ${how}`, { tags }, async () => {
    const { email, app } = await byApp();
    const visitor = testApp.visitor();
    const { otpId, userId } = await visitor.reachCode(email, PASSWORD);
    expect((await visitor.verify(otpId, userId, write(app.recovery[0] ?? ''))).data).toBe(true);
  });
}

for (const [index, around] of ['„%s“', '%s', ' %s.', '%s\u200B'].entries()) {
  const tags = index === 0 ? [] : ['long'];
  test(
    `[CON-10] F20: the letters of a page, read out and typed as ${around}`,
    { tags },
    async () => {
      const { data } = await testApp.visitor().call('givePageCode', { body: { screen: 'signIn' } });
      const spelled = [...(data?.code ?? '')].join('–').toLowerCase();
      const desk = await openDesk(testApp, 'staff');
      const { page } = await desk.open(
        `/console?q=${encodeURIComponent(around.replace('%s', spelled))}`,
      );
      expect(page?.kind).toBe('visit');
    },
  );
}
