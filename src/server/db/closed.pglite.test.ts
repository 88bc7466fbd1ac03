import { expect, test } from 'vitest';
import { sql } from 'kysely';
import { openTestDatabase } from '../testing/test-database.ts';

test('[R37] work that begins after the database was closed is told so, in a transaction or not', async () => {
  const { db, close } = await openTestDatabase();
  await sql`select 1`.execute(db);
  await close();
  await expect(sql`select 1`.execute(db)).rejects.toThrow('closed');
  await expect(db.transaction().execute(async () => undefined)).rejects.toThrow('closed');
});
