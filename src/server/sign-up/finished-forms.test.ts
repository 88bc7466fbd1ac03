/** [R52] [SEC-08] A sign-up that is over keeps no password. */

import { expect, test } from 'vitest';
import { DEMO_PASSWORD, demoEmail } from '../demo/seed.ts';
import { createTestApp, PASSWORD } from '../testing/test-app.ts';
import { closeAtEnd } from '../testing/close-at-end.ts';

const testApp = closeAtEnd(await createTestApp({ limitFactor: 50 }));

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
