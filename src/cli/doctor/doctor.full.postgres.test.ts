/** [OPS-08] [OPS-10] What an operator is told before and while an installation runs, by the real processes. */

import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sql } from 'kysely';
import { SMTPServer } from 'smtp-server';
import { afterAll, expect, test } from 'vitest';
import { grantRoles, insertAccounts } from '#server/accounts/account-store.ts';
import { createAudit } from '#server/audit/audit.ts';
import { createClock } from '#server/core/clock.ts';
import { runCommand } from '#server/testing/command.ts';
import { type Mood, startHttpReceiver, startMailReceiver } from '#server/testing/receivers.ts';
import { endProcess, type ServerProcess, startProcess } from '#server/testing/server-process.ts';
import { openTestDatabase } from '#server/testing/test-database.ts';
import { judgeServer } from './database.ts';
import { judgeCertificate } from './network.ts';

const directory = mkdtempSync(join(tmpdir(), 'porchlight-doctor-'));
let server: ServerProcess;

type Finding = {
  readonly check: string;
  readonly state: string;
  readonly what: string;
  readonly mend: string;
};

const database = await openTestDatabase('empty');
const mails = await startMailReceiver();
const env = {
  DATABASE_URL: database.url ?? '',
  PORCHLIGHT_DATA_DIR: directory,
  SMTP_URL: mails.url,
  MAIL_FROM: 'Rosewood <no-reply@example.org>',
};
afterAll(async () => {
  if (server) await endProcess(server);
  await mails.close();
  await database.close();
  rmSync(directory, { recursive: true, force: true });
});

async function doctor(more: Record<string, string>, ...words: string[]) {
  const { code, out } = await runCommand({ ...env, ...more }, 'doctor', '--json', ...words);
  const findings = out
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Finding);
  const of = (state: string) =>
    findings.filter((each) => each.state === state).map(({ check }) => check);
  return { code, findings, of };
}

test('[OPS-10] before the first start: migrations wait, nobody answers; nothing is changed', async () => {
  const { code, of } = await doctor({ PORCHLIGHT_PUBLIC_URL: 'http://127.0.0.1:9' });
  expect(code).toBe(1);
  expect(of('fault')).toEqual(['migrations', 'publicUrl']);
  expect((await doctor({ PORCHLIGHT_PUBLIC_URL: 'http://127.0.0.1:9' })).of('fault')).toContain(
    'migrations',
  );
});

test('[OPS-10] a demo that runs is well, and a real mail goes out; then what is broken is named', async () => {
  server = await startProcess(env);
  expect(await server.started).toBeNull();
  const here = { PORCHLIGHT_PUBLIC_URL: server.url };
  const well = await doctor(here, '--mail', 'you@example.org');
  expect(well.of('fault')).toEqual([]);
  expect(well.code).toBe(0);
  expect(well.of('warning')).toContain('backup');
  expect(well.of('ok')).toEqual([
    'settings',
    'files',
    'database',
    'writable',
    'clock',
    'collation',
    'migrations',
    'keys',
    'savedKeys',
    'subtenants',
    'administrator',
    'numbers',
    'addresses',
    'deadLetters',
    'mail',
    'operators',
    'publicUrl',
    'client',
  ]);
  expect(well.findings.find(({ check }) => check === 'client')?.what).toContain('127.0.0.1');
  expect(mails.mails.join()).toContain('Porchlight can send mail');

  const { db } = database;
  await db.updateTable('subtenants').set({ is_active: false }).where('id', '=', 742).execute();
  const changes = { accent: 'blue', logo_path: '/logos/none.svg' };
  await db.updateTable('subtenants').set(changes).where('id', '=', 3).execute();
  await db.deleteFrom('user_roles').where('role_id', 'in', [4, 11]).execute();
  const broken = await doctor(
    {
      PORCHLIGHT_PUBLIC_URL: server.url.replace('127.0.0.1', 'localhost'),
      PORCHLIGHT_SECRET: 'Another secret that nothing was ever sealed under.',
      SMTP_URL: 'smtp://127.0.0.1:9',
      PORCHLIGHT_SECERT: 'x',
    },
    '--mail',
    'you@example.org',
  );
  expect(broken.code).toBe(1);
  expect(broken.of('fault')).toEqual(expect.arrayContaining(['keys', 'subtenants', 'mail']));
  expect(broken.of('warning')).toEqual(
    expect.arrayContaining(['settings', 'subtenants', 'administrator']),
  );
  const said = broken.findings.map(({ what }) => what).join('\n');
  expect(said).toContain('There is no open subtenant 742');
  expect(said).toContain('Subtenant 3 names the logo /logos/none.svg');
  expect(said).toContain('The accent of subtenant 3 is no color');
});

