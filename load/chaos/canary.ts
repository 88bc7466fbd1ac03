import { createHash, randomBytes } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { parseActivationLink } from '#domain/proofs/activation-link.ts';
import { openDatabase } from '../../src/server/db/database.ts';
import { dumpTables } from '../../src/server/testing/dump.ts';
import { freePort } from '../../src/server/testing/free-port.ts';
import {
  type HttpReceiver,
  startHttpReceiver,
  startMailReceiver,
} from '../../src/server/testing/receivers.ts';
import {
  CALLBACK,
  createRelyingParty,
  follow,
  SECRET_OF_CLIENT,
} from '../../src/server/testing/relying-party.ts';
import { endProcess, startProcess } from '../../src/server/testing/server-process.ts';
import { shapesOf } from '../../src/server/testing/shapes.ts';
import { activation, createVisitor, type Visitor } from '../../src/server/testing/visitor.ts';
import { createWire, hashOf, SPA, SPA_ORIGIN } from '../../src/server/testing/wire.ts';
import { ownDatabase } from './own-database.ts';
import type { Run } from './run.ts';
import { temporaryFolder } from './temporary-folder.ts';

const PLACES = [
  'log',
  'addresses in the log',
  'metrics',
  'database',
  'mails',
  'texts',
  'leads',
] as const;
type Place = (typeof PLACES)[number];

type Secret = {
  readonly name: string;
  readonly value: string;
  /** A person made it up, or it is short: a plain hash of it would soon be undone. */
  readonly isGuessable?: boolean;
  /** Where it belongs. */
  readonly allowed?: readonly Place[];
};

const DEADLINE_MS = 60_000;
/** Halves that are shorter are found everywhere by chance. */
const SHORTEST_HALF = 10;

