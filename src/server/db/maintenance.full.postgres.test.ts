import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { openTestDatabase } from '../testing/test-database.ts';
import { isDatabaseAway } from './availability.ts';
import { openDatabase } from './database.ts';

test('[R34] [R46] a statement of a request is cut off after its time, one of maintenance is not', async () => {
  const copy = await openTestDatabase();
  const database = await openDatabase({ url: copy.url ?? '' });
  const slow = sql`select pg_sleep(3)`;
  await expect(slow.execute(database.db)).rejects.toSatisfy(isDatabaseAway);
  await expect(database.maintenance((db) => slow.execute(db))).resolves.toBeDefined();
  await database.close();
  await copy.close();
});