test('[OPS-10] N9: without --mail the mail server is greeted and gets nothing; who is invited cannot administrate yet', async () => {
  const here = { PORCHLIGHT_PUBLIC_URL: server.url };
  const count = mails.mails.length;
  const what = async (more: object, check: string) =>
    (await doctor({ ...here, ...more })).findings.find((found) => found.check === check)?.what;
  expect(await what({}, 'mail')).toBe('The mail server answers. SMTP_URL names no login');
  expect(mails.mails).toHaveLength(count);
  expect(await what({ SMTP_URL: 'smtp://127.0.0.1:9' }, 'mail')).toContain(
    'The mail server 127.0.0.1:9 does not answer (',
  );
  const { db } = database;
  const [invited] = await insertAccounts(db, [
    {
      email: 'invited.admin@example.test',
      first_name: 'Ida',
      last_name: 'Berg',
      dial_code: '',
      mobile: '',
      subtenant_id: 742,
      status: 'active',
      created_at: new Date(),
    },
  ]);
  await grantRoles(db, invited?.id ?? 0, [4]);
  expect(await what({}, 'administrator')).toContain('Nobody who can sign in');
  await db
    .updateTable('users')
    .set({ password_hash: 'x' })
    .where('id', '=', invited?.id ?? 0)
    .execute();
  expect(await what({}, 'administrator')).toBe('Somebody can administrate');
  await db
    .deleteFrom('users')
    .where('id', '=', invited?.id ?? 0)
    .execute();
});

test('[OPS-10] [SUP-10] F8: numbers that no country has are counted and named, and stay', async () => {
  const { db } = database;
  const numbers = async () => {
    const { findings } = await doctor({ PORCHLIGHT_PUBLIC_URL: 'http://127.0.0.1:9' });
    const { state, what } = findings.find(({ check }) => check === 'numbers') ?? {};
    return `${state}: ${what}`;
  };
  const rows = [
    ['+1', '2125550142'],
    ['', '+12125550142'],
    ['', ''],
    ['+39', '0612345678'],
    ['+254', '712345678'],
    // Those below are wrong.
    ['+1', '2125550142123'],
    ['+1', '0125550142'],
    ['', '2125550142'],
    ['+254', '7123456789'],
    ['', '+999212555014'],
  ].map(([dial_code = '', mobile = ''], index) => ({
    email: `number-${index}@example.test`,
    first_name: 'Ida',
    last_name: 'Berg',
    dial_code,
    mobile,
    subtenant_id: 742,
    status: 'active' as const,
    created_at: new Date(),
  }));
  expect(await numbers()).toMatch(/^ok: /);
  const ids = (await insertAccounts(db, rows)).map((row) => row.id);
  const wrong = await db
    .selectFrom('users')
    .select('id')
    .where('id', 'in', ids)
    .where('email', '>=', 'number-5')
    .orderBy('id')
    .execute();
  const told = await numbers();
  expect(told).toMatch(/^warning: 5 of \d+ accounts have a phone number that no country has: /);
  expect(told).toContain(wrong.map(({ id }) => id).join(', '));
  await db.deleteFrom('users').where('id', 'in', ids).execute();
});

test('[OPS-10] what stays behind is named: roles that there are not, old keys, dead letters', async () => {
  const { db } = database;
  const { id } = await db
    .selectFrom('users')
    .select('id')
    .where('status', '=', 'active')
    .orderBy('id')
    .limit(1)
    .executeTakeFirstOrThrow();
  await db.insertInto('user_roles').values({ user_id: id, role_id: 99 }).execute();
  const days = (count: number) => new Date(Date.now() - count * 24 * 60 * 60 * 1000);
  // Three days beyond the age at which a key gets its successor are given.
  const age = (use: 'es256' | 'rs256', count: number) =>
    db
      .updateTable('server_keys')
      .set({ created_at: days(count) })
      .where('key_use', '=', use)
      .execute();
  await age('es256', 93.5);
  await age('rs256', 94.5);
  const at = new Date();
  const times = { created_at: at, run_at: at, dead_at: at, locked_until: null, done_at: null };
  const lead = { kind: 'lead', payload: '{"sealed":"x"}', last_error: 'refused' };
  await db
    .insertInto('outbox')
    .values({ id: randomUUID(), idempotency_key: 'given-up', ...lead, ...times })
    .execute();
  const { findings, code } = await doctor({ PORCHLIGHT_PUBLIC_URL: 'http://127.0.0.1:9' });
  const said = (check: string) =>
    findings.filter((each) => each.check === check).map(({ state, what }) => `${state}: ${what}`);
  expect(code).toBe(1);
  expect(said('roles')).toEqual([expect.stringMatching(/^warning: .*\b99\b/)]);
  expect(said('keys')).toEqual([expect.stringMatching(/^warning: .*rs256.*\b94\b/)]);
  expect(said('deadLetters')).toEqual([expect.stringMatching(/^fault: .*\b\d+\b/)]);
});

