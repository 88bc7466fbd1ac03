import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { server as texts } from '#locales/operator/server.ts';
import { runCommand } from '../testing/command.ts';
import { makeNextRelease, NEXT } from '../testing/next-release.ts';
import { makePlace, openTestDatabase } from '../testing/test-database.ts';
import { migrate, readMigrationState } from './migrate.ts';

const applied = (name: string, year = 2027) =>
  sql`insert into kysely_migration (name, timestamp) values (${name}, ${`${year}-01-01T00:00:00.000Z`})`;

test('[R46] a release starts on the schema of the next one, and changes nothing there', async () => {
  const { db, close } = await openTestDatabase('empty');
  expect((await migrate(db)).length).toBeGreaterThan(0);
  await applied(NEXT).execute(db);
  expect(await migrate(db)).toEqual([]);
  expect((await readMigrationState(db)).pending).toEqual([]);
  await close();
});

test('[OPS-07] a database that has every migration of before the first one here is up to date', async () => {
  const { db, close } = await openTestDatabase('empty');
  await migrate(db);
  await applied('0001_portal', 2026).execute(db);
  await applied('0050_app_code_sessions', 2026).execute(db);
  expect(await migrate(db)).toEqual([]);
  expect((await readMigrationState(db)).pending).toEqual([]);
  await close();
});

test('[OPS-07] a database that lacks some of them is refused with one sentence, and stays', async () => {
  const { db, close } = await openTestDatabase('empty');
  await migrate(db);
  await sql`delete from kysely_migration`.execute(db);
  await applied('0050_app_code_sessions').execute(db);
  await expect(migrate(db)).rejects.toThrow(texts.databaseTooOld);
  await expect(readMigrationState(db)).rejects.toThrow(texts.databaseTooOld);
  await close();
});

test('a migration between our own that nobody knows is refused', async () => {
  const place = await makePlace();
  const { db, close } = await place.open();
  await migrate(db);
  await applied('9997_of_somebody_else').execute(db);
  await close();
  const next = makeNextRelease();
  const refused = await runCommand(place.env, 'migrate', next);
  expect(refused).toMatchObject({
    code: 1,
    err: expect.stringContaining('9997_of_somebody_else'),
  });
  next.remove();
  await place.remove();
});
