/** The digits of a code that a newer one has replaced: told as such, and counted as no guess. */

import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type CodeType, OTP_TRIES, OTP_TYPES, PLAIN_CODE_TYPES } from '#domain/proofs/otp.ts';
import { insertAccounts } from '../../accounts/account-store.ts';
import { insertVisit } from '../../http/visit-cookie.ts';
import { addApp } from '../../testing/app-code.ts';
import {
  createTestApp,
  createTestContext,
  PASSWORD,
  type TestApp,
} from '../../testing/test-app.ts';
import type { RightCodes } from './otp-ports.ts';
import { createOtps } from './otp.ts';
import { otpRecipientOf } from './recipients.ts';

const IP = '203.0.113.1';
const TYPES: readonly CodeType[] = [...OTP_TYPES, ...PLAIN_CODE_TYPES];

let testApp: TestApp;
const context = await createTestContext();
beforeAll(async () => {
  const subtenant = { id: 742, name: 'Rosewood', logo_path: '/logos/742.svg', accent: null };
  await context.db.insertInto('subtenants').values(subtenant).execute();
  testApp = await createTestApp({ limitFactor: 100 });
});
afterAll(async () => {
  await context.database.close();
  await testApp.close();
});

let count = 0;
/** A person who was sent codes of one purpose, the newest last. */
async function sentCodes(type: CodeType, times: number) {
  const { db, clock } = context;
  const digits: { readonly email: string; readonly phone: string }[] = [];
  const never = () => {
    throw new Error('Nothing of this may happen');
  };
  const otps = createOtps(context, {
    queueOtp: async (_db, _recipient, otp) => void digits.push(otp.digits),
    hasTexts: true,
    takeSms: async () => ({ refusal: null, counted: [] }),
    calls: null,
    isComing: async () => true,
    limitSubjectOf: async () => null,
    appCodes: { match: never, consume: never },
    rightCodes: Object.fromEntries(
      TYPES.map((each) => [each, async () => undefined]),
    ) as unknown as RightCodes,
  });
  const { visit } = await insertVisit(db, clock.now());
  const caller = { visit, ip: IP };
  count += 1;
  const [account] = await insertAccounts(db, [
    {
      email: `replaced-${count}@example.test`,
      first_name: 'Rosa',
      last_name: 'Winslow',
      dial_code: '+1',
      mobile: `55503${10_000 + count}`,
      subtenant_id: 742,
      status: 'active',
      created_at: clock.now(),
    },
  ]);
  if (!account) throw new Error('No account');
  let id = '';
  for (let n = 0; n < times; n += 1) {
    // Each answers a question of its own, as a change of contact that was asked again.
    const question = { type, subject: `${type}-${n}`, mailRule: 'asked', asksApp: false } as const;
    ({ id } = await otps.send(otpRecipientOf(account, question), 4, caller));
    context.clock.advance(121);
  }
  context.clock.advance(-121);
  const verify = (otp = '') => otps.verify({ id, userId: account.id, otp }, caller);
  return { digits, verify };
}

describe('[OTP-16] F60: a code that a newer one has replaced', () => {
  test.each(
    TYPES.flatMap((type) => (['email', 'phone'] as const).map((by) => [type, by] as const)),
  )('%s, by %s: is told as such, ends nothing, and the newest is right', async (type, by) => {
    const { digits, verify } = await sentCodes(type, 3);
    for (let n = 0; n <= OTP_TRIES; n += 1) {
      await expect(verify(digits[n % 2]?.[by])).rejects.toThrow('OTP_REPLACED');
    }
    await expect(verify('x')).rejects.toThrow('INVALID_OTP');
    expect(await verify(digits[2]?.[by])).toMatchObject({ proven: by });
  });

  test('by HTTP: the same sign-in in two browsers', async () => {
    const emailAddress = 'replaced@example.test';
    const { userId } = await testApp.visitor().register({ emailAddress });
    const browsers = [testApp.visitor(), testApp.visitor()] as const;
    const codes: string[] = [];
    const sent: string[] = [];
    for (const browser of browsers) {
      await browser.givePassword(emailAddress, PASSWORD);
      sent.push((await browser.sendCode(userId, 'TWOFACTORAUTHENTICATION')).data?.id ?? '');
      codes.push(await testApp.codeFor(emailAddress));
    }
    const [first, second] = codes;
    const late = await browsers[1].verify(sent[1] ?? '', userId, first ?? '');
    expect(late).toMatchObject({ succeeded: false, errorFlag: 'OTP_REPLACED' });
    expect(late.messages[0]).toContain('an earlier message');
    expect((await browsers[1].verify(sent[1] ?? '', userId, second ?? '')).data).toBe(true);
  });
});

describe('[APP-14] F84: a code of an app', () => {
  /** A person with an app, whose password was right: the first code of the app was used at its set-up. */
  async function asked(emailAddress: string, since = 300) {
    const { userId } = await testApp.visitor().register({ emailAddress });
    const app = await addApp(testApp, userId);
    testApp.clock.advance(since);
    const visitor = testApp.visitor();
    await visitor.givePassword(emailAddress, PASSWORD);
    const { data: sent } = await visitor.sendCode(userId, 'TWOFACTORAUTHENTICATION');
    return { app, visitor, userId, otpId: sent?.id ?? '' };
  }

  test.each([
    [-150, 'INVALID_OTP'],
    [-90, 'OTP_OTHER_MINUTE'],
    [-60, 'OTP_OTHER_MINUTE'],
    [60, 'OTP_OTHER_MINUTE'],
    [120, 'OTP_OTHER_MINUTE'],
    [180, 'INVALID_OTP'],
  ])('of a phone that is %i seconds off is told', async (seconds, flag) => {
    const { app, visitor, userId, otpId } = await asked(`clock${seconds}@example.test`);
    const typed = app.code(seconds * 1000);
    const answer = await visitor.verify(otpId, userId, typed);
    expect(answer.errorFlag).toBe(flag);
    if (flag !== 'OTP_OTHER_MINUTE' || seconds < 0) return;
    // Else the answer would tell a guesser what will be right.
    testApp.clock.advance(seconds);
    const later = await visitor.verify(otpId, userId, typed);
    expect(later.errorFlag).toBe('OTP_OTHER_MINUTE');
  });

  test('that was used before is told', async () => {
    const { app, visitor, userId, otpId } = await asked('used@example.test', 0);
    const answer = await visitor.verify(otpId, userId, app.code());
    expect(answer).toMatchObject({ errorFlag: 'OTP_OTHER_MINUTE' });
    expect(answer.messages[0]).toContain('Wait for the next code');
  });
});
