/** [OPS-52] A backup of PostgreSQL: its programs, and the obstacles of a restore. */

import { chmod, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { migrate, UNFINISHED_RESTORE } from '#server/db/migrate.ts';
import { runCommand } from '#server/testing/command.ts';
import { PROCESS_ENV } from '#server/testing/server-process.ts';
import { makePlace } from '#server/testing/test-database.ts';
import { connectionEnv } from './postgres-programs.ts';

vi.setConfig({ testTimeout: 300_000, hookTimeout: 300_000 });

const SECRET_PASSWORD = 'the password of the database';
const run = (...words: string[]) => runCommand(place.env, ...words);

const folder = await mkdtemp(join(tmpdir(), 'porchlight-backup-'));
const file = join(folder, 'one.backup');
const place = await makePlace();
beforeAll(async () => {
  const { db, close } = await place.open();
  await migrate(db);
  await db.insertInto('promo_codes').values({ code: 'IN-THE-BACKUP' }).execute();
  await close();
  const made = await run('backup', file);
  if (made.code !== 0) throw new Error(made.err);
});
afterAll(async () => {
  await place.remove();
  await rm(folder, { recursive: true, force: true });
});

/** A program that stands before the real ones on the PATH. */
async function program(name: string, script: string): Promise<Readonly<Record<string, string>>> {
  const own = await mkdtemp(join(folder, 'bin-'));
  const path = join(own, name);
  await writeFile(path, `#!/bin/sh\n${script}\n`);
  await chmod(path, 0o755);
  return { ...place.env, PATH: `${own}:${PROCESS_ENV.PATH}` };
}

async function codes(): Promise<readonly string[]> {
  const { db, close } = await place.open();
  const rows = await db.selectFrom('promo_codes').select('code').orderBy('code').execute();
  await close();
  return rows.map(({ code }) => code);
}

test('a program that is missing or too old is named, and nothing is left behind', async () => {
  const target = join(folder, 'two.backup');
  const missing = await runCommand({ ...place.env, PATH: folder }, 'backup', target);
  expect(missing).toMatchObject({ code: 1, out: '' });
  expect(missing.err).toContain('pg_dump is not installed here, or not on the PATH');
  const old = await program('pg_dump', 'echo "pg_dump (PostgreSQL) 9.6.24"');
  const refused = await runCommand(old, 'backup', target);
  expect(refused).toMatchObject({ code: 1, out: '' });
  expect(refused.err).toMatch(/^pg_dump is older than the server: pg_dump \(PostgreSQL\) 9\.6\.24/);
  await expect(readFile(target)).rejects.toThrow('ENOENT');
  const oldRestore = await program('pg_restore', 'echo "pg_restore (PostgreSQL) 9.6.24"');
  const kept = await runCommand(oldRestore, 'restore', file, '--replace');
  expect(kept).toMatchObject({ code: 1, out: '' });
  expect(kept.err).toMatch(/^pg_restore is older than the server: /);
  expect(await codes()).toEqual(['IN-THE-BACKUP']);
});

test('no program is told the password by its words', async () => {
  const words = join(folder, 'words');
  const spy = await program(
    'pg_dump',
    `printf '%s\\n' "$@" >> ${words}\n[ "$1" = --version ] && exec /usr/bin/env PATH="${PROCESS_ENV.PATH}" pg_dump --version\nprintf %s "$PGPASSWORD" > ${words}.password\nexit 3`,
  );
  const url = new URL(place.env.DATABASE_URL ?? '');
  url.password = SECRET_PASSWORD;
  const failed = await runCommand({ ...spy, DATABASE_URL: url.href }, 'backup', `${words}.backup`);
  expect(failed).toMatchObject({ code: 1, out: '', err: 'pg_dump failed: 3\n' });
  expect(await readFile(`${words}.password`, 'utf8')).toBe(SECRET_PASSWORD);
  const given = await readFile(words, 'utf8');
  expect(given).toContain('--format=custom');
  expect(given).not.toContain(SECRET_PASSWORD);
  expect(given).not.toContain('postgres://');
});

test.each([
  [
    'postgres://a:b%40c@db.example/d?sslmode=require',
    { PGSSLMODE: 'verify-full', PGSSLROOTCERT: 'system', PGPASSWORD: 'b@c' },
  ],
  ['postgres://a@db.example:6000/d?sslmode=no-verify', { PGSSLMODE: 'require', PGPORT: '6000' }],
  [
    'postgres://a@db.example/d?sslmode=verify-full&sslrootcert=/ca.pem',
    { PGSSLROOTCERT: '/ca.pem' },
  ],
  ['postgres://a@db.example/d?sslmode=require&uselibpqcompat=true', { PGSSLMODE: 'require' }],
  ['postgres:///d?host=/var/run/postgresql', { PGHOST: '/var/run/postgresql', PGDATABASE: 'd' }],
  ['postgres://[::1]/d', { PGHOST: '::1' }],
  [
    'postgres://a@one:6000,two:6001/d?target_session_attrs=read-write',
    { PGHOST: 'one,two', PGPORT: '6000,6001', PGTARGETSESSIONATTRS: 'read-write' },
  ],
])('the programs connect as the server does: %s', (url, expected) => {
  expect(connectionEnv(url)).toMatchObject(expected);
});

test('while somebody is connected nothing is replaced', async () => {
  const { close } = await place.open();
  const refused = await run('restore', file, '--replace');
  await close();
  expect(refused).toMatchObject({ code: 1, out: '' });
  expect(refused.err).toContain('A Porchlight is connected to the database (1)');
});

test('a restore that fails brings back what was there', async () => {
  const { db, close } = await place.open();
  await db.insertInto('promo_codes').values({ code: 'AFTER-THE-BACKUP' }).execute();
  await sql`create view of_the_operator as select code from promo_codes`.execute(db);
  await close();
  const failing = await program(
    'pg_restore',
    `case "$*" in *--single-transaction*) echo 'pg_restore: error: out of disk' >&2; exit 1;; esac\nexec /usr/bin/env PATH="${PROCESS_ENV.PATH}" pg_restore "$@"`,
  );
  const failed = await runCommand(failing, 'restore', file, '--replace');
  expect(failed).toMatchObject({ code: 1, out: '' });
  expect(failed.err).toBe('pg_restore failed: pg_restore: error: out of disk\n');
  expect(await codes()).toEqual(['AFTER-THE-BACKUP', 'IN-THE-BACKUP']);
  expect(await run('audit', 'verify')).toMatchObject({ code: 0 });
});

test('[R47] on a restore that was interrupted no server and no command starts; another one finishes it', async () => {
  const { db, close } = await place.open();
  await sql`create table ${sql.table(UNFINISHED_RESTORE)} (started_at timestamptz)`.execute(db);
  await close();
  for (const words of [
    ['serve', '--no-migrate'],
    ['serve'],
    ['migrate'],
    ['user', 'list'],
    ['backup', 'x'],
  ]) {
    const refused = await run(...words);
    expect([words, refused.code, refused.out]).toEqual([words, 1, '']);
    expect(refused.err).toMatch(/^A restore of this database was not finished: /);
  }
  const again = await run('restore', file);
  expect(again.err).toContain('The database is not empty');
  expect(await run('restore', file, '--replace')).toMatchObject({ code: 0 });
  expect(await codes()).toEqual(['IN-THE-BACKUP']);
  const { db: after, close: end } = await place.open();
  const { rows } =
    await sql`select 1 from pg_namespace where nspname = 'porchlight_replaced'`.execute(after);
  await end();
  expect(rows).toEqual([]);
  expect(await run('migrate')).toMatchObject({ code: 0 });
});

test('[OPS-73] an audit log that is divided by month is saved, put back and replaced', async () => {
  const script = await readFile('deploy/postgres/partition-audit-events.sql', 'utf8');
  const { db, close } = await place.open();
  // After the rows of the other tests, in any order of tests.
  const dated = script
    .replaceAll('2026-12-01', '2100-01-01')
    .replaceAll('2027-01-01', '2100-02-01');
  await sql.raw(dated).execute(db);
  await close();
  const divided = join(folder, 'divided.backup');
  expect(await run('backup', divided)).toMatchObject({ code: 0 });
  for (const from of [divided, file, divided]) {
    expect(await run('restore', from, '--replace')).toMatchObject({ code: 0 });
    expect(await run('audit', 'verify')).toMatchObject({ code: 0 });
  }
});

test('tables of somebody else are not in question', async () => {
  const { db, close } = await place.open();
  await sql`create schema accounting`.execute(db);
  await sql`create table accounting.bills (id int)`.execute(db);
  await close();
  const refused = await run('restore', file, '--replace');
  expect(refused).toMatchObject({ code: 1, out: '' });
  expect(refused.err).toContain('has tables of others (schema accounting)');
});
