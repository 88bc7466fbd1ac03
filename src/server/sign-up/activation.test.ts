import { afterAll, expect, test } from 'vitest';
import { insertVisit } from '../http/visit-cookie.ts';
import { createTestContext, PASSWORD } from '../testing/test-app.ts';
import { createActivation } from './activation.ts';

const context = await createTestContext();
afterAll(() => context.database.close());

test('[R2] whoever has proven nothing has no password hashed', async () => {
  const hashed: string[] = [];
  const never = async () => {
    throw new Error('Nothing of this may happen');
  };
  const activation = createActivation(context, {
    leads: { capture: never },
    hashing: {
      async hash(password) {
        hashed.push(password);
        return 'hash';
      },
    },
    isGuessable: never,
    providerAccounts: { hasPassword: never, activated: never },
    promoCodes: { use: never },
    addRole: never,
    endAccess: never,
    endProviderSessions: never,
    passwordCheck: { resetFailures: never },
  });
  const { visit } = await insertVisit(context.db, context.clock.now());
  const claim = { userId: 1, registrationId: 'none', otpId: 'none', password: PASSWORD };
  await expect(activation.activate(claim, visit, '203.0.113.1')).rejects.toThrow('FORBIDDEN');
  expect(hashed).toEqual([]);
});