/** Marked secrets go through every journey; then everything that was written is searched for them. */
export async function runCanary(run: Run): Promise<void> {
  const { report } = run;
  const secrets: Secret[] = [];
  const keep = (name: string, value: string | undefined, more: Partial<Secret> = {}): string => {
    if (!value) throw new Error(`There is no ${name} to look for`);
    secrets.push({ name, value, ...more });
    return value;
  };
  const mark = () => `Cq7#${randomBytes(15).toString('base64url')}`;
  const password = (name: string) => keep(name, mark(), { isGuessable: true });

  const mail = await startMailReceiver();
  run.onEnd(mail.close);
  const text = await startHttpReceiver();
  run.onEnd(text.close);
  const crm = await startHttpReceiver();
  run.onEnd(crm.close);
  const database = await ownDatabase(run, run.engine ?? 'postgres', { isDurable: true });
  const clients = path.join(temporaryFolder(run), 'clients.json');
  writeFileSync(clients, JSON.stringify(clientEntries()));
  const metricsToken = keep('metrics token', randomBytes(32).toString('hex'));
  const server = await startProcess({
    PORT: String(await freePort()),
    TRUSTED_PROXIES: '127.0.0.1',
    PORCHLIGHT_SECRET: keep('secret of the server', randomBytes(32).toString('base64url')),
    PORCHLIGHT_CLIENTS_FILE: clients,
    PORCHLIGHT_METRICS_TOKEN: metricsToken,
    PORCHLIGHT_CAPTCHA_WORK: '1',
    PORCHLIGHT_DRAIN_SECONDS: '0',
    LOG_LEVEL: 'debug',
    SMTP_URL: mail.url,
    SMS_WEBHOOK_URL: text.url,
    SMS_WEBHOOK_KEY: keep('key of the text provider', randomBytes(24).toString('hex')),
    CRM_URL: crm.url,
    CRM_KEY: keep('key of the CRM', randomBytes(24).toString('hex')),
    ...database.env,
  });
  run.onEnd(() => endProcess(server));
  const refusal = await server.started;
  if (refusal !== null) throw new Error(refusal);
  keep('client secret', SECRET_OF_CLIENT);

  const settle = () => fetch(new URL('/dev/leads.json', server.url));
  const mailTo = (email: string, wanted: RegExp) => {
    const mails = mail.mails.filter((each) => each.includes(`\nTo: ${email}\n`)).reverse();
    for (const each of mails) {
      const found = wanted.exec(each.replaceAll('=\n', '').replaceAll('=3D', '='));
      if (found?.[1]) return found[1];
    }
    throw new Error('No such mail');
  };
  async function codeFor(email: string): Promise<string> {
    await settle();
    const code = mailTo(email, /^Subject: (\d{6})/m);
    if (!secrets.some(({ value }) => value === code)) keep('code', code, CODE);
    return code;
  }
  const newVisitor = () => createVisitor({ url: server.url, codeFor });
  const cookiesOf = (visitor: Visitor, whose: string) => {
    keep(`visit cookie ${whose}`, visitor.cookies.get('visit'));
    const session = visitor.cookies.get('idp_session')?.split('.')[0];
    if (session) keep(`hosted session ${whose}`, session);
  };

  // Sign-up by code, sign-in, hand-off, sign-out.
  const person = { emailAddress: 'canary@example.test', password: password('password') };
  const visitor = newVisitor();
  await visitor.register({ ...person, subtenantId: 3 });
  cookiesOf(visitor, 'before the sign-in');
  await visitor.authenticate(person.emailAddress, password('wrong password'));
  const login = await visitor.signIn(person.emailAddress, person.password);
  keep('AuthToken', login.authToken);
  cookiesOf(visitor, 'of the session');
  const handOff = await visitor.ok('issueHandoff', { body: { choice: null, entrance: 'portal' } });
  const token = Buffer.from(
    new URL(handOff.url).searchParams.get('token') ?? '',
    'base64',
  ).toString();
  keep('hand-off token', token.split('.')[2]);
  await follow(visitor, handOff.url, 'http://nowhere.invalid');
  const received = await visitor.request(handOff.url);
  await visitor.request(received.headers.get('location') ?? '/');

  // Applications: with a secret, and in a browser with refresh tokens.
  const member = newVisitor();
  await member.signIn('member');
  const party = await createRelyingParty(server.url);
  const begun = await party.begin();
  const place = await party.goThrough(member, 'member', begun.url);
  keep('authorization code', place.url.searchParams.get('code') ?? undefined);
  const tokens = await party.redeem(begun, place.url);
  keep('access token', tokens.access_token);
  keep('signature of an ID token', tokens.id_token?.split('.')[2]);
  const wire = createWire(server);
  const first = await wire.tokens(member);
  keep('refresh token', first.refresh_token);
  const next = await wire.token({
    grant_type: 'refresh_token',
    client_id: SPA,
    refresh_token: first.refresh_token,
  });
  keep('next refresh token', next.refresh_token);

  // Sign-up by the mailed link, in another browser.
  const byLink = { emailAddress: 'link@example.test', password: password('password of a link') };
  const signer = newVisitor();
  const created = (await signer.signUp(byLink)).data;
  await signer.sendCode(created?.userId ?? 0, 'USER_ACTIVATION');
  await codeFor(byLink.emailAddress);
  const address = new URL(
    mailTo(byLink.emailAddress, /(http[^\s"<>]*\/Activation\?[^\s"<>]*)/).replaceAll('&amp;', '&'),
  );
  const link = parseActivationLink(
    address.searchParams.get('UID'),
    address.searchParams.get('SUP'),
  );
  if (!link) throw new Error('No link');
  keep('activation key', link.key, { allowed: ['mails'] });
  const other = newVisitor();
  await other.request(address.href);
  const pressed = await other.ok('confirmLink', {
    body: {
      userRegstrtnId: link.registrationId,
      userId: link.userId,
      activationKey: link.key,
      signUpPlatform: link.platform,
    },
  });
  const claim = { userId: link.userId, id: link.registrationId };
  await other.ok('activateUser', { body: activation(claim, pressed?.otpId ?? '') });

  // A reset that is used, and one that is not.
  const fresh = password('new password');
  const resetKey = await askReset('reset key');
  const found = await other.ok('getResetUser', { params: { resetKey, ip: '::1' } });
  if (!found) throw new Error('The link leads to nobody');
  const { userName, userId, hostedUserId, forgotPasswordId } = found;
  await other.ok('updatePassword', {
    body: { userName, userId, hostedUserId: hostedUserId ?? '', password: fresh, forgotPasswordId },
  });
  const unused = await askReset('unused reset key');

  async function askReset(name: string): Promise<string> {
    const { emailAddress } = byLink;
    await other.ok('forgotPassword', { body: { userName: emailAddress, emailID: emailAddress } });
    await settle();
    const key = mailTo(emailAddress, /resetLinkKey=([\w-]{20,})/);
    return keep(name, key, { allowed: ['mails'] });
  }

  // Mistakes of people and programs: secrets in the wrong fields.
  const stray = password('password in the wrong place');
  for (const wrong of [
    `/account/resetPassword?resetLinkKey=${unused}`,
    `/account/resetPassword%3FresetLinkKey=${unused}`,
    `/account/resetPassword/${unused}`,
    `/${unused}`,
    `/api/${unused}/${encodeURIComponent(stray)}`,
    `/account/signin?password=${encodeURIComponent(stray)}&token=${login.authToken}`,
    `/idp/authorize?client_id=nobody&state=${login.authToken}&password=${encodeURIComponent(stray)}`,
    `/idp/${unused}`,
  ]) {
    await (await newVisitor().request(wrong)).body?.cancel();
    await (await newVisitor().request(wrong, { method: 'POST' })).body?.cancel();
  }
  await visitor.post('/api/User/CreateUser', `{"user":{"password":"${stray}"`);
  await visitor.post('/api/User/CreateUser', { user: { [stray]: stray }, password: stray });
  await visitor.post('/idp/oauth/token', { client_id: SPA, client_secret: stray, code: stray });
  await visitor.post('/idp/co/authenticate', { username: stray, password: stray });
  await visitor.signUp({ emailAddress: 'bad@example.test', password: 'x', firstName: stray });
  await newVisitor().request('/api/Client/Consents', {
    headers: { authorization: `Bearer ${stray}` },
  });

  // Failures of our own are logged with their causes.
  if (database.cluster) {
    await database.cluster.halt('immediate');
    await Promise.allSettled([
      visitor.authenticate(person.emailAddress, stray),
      visitor.post('/idp/co/authenticate', { username: person.emailAddress, password: stray }),
      visitor.signUp({ emailAddress: 'away@example.test', password: stray }),
      visitor.call('getResetUser', { params: { resetKey: unused, ip: '::1' } }),
      visitor.verify(login.authToken, 1, 1),
      wire.token({
        grant_type: 'refresh_token',
        client_id: SPA,
        refresh_token: next.refresh_token,
      }),
    ]);
    await database.cluster.resume();
    await untilReady(server.url);
  }

  // Mails that wait: their content rests in the database.
  await mail.setMood(421);
  const late = newVisitor();
  const waiting = password('password of a waiting sign-up');
  const held = (await late.signUp({ emailAddress: 'late@example.test', password: waiting })).data;
  await late.sendCode(held?.userId ?? 0, 'USER_ACTIVATION', 3);
  await other.call('forgotPassword', {
    body: { userName: byLink.emailAddress, emailID: byLink.emailAddress },
  });
  await settle();

  const metrics = await fetch(new URL('/metrics', server.url), {
    headers: { authorization: `Bearer ${metricsToken}` },
  });
  const metricsText = await metrics.text();
  await visitor.call('logOut', {
    params: { userId: '1', appState: 'a', loggedInId: 'b', roleId: '1' },
  });
  server.kill('SIGTERM');
  await server.exited;
  const { db, close } = await openDatabase(database.where);
  const dump = await dumpTables(db);
  await close();
  const log = server.output().replaceAll(/Demo accounts[\s\S]*?\n\n/g, '');
  const bodies = ({ received: all }: HttpReceiver) => all.map(({ body }) => body).join('\n');
  const written: Record<Place, string> = {
    log,
    'addresses in the log':
      log.match(/"(?:url|path|location|referer)":"[^"]*"/gi)?.join('\n') ?? '',
    metrics: metricsText,
    database: dump,
    // Beside the whole mail its decoded text: mails are sent in base64 or with '=' escapes.
    mails: mail.mails.map(decoded).join('\n'),
    texts: bodies(text),
    leads: bodies(crm),
  };
  search(run, secrets, written);
  const isThere: readonly (readonly [Place, string])[] = [
    ['log', '/api/User/CreateUser'],
    ['metrics', 'porchlight_'],
    ['database', person.emailAddress],
    ['mails', person.emailAddress],
    ['texts', '"to"'],
    ['leads', person.emailAddress],
  ];
  report.check(
    'places that hold nothing to search',
    isThere.flatMap(([where_, wanted]) => (written[where_].includes(wanted) ? [] : [where_])),
  );
}

