import { expect, test } from 'vitest';
import { createHashing } from '../proofs/password/hashing.ts';
import { createTestContext } from '../testing/test-app.ts';
import { DEMO_ACCOUNTS, DEMO_PASSWORD, demoEmail, seedDemo } from './seed.ts';
import { demoSummary } from './summary.ts';

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

test(
  '[OPS-78] the start lists the demo accounts that are there, or says that there are none',
  { tags: 'long' },
  async () => {
    const { db, clock, database } = await createTestContext();
    const summary = () => demoSummary(db, 'http://localhost:3000');
    try {
      expect(await summary()).toContain('This database has no demo accounts');
      expect(await summary()).not.toMatch(/@demo|password/);
      await seedDemo(db, clock, async () => 'hash');
      const all = await summary();
      for (const { name } of DEMO_ACCOUNTS) expect(all).toContain(` ${demoEmail(name)} `);
      expect(all).toContain(`Demo accounts, password ${DEMO_PASSWORD}:`);
      await db
        .updateTable('users')
        .set({ email: 'staff@example.test', email_canonical: 'staff@example.test' })
        .where('email', '=', demoEmail('staff'))
        .execute();
      expect(await summary()).toContain(demoEmail('member'));
      expect(await summary()).not.toContain('staff@');
    } finally {
      await database.close();
    }
  },
);
