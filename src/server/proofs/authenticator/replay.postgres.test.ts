import { expect, test } from 'vitest';
import { addApp } from '../../testing/app-code.ts';
import { whileLocked } from '../../testing/row-lock.ts';
import { createTestApp, PASSWORD, type Visitor } from '../../testing/test-app.ts';
import { closeAtEnd } from '../../testing/close-at-end.ts';

const testApp = closeAtEnd(await createTestApp({ limitFactor: 100 }));

let count = 0;
/** An account with an app, and so many browsers that wait for its code. */
async function waiting(browsers: number) {
  const email = `replay-${(count += 1)}@account.test`;
  const { userId } = await testApp.visitor().register({ emailAddress: email });
  const app = await addApp(testApp, userId);
  testApp.clock.advance(30);
  const visitors: { readonly visitor: Visitor; readonly otpId: string }[] = [];
  for (let nth = 0; nth < browsers; nth += 1) {
    const visitor = testApp.visitor();
    const { otpId } = await visitor.reachCode(email, PASSWORD);
    // A later sign-in closes the code of an earlier one: here each keeps its own.
    await testApp.db
      .updateTable('otp_codes')
      .set({ closed_at: null })
      .where('user_id', '=', userId)
      .where('verified_at', 'is', null)
      .where('type', '=', 'TWOFACTORAUTHENTICATION')
      .execute();
    visitors.push({ visitor, otpId });
  }
  const { id } = await testApp.db
    .selectFrom('app_codes')
    .select('id')
    .where('user_id', '=', userId)
    .executeTakeFirstOrThrow();
  const enter = (code: string) =>
    Promise.all(visitors.map(({ visitor, otpId }) => visitor.verify(otpId, userId, code)));
  return { app, id, enter };
}

test.each(['app', 'recovery'] as const)(
  '[APP-03] of four browsers that enter the same code at once one gets in: %s',
  async (kind) => {
    const { app, id, enter } = await waiting(4);
    const code = kind === 'app' ? app.code() : (app.recovery[0] ?? '');
    const table = kind === 'app' ? 'app_codes' : 'recovery_codes';
    const lock = { table, id, waiting: 4, column: kind === 'app' ? 'id' : 'app_code_id' } as const;
    const answers = await whileLocked(testApp.db, lock, () => enter(code));
    const flags = answers.map(({ data, errorFlag }) => (data === true ? 'right' : errorFlag));
    expect(flags.filter((flag) => flag === 'right')).toHaveLength(1);
    expect(
      flags.filter((flag) => flag === (kind === 'app' ? 'OTP_OTHER_MINUTE' : 'INVALID_OTP')),
    ).toHaveLength(3);
  },
);