const CODE: Partial<Secret> = { isGuessable: true, allowed: ['mails'] };

function search({ report }: Run, secrets: readonly Secret[], written: Record<Place, string>): void {
  const found: string[] = [];
  const rows = secrets.map((secret) => [
    secret.name,
    ...PLACES.map((place) => {
      const hits = hitsOf(secret, written[place]);
      if (secret.allowed?.includes(place)) return `${hits} (belongs)`;
      if (hits > 0) found.push(`${secret.name}: ${hits} in ${place}`);
      return hits;
    }),
  ]);
  report.table(['hits of', ...PLACES], rows);
  report.count(
    'characters searched',
    PLACES.map((place) => `${place} ${written[place].length}`).join(', '),
  );
  report.check('secrets where none belong', found);
}

function hitsOf(secret: Secret, text: string): number {
  const { value } = secret;
  // Six digits are part of many longer numbers.
  if (/^\d{6}$/.test(value)) {
    const alone = text.match(new RegExp(`(?<![\\d.])${value}(?!\\d)`, 'g'))?.length ?? 0;
    return alone + countOf(hashesOf(value), text);
  }
  const shapes = [...shapesOf(value), ...halvesOf(value), JSON.stringify(value).slice(1, -1)];
  return countOf([...shapes, ...(secret.isGuessable ? hashesOf(value) : [])], text);
}