test('[OPS-10] [OPS-68] a server that is too old is a fault, and so is a clock that is off', () => {
  const well = { version: '15.0', number: 150_000, isReadOnly: false, apartMs: 5000 };
  const faults = (change: object) =>
    judgeServer({ ...well, ...change }).flatMap(({ check, state }) =>
      state === 'fault' ? [check] : [],
    );
  expect(faults({})).toEqual([]);
  expect(faults({ version: '14.13', number: 140_013 })).toEqual(['database']);
  expect(faults({ apartMs: 5001 })).toEqual(['clock']);
  expect(faults({ isReadOnly: true })).toEqual(['writable']);
});

test('[OPS-10] a database that is away is a fault, and so is one that is read-only', async () => {
  const away = await doctor({ DATABASE_URL: 'postgres://127.0.0.1:9/none' });
  expect(away.of('fault')).toContain('database');
  const readOnly = new URL(env.DATABASE_URL ?? '');
  readOnly.searchParams.set('options', '-c default_transaction_read_only=on');
  expect((await doctor({ DATABASE_URL: readOnly.href })).of('fault')).toContain('writable');
});

test('[OPS-79] no line ends a sentence twice, whatever reason is put into it', async () => {
  const { out } = await runCommand({ ...env, PORCHLIGHT_SECERT: 'x' }, 'doctor');
  expect(out).toMatch(
    /^Warning: A setting is worth a look: .*PORCHLIGHT_SECERT.*[^.]\. porchlight/m,
  );
  expect(out).not.toContain('..');
});

test('[OPS-10] a certificate warns two weeks before its end, and is a fault behind it', () => {
  const now = new Date('2026-11-22T12:00:00Z');
  const at = (day: string) => judgeCertificate('a.example', new Date(day), now).state;
  expect(at('2027-02-01T00:00:00Z')).toBe('ok');
  expect(at('2026-12-01T00:00:00Z')).toBe('warning');
  expect(at('2026-11-22T11:00:00Z')).toBe('fault');
});

test('[OPS-08] config check: faults are 1, warnings alone are 0, and an env file is read', async () => {
  const faulty = await runCommand({ PORCHLIGHT_MODE: 'production', PORT: 'x' }, 'config', 'check');
  expect(faulty.code).toBe(1);
  expect(faulty.out).toMatch(/^FAULT: PORT[^]*\nFaults: \d+\. The server would not start\.\n$/);
  const file = join(directory, 'some.env');
  writeFileSync(file, "PORCHLIGHT_DATA_DRI='x'\n");
  const odd = await runCommand({}, 'config', 'check', '--settings', file);
  expect(odd).toMatchObject({ code: 0, err: '' });
  expect(odd.out).toContain('Did you mean PORCHLIGHT_DATA_DIR?');
  expect(await runCommand({}, 'config', 'check', '--settings')).toMatchObject({ code: 2 });
  const gone = await runCommand({}, 'config', 'check', '--settings', join(directory, 'none'));
  expect(gone).toMatchObject({ code: 1, out: '' });
});

