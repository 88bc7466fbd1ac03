import { afterAll, beforeAll, expect, test } from 'vitest';
import { OTP_TYPES, PLAIN_CODE_TYPES } from '#domain/proofs/otp.ts';
import { insertAccounts } from '../../accounts/account-store.ts';
import { later } from '../../core/clock.ts';
import { insertVisit } from '../../http/visit-cookie.ts';
import { createTestContext } from '../../testing/test-app.ts';
import type { RightCodes } from './otp-ports.ts';
import { createOtps } from './otp.ts';
import { insertOtp } from './otp-store.ts';

const IP = '203.0.113.1';

const context = await createTestContext();
beforeAll(async () => {
  const subtenant = { id: 742, name: 'Rosewood', logo_path: '/logos/742.svg', accent: null };
  await context.db.insertInto('subtenants').values(subtenant).execute();
});
afterAll(() => context.database.close());

/** One-time codes whose comparisons are counted. */
function counted() {
  let comparisons = 0;
  const { secretBox } = context;
  const counting: typeof secretBox = {
    ...secretBox,
    verifyHmac(...compared) {
      comparisons += 1;
      return secretBox.verifyHmac(...compared);
    },
  };
  const never = () => {
    throw new Error('Nothing of this may happen');
  };
  const otps = createOtps(
    { ...context, secretBox: counting },
    {
      queueOtp: never,
      hasTexts: true,
      takeSms: never,
      calls: null,
      isComing: never,
      limitSubjectOf: async () => null,
      appCodes: { match: never, consume: never },
      rightCodes: Object.fromEntries(
        [...OTP_TYPES, ...PLAIN_CODE_TYPES].map((type) => [type, never]),
      ) as unknown as RightCodes,
    },
  );
  return { otps, comparisons: () => comparisons };
}

test.each([
  ['mail', 3],
  ['text', 1],
] as const)(
  '[SEC-19] a wrong code of nobody is compared as often as one of a %s that was sent',
  async (channel, medium) => {
    const { db, clock, secretBox } = context;
    const now = clock.now();
    const { visit } = await insertVisit(db, now);
    const [account] = await insertAccounts(db, [
      {
        email: `${channel}@example.test`,
        first_name: 'Rosa',
        last_name: 'Winslow',
        dial_code: '+1',
        mobile: '5550142290',
        subtenant_id: 742,
        status: 'active',
        created_at: now,
      },
    ]);
    const userId = account?.id ?? 0;
    const mac = secretBox.hmac('otp', 'any:123456');
    const id = await insertOtp(db, {
      visit_id: visit.id,
      user_id: userId,
      registration_id: null,
      sign_in_id: null,
      type: 'VERIFY_CONTACT',
      subject: visit.id,
      medium,
      code_hmac: channel === 'mail' ? mac : '',
      phone_code_hmac: channel === 'text' ? mac : '',
      sent_at: now,
      expires_at: later(now, 60_000),
    });

    const known = counted();
    const claim = { id, userId, otp: '000000' };
    await expect(known.otps.verify(claim, { visit, ip: IP })).rejects.toThrow('INVALID_OTP');
    const nobody = counted();
    await nobody.otps.dummyVerify(['nobody', channel], { code: '000000', tries: 1 }, IP);
    expect(known.comparisons()).toBeGreaterThan(0);
    expect(nobody.comparisons()).toBe(known.comparisons());
  },
);
