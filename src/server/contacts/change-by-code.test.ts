import { afterAll, expect, test } from 'vitest';
import type { Otp } from '../proofs/otp/otp-store.ts';
import { createTestContext } from '../testing/test-app.ts';
import { changesByCode } from './change-by-code.ts';

const context = await createTestContext();
afterAll(() => context.database.close());

test.each(['NEW_CONTACT', 'RECOVERY', 'STAFF_CHANGE'] as const)(
  '[PRF-24] %s: a right code whose subject is over meanwhile is over, too',
  async (type) => {
    const acts = changesByCode(context);
    const otp = { user_id: 1, sign_in_id: 'ended', subject: 'stopped' } as Otp;
    await expect(acts[type](context.db, otp)).rejects.toMatchObject({ code: 'OTP_EXPIRED' });
  },
);
