import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { openTestDatabase } from '../testing/test-database.ts';
import { migrate, readMigrationState } from './migrate.ts';

const applied = (name: string) =>
  sql`insert into kysely_migration (name, timestamp) values (${name}, '2027-01-01T00:00:00.000Z')`;

test('[R46] a release starts on the schema of the next one, and changes nothing there', async () => {
  const { db, close } = await openTestDatabase('empty');
  expect((await migrate(db)).length).toBeGreaterThan(10);
  await applied('9999_of_the_next_release').execute(db);
  expect(await migrate(db)).toEqual([]);
  expect((await readMigrationState(db)).pending).toEqual([]);
  await close();
});

test('a migration between our own that nobody knows is refused', async () => {
  const { db, close } = await openTestDatabase('empty');
  await migrate(db);
  await applied('0004_of_somebody_else').execute(db);
  await expect(migrate(db)).rejects.toThrow('0004_of_somebody_else');
  await close();
});