const countOf = (shapes: readonly string[], text: string) =>
  [...new Set(shapes)].reduce((sum, shape) => sum + text.split(shape).length - 1, 0);

function halvesOf(value: string): readonly string[] {
  const middle = Math.floor(value.length / 2);
  const halves = [value.slice(0, middle), value.slice(middle)];
  return halves
    .filter((half) => half.length >= SHORTEST_HALF)
    .flatMap((half) => [half, [...half].toReversed().join('')]);
}

const hashesOf = (value: string): readonly string[] =>
  ['sha1', 'sha256'].flatMap((algorithm) =>
    (['hex', 'base64', 'base64url'] as const).map((encoding) =>
      createHash(algorithm).update(value).digest(encoding).replace(/=+$/, ''),
    ),
  );

function decoded(mail: string): string {
  const blocks = mail.match(/(?:^[A-Za-z0-9+/]{60,}={0,2}\n)+/gm) ?? [];
  const fromBase64 = blocks.map((block) => Buffer.from(block, 'base64').toString());
  return [mail.replaceAll('=\n', '').replaceAll('=3D', '='), ...fromBase64].join('\n');
}

function clientEntries(): readonly object[] {
  return [
    {
      id: 'garden-club',
      name: 'Garden Club',
      redirectUris: [CALLBACK],
      auth: { method: 'client_secret_basic', secretHash: hashOf(SECRET_OF_CLIENT) },
    },
    {
      id: SPA,
      name: 'Page',
      redirectUris: [`${SPA_ORIGIN}/callback`],
      webOrigins: [SPA_ORIGIN],
      firstParty: true,
      scopes: ['openid', 'profile', 'email', 'offline_access'],
      grants: ['authorization_code', 'refresh_token'],
    },
  ];
}

async function untilReady(url: string): Promise<void> {
  const deadline = performance.now() + DEADLINE_MS;
  while ((await fetch(new URL('/api/health/ready', url))).status !== 200) {
    if (performance.now() > deadline) throw new Error('The server is not ready again');
  }
}
