/** [OPS-52] [R47] A backup and its restore, by the commands of `docs/operations/backup.md`, on both databases. */

import { readFileSync, writeFileSync } from 'node:fs';
import { mkdtemp, readFile, rm, stat, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { decodeJwt } from 'jose';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { parseActivationLink } from '#domain/proofs/activation-link.ts';
import { ACADEMY_SUBTENANT_ID } from '#domain/people/subtenants.ts';
import { createSecretBox } from '#server/crypto/secret-box.ts';
import { migrate } from '#server/db/migrate.ts';
import { type Ended, runCommand } from '#server/testing/command.ts';
import { answersOf, NOTHING, openEverything } from '#server/testing/everything-open.ts';
import { makeNextRelease, NEXT } from '#server/testing/next-release.ts';
import { clientEntry, createRelyingParty } from '#server/testing/relying-party.ts';
import { ROOT } from '#server/testing/server-process.ts';
import { createTestApp, PASSWORD, SECRET, type TestApp } from '#server/testing/test-app.ts';
import { activation, signUpBody, type Visitor } from '#server/testing/visitor.ts';
import { createWire, wireClients } from '#server/testing/wire.ts';
import { type DatabasePlace, makePlace } from '#server/testing/test-database.ts';
import { sentBack } from '#server/testing/reset.ts';

vi.setConfig({ testTimeout: 300_000, hookTimeout: 300_000 });

const PAGE = readFileSync(`${ROOT}docs/operations/backup.md`, 'utf8');
/** The commands of a chapter, as they stand there. */
function commandsOf(chapter: string): readonly (readonly string[])[] {
  const [text = ''] = PAGE.split(`\n## ${chapter}\n`)[1]?.split('\n## ') ?? [];
  return [...text.matchAll(/^npx porchlight (.+)$/gm)].map(([, words = '']) => words.split(' '));
}

const places: DatabasePlace[] = [];
const folder = await mkdtemp(join(tmpdir(), 'porchlight-backup-'));
afterAll(async () => {
  for (const place of places) await place.remove();
  await rm(folder, { recursive: true, force: true });
});

async function newPlace(): Promise<DatabasePlace> {
  const place = await makePlace();
  places.push(place);
  return place;
}

const commandAt = (place: DatabasePlace, ...words: readonly string[]) =>
  runCommand({ ...place.env, PORCHLIGHT_SECRET: SECRET }, ...words, { cwd: folder });

/** The settings of the drill as they stand in the docs, with the secret and the database of this one. */
function writeDrill({ env }: DatabasePlace): void {
  const [, printed = ''] = /^```sh\n(PORCHLIGHT_CONFIG=none\n[^]*?)^```/m.exec(PAGE) ?? [];
  const secretFile = join(folder, 'drill.secret');
  writeFileSync(secretFile, SECRET, { mode: 0o600 });
  const lines = printed
    .split('\n')
    .filter((line) => !/^(DATABASE_URL|PORCHLIGHT_SECRET_FILE)=/.test(line));
  const own = Object.entries({ ...env, PORCHLIGHT_SECRET_FILE: secretFile });
  writeFileSync(
    join(folder, 'drill.env'),
    [...lines, ...own.map((pair) => pair.join('='))].join('\n'),
  );
}

const mustDo = async (place: DatabasePlace, ...words: readonly string[]) =>
  succeeded(words, await commandAt(place, ...words));

const drill = async (...words: readonly string[]) =>
  succeeded(words, await runCommand({}, ...words, { cwd: folder }));

function succeeded(words: readonly string[], ended: Ended): Ended {
  // The other lines report progress.
  const said = ended.err.replace(/^(\d+ tables .*|\{"tables":.*)\n/gm, '');
  expect([words, ended.code, said]).toEqual([words, 0, '']);
  return ended;
}

const settings = (url: string) => ({
  ...wireClients(url),
  clients: [...(wireClients(url).clients ?? []), clientEntry()],
  isPasswordGrantOn: true,
  limitFactor: 50,
});

/** A server on a place; `port`: where the one before was, whose cookies then fit. */
async function serverAt(place: DatabasePlace, port?: number): Promise<TestApp> {
  const url = `http://localhost:${port}`;
  return createTestApp(port ? { ...settings(url), port } : settings, null, {
    database: await place.open(),
  });
}

async function depsOf(testApp: TestApp) {
  const wire = createWire(testApp);
  return { testApp, wire, garden: await createRelyingParty(testApp.url) };
}

/** A visitor in the middle of a sign-up, and the mail with code and link. */
async function signingUp(testApp: TestApp, email: string, subtenantId?: number) {
  const visitor = testApp.visitor();
  const created = await visitor.ok('createUser', {
    body: signUpBody({ emailAddress: email, ...(subtenantId && { subtenantId }) }),
  });
  if (created.userActivationMode !== 'VERIFY_OTP') throw new Error('No sign-up');
  const sent = (await visitor.sendCode(created.userId, 'USER_ACTIVATION')).data;
  const link = (await testApp.inbox(email)).find((mail) => mail.link)?.link ?? '';
  return { visitor, email, created, otpId: sent?.id ?? '', link };
}

const resetKeyOf = async (testApp: TestApp, email: string) => {
  const mail = (await testApp.inbox(email)).find(({ link }) => link?.includes('resetPassword'));
  return new URL(mail?.link ?? 'x:').searchParams.get('resetLinkKey') ?? '';
};
const openReset = async (visitor: Visitor, resetKey: string) =>
  (await visitor.call('getResetUser', { params: { resetKey, ip: '::1' } })).data;
const forgot = (visitor: Visitor, email: string) =>
  visitor.ok('forgotPassword', { body: { userName: email, emailID: email } });

function setPassword(visitor: Visitor, opened: Awaited<ReturnType<typeof openReset>>) {
  if (!opened) throw new Error('The link was never open');
  return visitor.call('updatePassword', {
    body: { ...sentBack(opened), password: 'Fresh-Paint-8' },
  });
}

function openActivation(visitor: Visitor, mailed: string) {
  const query = new URL(mailed).searchParams;
  const link = parseActivationLink(query.get('UID'), query.get('SUP'));
  return visitor.call('validateLink', {
    body: {
      userRegstrtnId: link?.registrationId ?? '',
      userId: link?.userId ?? 0,
      activationKey: link?.key ?? '',
      signUpPlatform: link?.platform ?? 0,
      clientIPAddress: '::1',
    },
  });
}

/** People with one of each that a backup can hold. */
async function fill(testApp: TestApp) {
  const deps = await depsOf(testApp);
  const open = await openEverything(deps);
  const second = await openEverything(deps);
  const { visitor } = open;
  const issued = await visitor.ok('issueHandoff', { body: { choice: null, entrance: 'portal' } });
  const encoded = new URL(issued.url).searchParams.get('token') ?? '';
  const token = Buffer.from(encoded, 'base64').toString('utf8');
  const { aud, iat = 0 } = decodeJwt(token);
  const handOff = { token, module: String(aud), issuedAt: iat * 1000 };

  // A code that waits, one that was right already, and a form whose code was right.
  const atCode = testApp.visitor();
  const waiting = await atCode.reachCode(second.email, PASSWORD);
  const code = await testApp.codeFor(second.email);
  const atTheEnd = testApp.visitor();
  const right = await atTheEnd.reachCode(open.email, PASSWORD);
  await atTheEnd.ok('verifyOtp', {
    body: { id: right.otpId, createdBy: right.userId, otp: await testApp.codeFor(open.email) },
  });
  const pending = await signingUp(testApp, 'pending@example.test');
  const proven = await signingUp(testApp, 'proven@example.test');
  await proven.visitor.ok('verifyOtp', {
    body: {
      id: proven.otpId,
      createdBy: proven.created.userId,
      otp: await testApp.codeFor(proven.email),
    },
  });

  // A mailed link, and one that was opened.
  const forgetful = testApp.visitor();
  await forgot(forgetful, second.email);
  const resetKey = await resetKeyOf(testApp, second.email);
  const reset = await openReset(forgetful, resetKey);

  const renewing = testApp.visitor();
  await renewing.register({ emailAddress: 'renewing@example.test' });
  await forgot(renewing, 'renewing@example.test');
  const renewed = await openReset(renewing, await resetKeyOf(testApp, 'renewing@example.test'));

  // From now on nothing leaves: these wait in the backup.
  const finishing = await signingUp(testApp, 'finishing@example.test', ACADEMY_SUBTENANT_ID);
  await finishing.visitor.ok('verifyOtp', {
    body: {
      id: finishing.otpId,
      createdBy: finishing.created.userId,
      otp: await testApp.codeFor(finishing.email),
    },
  });
  await testApp.app.outbox.settle();
  await testApp.app.outbox.stop();
  await finishing.visitor.ok('activateUser', {
    body: activation(finishing.created, finishing.otpId),
  });
  await setPassword(renewing, renewed);
  const late = testApp.visitor();
  await late.reachCode(finishing.email, PASSWORD);
  await forgot(testApp.visitor(), open.email);
  return {
    open,
    second,
    handOff,
    atCode,
    waiting,
    code,
    atTheEnd,
    pending,
    proven,
    forgetful,
    resetKey,
    reset,
    finishing,
  };
}
type Filled = Awaited<ReturnType<typeof fill>>;

/** Nothing that was open is, whatever it was; and everybody is there. */
async function expectEnded(testApp: TestApp, filled: Filled): Promise<void> {
  const deps = await depsOf(testApp);
  const { open, second, pending, proven } = filled;
  expect(await answersOf(deps, open)).toEqual(NOTHING);
  expect((await open.visitor.ok('getVisit', {})).login).toBeNull();

  const { atCode, waiting, code } = filled;
  const typed = await atCode.verify(waiting.otpId, waiting.userId, code);
  expect(typed.succeeded).toBe(false);
  const silent = await filled.atTheEnd.authorize((await filled.atTheEnd.begin(false)).authorizeUrl);
  expect(silent.error).toBe('login_required');

  const { token, module, issuedAt } = filled.handOff;
  const secret = createSecretBox(SECRET).hmac('demo-module', module);
  const authorization = `Basic ${Buffer.from(`${module}:${secret}`).toString('base64')}`;
  // In its own minute.
  const backMs = testApp.clock.now().getTime() - issuedAt - 1000;
  testApp.clock.advanceMs(-backMs);
  const redeemed = await testApp
    .visitor()
    .call(
      'redeemHandoff',
      { body: { token } },
      { authorization, origin: '', 'sec-fetch-site': '' },
    );
  testApp.clock.advanceMs(backMs);
  expect(redeemed).toMatchObject({ status: 409, succeeded: false });

  const { forgetful, resetKey, reset } = filled;
  expect(await openReset(testApp.visitor(), resetKey)).toBeNull();
  expect((await setPassword(forgetful, reset)).succeeded).toBe(false);

  const followed = await openActivation(testApp.visitor(), pending.link);
  expect(followed.succeeded).toBe(false);
  const activated = await proven.visitor.call('activateUser', {
    body: activation(proven.created, proven.otpId),
  });
  expect(activated.succeeded).toBe(false);

  // An unfinished sign-up continues with a new code, in the same browser.
  await testApp.app.outbox.settle();
  const sent = (await pending.visitor.sendCode(pending.created.userId, 'USER_ACTIVATION')).data;
  await testApp.app.outbox.settle();
  await pending.visitor.ok('verifyOtp', {
    body: {
      id: sent?.id ?? '',
      createdBy: pending.created.userId,
      otp: await testApp.codeFor(pending.email),
    },
  });
  await pending.visitor.ok('activateUser', { body: activation(pending.created, sent?.id ?? '') });

  // And everybody signs in anew.
  for (const email of [second.email, pending.email]) {
    expect((await testApp.visitor().signIn(email, PASSWORD)).userRoles).not.toEqual([]);
  }
}

describe('[OPS-52] a backup that is restored into a new place', () => {
  let source: DatabasePlace;
  let target: DatabasePlace;
  let filled: Filled;
  let port: number;
  let rolesBefore: readonly object[];
  const [backupWords = []] = commandsOf('Make one');
  const file = () => join(folder, backupWords.at(-1) ?? '');
  const rolesOf = (testApp: TestApp) =>
    testApp.db.selectFrom('user_roles').selectAll().orderBy('user_id').orderBy('role_id').execute();

  beforeAll(async () => {
    source = await newPlace();
    target = await newPlace();
    const testApp = await serverAt(source);
    port = Number(new URL(testApp.url).port);
    filled = await fill(testApp);
    rolesBefore = await rolesOf(testApp);
    await testApp.close();
    await mustDo(source, ...backupWords);
    writeDrill(target);
    for (const words of commandsOf('Drill')) {
      // It stays until it is stopped; the tests start their own.
      if (words[0] !== 'serve') await drill(...words);
    }
  });

  test('is for its owner alone, and replaces nothing', async () => {
    expect((await stat(file())).mode & 0o777).toBe(0o600);
    const again = await commandAt(source, ...backupWords);
    expect(again).toMatchObject({ code: 1, out: '' });
    expect(again.err).toContain('is there already and stays as it is');
    const bytes = await readFile(file());
    expect(bytes.includes(SECRET)).toBe(false);
  });

  test('has everybody with roles, leads and an audit log that is intact; nothing of before opens anything, and nothing of it is sent', async () => {
    const testApp = await serverAt(target, port);
    try {
      expect(await rolesOf(testApp)).toEqual(rolesBefore);
      await testApp.app.outbox.settle();
      // The lead and the notice that waited are sent; the code and the link that waited are not.
      expect(await testApp.leads()).toContainEqual(
        expect.objectContaining({ email: filled.finishing.email }),
      );
      const notice = await testApp.db
        .selectFrom('outbox')
        .select('done_at')
        .where('idempotency_key', 'like', 'reset-done:%')
        .executeTakeFirstOrThrow();
      expect(notice.done_at).not.toBeNull();
      const keys = await testApp.db
        .selectFrom('outbox')
        .select(['idempotency_key', 'done_at', 'dead_at', 'last_error'])
        .where('kind', '=', 'message')
        .where('last_error', 'is not', null)
        .orderBy('idempotency_key')
        .execute();
      expect(keys.map(({ idempotency_key: key }) => key.split(':')[0])).toEqual([
        'otp',
        'otp',
        'reset',
      ]);
      for (const row of keys) {
        expect(row).toMatchObject({ done_at: null, last_error: 'expired' });
        expect(row.dead_at).not.toBeNull();
      }
      await expectEnded(testApp, filled);
      const kinds = await testApp.db
        .selectFrom('audit_events')
        .select(['kind', 'actor'])
        .where('kind', 'in', ['backup.made', 'backup.restored', 'sessions.ended'])
        .orderBy('id')
        .execute();
      expect(kinds).toEqual([
        { kind: 'backup.restored', actor: expect.stringMatching(/^operator:.+@.+/) },
        { kind: 'sessions.ended', actor: expect.stringMatching(/^operator:.+@.+/) },
      ]);
    } finally {
      await testApp.close();
    }
    const verified = await mustDo(target, 'audit', 'verify', '--json');
    expect(JSON.parse(verified.out)).toMatchObject({ faultCount: 0 });
    const told = await mustDo(source, 'audit', 'tail', '--count', '1', '--json');
    expect(JSON.parse(told.out)).toMatchObject({
      kind: 'backup.made',
      actor: expect.stringMatching(/^operator:.+@.+/),
    });
  });

  test('is not put over anything unless that is said', async () => {
    const refused = await commandAt(target, 'restore', file());
    expect(refused).toMatchObject({ code: 1, out: '' });
    expect(refused.err).toContain('is not empty: nothing was changed');
    await mustDo(target, 'user', 'show', filled.pending.email);
    const replaced = await mustDo(target, 'restore', file(), '--replace', '--json');
    expect(JSON.parse(replaced.out)).toMatchObject({ applied: [], isSecretMissing: false });
    const { out } = await mustDo(target, 'user', 'show', filled.pending.email);
    expect(JSON.parse(out)).toMatchObject({ status: 'pending' });
  });

  test('made under another secret it is restored, and said to be so', async () => {
    const place = await newPlace();
    const said = await runCommand(
      { ...place.env, PORCHLIGHT_SECRET: 'another secret of the tests, also long enough' },
      'restore',
      file(),
    );
    expect(said.code).toBe(1);
    expect(said.out).toContain('do not open with PORCHLIGHT_SECRET');
  });

  test('cut short, or of something else, it changes nothing', async () => {
    const place = await newPlace();
    const bytes = await readFile(file());
    const cut = join(folder, 'cut.backup');
    await writeFile(cut, bytes);
    await truncate(cut, Math.floor(bytes.length * 0.7));
    const other = join(folder, 'other.backup');
    await writeFile(other, 'PGDUMP, perhaps');
    for (const name of [cut, other, join(folder, 'none.backup')]) {
      const { code, out, err } = await commandAt(place, 'restore', name, '--json');
      expect([name, code, out]).toEqual([name, 1, '']);
      expect(JSON.parse(err)).toMatchObject({ code: 1 });
    }
    const nothing = await commandAt(place, 'backup', join(folder, 'nothing.backup'));
    expect(nothing).toMatchObject({
      code: 1,
      err: 'There is nothing to back up: the database has no tables.\n',
    });
  });
});

test('[OPS-53] after a restore with other tools, sessions end --all does the same', async () => {
  const place = await newPlace();
  const testApp = await serverAt(place);
  const port = Number(new URL(testApp.url).port);
  const filled = await fill(testApp);
  // A mailed link that is open, a proof of work, and a password whose ticket is unused.
  const visitor = testApp.visitor();
  expect((await openActivation(visitor, filled.pending.link)).succeeded).toBe(true);
  const body = { entrance: 'portal', isFresh: true } as const;
  await visitor.call('beginSession', { body }, await visitor.prove('signIn'));
  expect((await visitor.authenticate(filled.open.email, PASSWORD)).status).toBe(200);
  const answered = { id: 'a-form', expires_at: testApp.clock.now(), answer: 'sealed' };
  await testApp.db.insertInto('answered_forms').values(answered).execute();
  await testApp.close();
  expect(await commandAt(place, 'sessions', 'end')).toMatchObject({ code: 2, out: '' });
  const { out } = await mustDo(place, ...(commandsOf('Restore')[0] ?? []), '--json');
  const { ended } = JSON.parse(out) as { readonly ended: Readonly<Record<string, number>> };
  expect(ended).toMatchObject({ reset_links: 3, outbox: 3 });
  // Both databases end these rows.
  expect(Object.keys(ended).toSorted()).toEqual([
    'activation_links',
    'activation_visits',
    'answered_forms',
    'auth_tokens',
    'authorizations',
    'captcha_solutions',
    'client_requests',
    'handoffs',
    'hosted_challenges',
    'hosted_payloads',
    'hosted_tickets',
    'key_domain',
    'messages',
    'otp_codes',
    'outbox',
    'reset_handles',
    'reset_links',
    'sign_ins',
    'visits',
  ]);
  const after = await serverAt(place, port);
  try {
    await after.app.outbox.settle();
    await expectEnded(after, filled);
  } finally {
    await after.close();
  }
});

test('[OPS-52] a backup of an older schema is brought up to date', async () => {
  const [source, target] = [await newPlace(), await newPlace()];
  const old = await source.open();
  await old.maintenance(migrate);
  await old.close();
  const { root, remove } = makeNextRelease();
  const by = (place: DatabasePlace, ...words: readonly string[]) =>
    runCommand({ ...place.env, PORCHLIGHT_SECRET: SECRET }, ...words, { cwd: folder, root });
  const made = await by(source, 'backup', 'old.backup', '--json');
  expect(JSON.parse(made.out)).toMatchObject({ isTold: false });
  const { out } = await by(target, 'restore', 'old.backup', '--json');
  expect(JSON.parse(out)).toMatchObject({ applied: [NEXT] });
  expect(await by(target, 'migrate', '--status')).toMatchObject({ code: 0 });
  // A backup changes nothing: the next release's migrations wait where they waited.
  expect(await by(source, 'migrate', '--status')).toMatchObject({ code: 1 });
  remove();
});
