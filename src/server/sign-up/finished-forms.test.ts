/** [R52] [SEC-08] A sign-up that is over keeps no password. */

import { readFileSync } from 'node:fs';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { DEMO_PASSWORD, demoEmail } from '../demo/seed.ts';
import { createTestApp, PASSWORD, type TestApp } from '../testing/test-app.ts';

let testApp: TestApp;
beforeAll(async () => {
  testApp = await createTestApp({ limitFactor: 50 });
});
afterAll(() => testApp.close());

const forms = (email: string) =>
  testApp.db
    .selectFrom('registrations')
    .select(['mode', 'completed_at', 'password_hash'])
    .where('email', '=', email)
    .execute();

test('with the right code it goes to the account, from every form of the address', async () => {
  const emailAddress = 'finished@example.test';
  await testApp.visitor().signUp({ emailAddress, password: 'Evening-Light-8' });
  expect((await forms(emailAddress))[0]?.password_hash).toMatch(/^\$argon2id\$/);
  await testApp.visitor().register({ emailAddress });
  const over = { mode: 'VERIFY_OTP', completed_at: expect.any(Date), password_hash: null };
  expect(await forms(emailAddress)).toEqual([over, over]);
  expect((await testApp.visitor().authenticate(emailAddress, PASSWORD)).status).toBe(200);
});

test('a form that added a role has none, also in strict mode', { tags: 'long' }, async () => {
  const strict = await createTestApp({ enumerationProtection: 'strict' });
  try {
    for (const at of [testApp, strict]) {
      const visitor = at.visitor();
      const input = { emailAddress: demoEmail('member'), subtenantId: 3, password: DEMO_PASSWORD };
      expect((await visitor.signUp(input)).data?.userActivationMode).toBe('ROLE_MAPPED');
      const hashes = at.db.selectFrom('registrations').select('password_hash');
      const mapped = hashes.where('mode', '=', 'ROLE_MAPPED');
      expect(await mapped.execute()).toEqual([{ password_hash: null }]);
    }
  } finally {
    await strict.close();
  }
});

test('forms that were over before this release lose theirs with the migration', async () => {
  const emailAddress = 'old-release@example.test';
  await testApp.visitor().register({ emailAddress });
  const waiting = 'waiting@example.test';
  await testApp.visitor().signUp({ emailAddress: waiting });
  const of = testApp.db.updateTable('registrations').set({ password_hash: 'kept by the old one' });
  await of.where('email', '=', emailAddress).execute();
  const file = new URL('../db/migrations/0013_hygiene.sql', import.meta.url);
  const statement = /^update registrations[^;]*/m.exec(readFileSync(file, 'utf8'))?.[0] ?? '';
  await sql.raw(statement).execute(testApp.db);
  expect((await forms(emailAddress))[0]?.password_hash).toBeNull();
  expect((await forms(waiting))[0]?.password_hash).not.toBeNull();
});
