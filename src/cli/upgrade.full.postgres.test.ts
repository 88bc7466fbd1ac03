import { sql } from 'kysely';
import { afterAll, expect, test } from 'vitest';
import { insertAccounts } from '#server/accounts/account-store.ts';
import { migrate } from '#server/db/migrate.ts';
import { runCommand } from '#server/testing/command.ts';
import { closeAtEnd } from '#server/testing/close-at-end.ts';
import { makeNextRelease, NEXT } from '#server/testing/next-release.ts';
import { openTestDatabase } from '#server/testing/test-database.ts';

const database = closeAtEnd(await openTestDatabase('empty'));
const next = makeNextRelease(`
create index if not exists audit_events_of_outcome on audit_events (outcome, at);
create index if not exists audit_events_of_reason on audit_events (reason, at);
update users set trial_told = null;`);
afterAll(() => next.remove());

const run = (more: Record<string, string>, ...words: string[]) =>
  runCommand({ DATABASE_URL: database.url ?? '', ...more }, ...words, next);
const check = async (more: Record<string, string> = {}) => {
  const { code, out, err } = await run(more, 'upgrade', 'check');
  const linesOf = (state: string) => out.split('\n').filter((line) => line.startsWith(state));
  return { code, err, out, faults: linesOf('FAULT'), warnings: linesOf('Warning') };
};
const setRows = (table: string, rows: number) =>
  sql`update pg_class set reltuples = ${rows} where relname = ${table}`.execute(database.db);

test('[OPS-105] an empty database is no fault, and one that is away is', async () => {
  const empty = await check();
  expect(empty).toMatchObject({ code: 0, faults: [] });
  expect(empty.out).toContain('The database is empty');
  const away = await check({ DATABASE_URL: 'postgres://127.0.0.1:9/none' });
  expect(away).toMatchObject({ code: 1, out: '' });
  expect(away.err).toContain('The database none at 127.0.0.1:9 cannot be reached');
});

test('[OPS-105] of an earlier schema it names the migrations, those over large tables, refused settings and doubled mailboxes', async () => {
  const { db } = database;
  await database.maintenance(migrate);
  const small = await check();
  expect(small.out).toContain(`These 1 migrations will run: ${NEXT}`);
  expect(small).toMatchObject({ code: 0, faults: [] });
  expect(small.warnings.join()).not.toContain('million');

  await setRows('audit_events', 12_000_000);
  await setRows('users', 3_000_000);
  await sql`insert into subtenants (id, name, logo_path) values (742, 'Rosewood', '/logos/x.svg')`.execute(
    db,
  );
  const rows = ['ida', 'eda'].map((name) => ({
    email: `${name}@xn--bcher-kva.test`,
    first_name: 'Ida',
    last_name: 'Berg',
    dial_code: '',
    mobile: '',
    subtenant_id: 742,
    status: 'active' as const,
    created_at: new Date(),
  }));
  const [, second] = await insertAccounts(db, rows);
  await sql`update users set email_canonical = 'ida@bücher.test' where id = ${second?.id}`.execute(
    db,
  );
  const large = await check();
  expect(large.code).toBe(0);
  expect(large.warnings.filter((line) => line.includes('million'))).toEqual([
    expect.stringContaining(`${NEXT} reads or writes all 12.0 million rows of audit_events`),
    expect.stringContaining(`${NEXT} reads or writes all 3.0 million rows of users`),
  ]);
  expect(large.warnings.join('\n')).toContain('ida@xn--bcher-kva.test');

  await sql`create index audit_events_of_outcome on audit_events (outcome, at)`.execute(db);
  await sql`create index audit_events_of_reason on audit_events (reason, at)`.execute(db);
  await setRows('audit_events', 12_000_000);
  expect((await check()).warnings.join()).not.toContain('audit_events');

  const refused = await check({ PORT: 'eighty' });
  expect(refused.code).toBe(1);
  expect(refused.faults).toEqual([expect.stringContaining('PORT')]);
  expect((await run({}, 'migrate', '--status', '--json')).out).toContain(`"pending":["${NEXT}"]`);

  expect(await run({}, 'migrate')).toMatchObject({ code: 0, err: '' });
  const after = await check();
  expect(after).toMatchObject({ code: 0, faults: [] });
  expect(after.out).toContain('The database is up to date');
});