test('[OPS-10] [OPS-56] a module that takes no sign-out calls, or those of anybody, is named', async () => {
  const receiver = await startHttpReceiver();
  const file = join(directory, 'modules.json');
  const entry = {
    id: 'admin',
    rootUrl: `${receiver.url}/`,
    loginUrl: `${receiver.url}/login`,
    secretHash: 'a'.repeat(43),
    signOutUrl: `${receiver.url}/signed-out`,
  };
  writeFileSync(file, JSON.stringify([entry, { ...entry, id: 'agent', signOutUrl: null }]));
  const look = async (mood: Mood) => {
    await receiver.setMood(mood);
    const more = { PORCHLIGHT_PUBLIC_URL: 'http://127.0.0.1:9', PORCHLIGHT_MODULES_FILE: file };
    const { findings } = await doctor(more);
    return findings.flatMap(({ check, state }) => (check === 'modules' ? [state] : []));
  };
  // Each module answers or not, and the one with an address for sign-out calls listens or not.
  expect(await look(400)).toEqual(['ok', 'ok', 'ok']);
  expect(await look(200)).toEqual(['ok', 'fault', 'ok']);
  expect(await look(404)).toEqual(['warning', 'warning', 'warning']);
  expect(await look('refuse')).toEqual(['fault', 'warning', 'fault']);
  expect(new Set(receiver.received.map(({ body }) => body))).toEqual(new Set(['']));
  await receiver.close();
});

test('[KEY-20] saved keys of another domain, and keys that are switched off, are named', async () => {
  const { db } = database;
  const { id } = await db.selectFrom('users').select('id').limit(1).executeTakeFirstOrThrow();
  await db.insertInto('key_domain').values({ rp_id: 'old.test' }).execute();
  await db
    .insertInto('saved_keys')
    .values({
      credential_id: 'of-the-old-domain',
      user_id: id,
      public_key: 'x',
      counter: 0,
      transports: [],
      is_syncable: false,
      is_synced: false,
      aaguid: '',
      name: 'iPad',
      rp_id: 'old.test',
      added_at: new Date(),
    })
    .execute();
  const said = async (more: Record<string, string>) => {
    const { findings } = await doctor(more);
    return findings.find(({ check }) => check === 'savedKeys');
  };
  const url = { PORCHLIGHT_PUBLIC_URL: 'http://localhost:9' };
  expect(await said(url)).toMatchObject({
    state: 'fault',
    what: expect.stringContaining('old.test'),
  });
  expect(await said({ ...url, PORCHLIGHT_KEYS: 'off' })).toMatchObject({ state: 'warning' });
  expect(await said({ ...url, PORCHLIGHT_RP_ID: 'localhost' })).toMatchObject({ state: 'fault' });
});

