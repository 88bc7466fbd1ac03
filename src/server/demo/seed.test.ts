import { expect, test } from 'vitest';
import { createHashing } from '../password/hashing.ts';
import { createTestContext } from '../testing/test-app.ts';
import { DEMO_ACCOUNTS, DEMO_PASSWORD, seedDemo } from './seed.ts';

test('one hash serves all demo accounts, and a second start changes nothing', async () => {
  const { db, clock, database } = await createTestContext();
  const hashing = createHashing(1);
  let hashed = 0;
  const hash = (password: string) => {
    hashed += 1;
    return hashing.hash(password);
  };
  try {
    await seedDemo(db, clock, hash);
    const users = await db.selectFrom('users').selectAll().orderBy('id').execute();
    expect(users).toHaveLength(DEMO_ACCOUNTS.length);
    await db
      .updateTable('users')
      .set({ first_name: 'Renamed' })
      .where('email', 'like', 'member@%')
      .execute();
    await seedDemo(db, clock, hash);
    const again = await db.selectFrom('users').select('first_name').orderBy('id').execute();
    expect(again[0]?.first_name).toBe('Renamed');
    expect(hashed).toBe(1);
    expect(await hashing.verify(users[5]?.password_hash ?? null, DEMO_PASSWORD)).toBe(true);
  } finally {
    await database.close();
  }
});
