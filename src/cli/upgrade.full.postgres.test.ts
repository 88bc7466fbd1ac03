import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { insertAccounts } from '#server/accounts/account-store.ts';
import { migrate, migrateRestored, readMigrationState } from '#server/db/migrate.ts';
import { runCommand } from '#server/testing/command.ts';
import { openTestDatabase, type TestDatabase } from '#server/testing/test-database.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await openTestDatabase('empty');
});
afterAll(() => database.close());

const check = async (more: Record<string, string> = {}) => {
  const env = { DATABASE_URL: database.url ?? '', ...more };
  const { code, out, err } = await runCommand(env, 'upgrade', 'check');
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
  await database.maintenance((own) => migrateRestored(own, '0042_page_codes'));
  const { pending } = await readMigrationState(db);
  const small = await check();
  expect(small.out).toContain(`These ${pending.length} migrations will run: ${pending.join(', ')}`);
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
    expect.stringContaining(
      '0044_figures_and_audit reads or writes all 12.0 million rows of audit_events',
    ),
    expect.stringContaining('0048_name_keys reads or writes all 3.0 million rows of users'),
  ]);
  expect(large.warnings.join('\n')).toContain('ida@xn--bcher-kva.test');

  await sql`create index audit_events_of_kind on audit_events (kind, at)`.execute(db);
  await sql`create index audit_events_of_actor on audit_events (actor, at)`.execute(db);
  await setRows('audit_events', 12_000_000);
  expect((await check()).warnings.join()).not.toContain('audit_events');

  const refused = await check({ PORT: 'eighty' });
  expect(refused.code).toBe(1);
  expect(refused.faults).toEqual([expect.stringContaining('PORT')]);
  expect((await readMigrationState(db)).pending).toEqual(pending);

  await database.maintenance(migrate);
  const after = await check();
  expect(after).toMatchObject({ code: 0, faults: [] });
  expect(after.out).toContain('The database is up to date');
});