/** A row: the check, what it says of the planted fault, and what it says to do. */
const PLANTED: readonly (readonly [check: string, what: RegExp, mend: RegExp])[] = [
  ['clock', /^fault: This machine and the database are 3\d{3} seconds apart$/, /clock/],
  ['collation', /^fault: .* version 1\.0 .* the server has 2\.0/, /^REINDEX DATABASE "porchlight_/],
  ['backup', /^warning: The newest backup is 50 hours old$/, /porchlight backup/],
  ['addresses', /^warning: 1 mailboxes have two accounts.*xn--/, /user erase/],
  ['mail', /^fault: The mail server answered 535/, /SMTP_URL/],
  [
    'texts',
    /^fault: 127\.0\.0\.1:9 \(SMS_WEBHOOK_URL\) does not answer: no answer$/,
    /SMS_WEBHOOK/,
  ],
  ['calls', /^fault: 127\.0\.0\.1:9 \(VOICE_WEBHOOK_URL\) does not answer/, /VOICE_WEBHOOK/],
  ['leads', /^fault: 127\.0\.0\.1:\d+ \(CRM_URL\) does not answer: 503$/, /CRM_URL/],
  ['events', /^fault: 127\.0\.0\.1:9 \(PORCHLIGHT_EVENTS_URL\) does not answer/, /EVENTS_URL/],
  ['modules', /^fault: The module admin does not answer \(no answer\)$/, /rootUrl/],
  [
    'files',
    /^warning: Every user of this machine can read .*open\.env, which/,
    /^chmod o= .*open\.env$/,
  ],
  ['publicUrl', /^fault: https:.* does not answer as this installation: .*certificate/, /proxy/],
];

test('[OPS-103] N32: planted faults are each named in a line with their mend, and none is named without', async () => {
  const { db } = database;
  const receiver = await startHttpReceiver();
  const login = await startMailReceiver({ hasLogin: true });
  const file = join(directory, 'away.json');
  const away = 'http://127.0.0.1:9';
  const of = (url: string, mail: string) => ({
    PORCHLIGHT_PUBLIC_URL: server.url,
    PORCHLIGHT_MODULES_FILE: file,
    SMTP_URL: mail,
    SMS_WEBHOOK_URL: url,
    SMS_WEBHOOK_KEY: 'a webhook key of the tests',
    VOICE_WEBHOOK_URL: url,
    VOICE_WEBHOOK_KEY: 'a webhook key of the tests',
    RECEIPTS_KEY: 'a receipts key of the tests',
    CRM_URL: receiver.url,
    CRM_KEY: 'a key',
    PORCHLIGHT_EVENTS_URL: url,
    PORCHLIGHT_EVENTS_SECRET: `whsec_${Buffer.alloc(24, 7).toString('base64')}`,
  });
  const write = (url: string) => {
    const module = { id: 'admin', rootUrl: url, loginUrl: url, secretHash: 'a'.repeat(43) };
    writeFileSync(file, JSON.stringify([{ ...module, signOutUrl: null }]));
  };
  const secrets = join(directory, 'open.env');
  writeFileSync(secrets, 'CRM_KEY=a key\n', { mode: 0o644 });
  const told = async (more: Record<string, string>) => {
    const { findings } = await doctor(more, '--settings', secrets);
    return findings.filter(({ check, state }) => checks.includes(check) && state !== 'ok');
  };
  const checks = PLANTED.map(([check]) => check);

  await createAudit({ db, clock: createClock() })({ kind: 'backup.made' });
  write(`${receiver.url}/`);
  const well = await doctor(of(receiver.url, mails.url), '--settings', secrets);
  expect(well.of('ok')).toEqual(expect.arrayContaining(checks));
  expect(checks.filter((check) => well.of('fault').includes(check))).toEqual([]);
  // HEAD alone: nothing was sent.
  expect(new Set(receiver.received.map(({ body }) => body))).toEqual(new Set(['']));

  // The tables before the catalog, in which functions of these names hide the server's.
  await sql`create schema planted`.execute(db);
  await sql`create function planted.clock_timestamp() returns timestamptz language sql
    as $$ select pg_catalog.clock_timestamp() - interval '1 hour' $$`.execute(db);
  await sql`create function planted.pg_database_collation_actual_version(oid) returns text language sql
    as $$ select '2.0' $$`.execute(db);
  await sql`create view planted.pg_database as select oid, datname, '1.0'::text as datcollversion
    from pg_catalog.pg_database`.execute(db);
  const url = new URL(env.DATABASE_URL ?? '');
  url.searchParams.set('options', '-c search_path=public,planted,pg_catalog');
  await sql`alter table audit_events disable trigger user`.execute(db);
  await sql`update audit_events set at = now() - interval '50 hours 5 minutes'
    where kind = 'backup.made'`.execute(db);
  await sql`alter table audit_events enable trigger user`.execute(db);
  const person = { first_name: 'Ida', last_name: 'Berg', dial_code: '', mobile: '' };
  const account = { ...person, subtenant_id: 742, status: 'active' as const };
  const rows = ['ida', 'eda'].map((name) => ({
    ...account,
    email: `${name}@xn--bcher-kva.test`,
    created_at: new Date(),
  }));
  const [, second] = await insertAccounts(db, rows);
  await db
    .updateTable('users')
    .set({ email_canonical: 'ida@bücher.test' })
    .where('id', '=', second?.id ?? 0)
    .execute();
  await receiver.setMood(503);
  write(`${away}/`);
  // Its folder was closed to others.
  chmodSync(directory, 0o755);
  // Its certificate is its own.
  const stranger = new SMTPServer({ secure: true });
  // A caller who does not trust it ends the connection.
  stranger.on('error', () => undefined);
  const listening = stranger.listen(0, '127.0.0.1');
  await once(listening, 'listening');
  const { port } = listening.address() as AddressInfo;
  const mail = login.url.replace('smtp://', 'smtp://we:wrong@');
  const found = await told({
    ...of(away, mail),
    DATABASE_URL: url.href,
    PORCHLIGHT_PUBLIC_URL: `https://127.0.0.1:${port}`,
  });
  for (const [check, what, mend] of PLANTED) {
    const lines = found.filter((each) => each.check === check);
    const said = lines.map((each) => `${each.state}: ${each.what}`);
    expect([check, said]).toEqual([check, [expect.stringMatching(what)]]);
    expect(lines[0]?.mend).toMatch(mend);
  }
  chmodSync(directory, 0o700);
  stranger.close();
  await receiver.close();
  await login.close();
});
