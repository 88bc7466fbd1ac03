import { describe, expect, test } from 'vitest';
import { demoEmail } from '../demo/seed.ts';
import { createTestApp } from '../testing/test-app.ts';
import { completeAttempt } from './move-attempts.ts';
import { closeAtEnd } from '../testing/close-at-end.ts';

const testApp = closeAtEnd(await createTestApp());

const SUSPENDED = demoEmail('suspended');

describe('[V9] [PRF-09] a suspended account', () => {
  test('is told so after the right password and the right code, and gets in nowhere', async () => {
    const visitor = testApp.visitor();
    const { userId, otpId } = await visitor.reachCode(SUSPENDED);
    const otp = await testApp.codeFor(SUSPENDED);
    const answer = await visitor.verify(otpId, userId, otp);
    expect(answer).toMatchObject({
      status: 200,
      succeeded: false,
      data: null,
      errorFlag: 'ACCOUNT_SUSPENDED',
      messages: ['Your account is switched off.'],
    });
    expect(visitor.cookies.has('idp_session')).toBe(false);
    const silent = await visitor.authorize((await visitor.begin(false)).authorizeUrl);
    expect(silent).toMatchObject({ code: '', error: 'login_required' });
    expect(await visitor.ok('getVisit', {})).toMatchObject({ login: null, code: null });
    // The same code once more is worth nothing either.
    expect((await visitor.verify(otpId, userId, otp)).succeeded).toBe(false);
  });

  test('a wrong code tells nothing of it', async () => {
    const visitor = testApp.visitor();
    const { userId, otpId } = await visitor.reachCode(SUSPENDED);
    const right = await testApp.codeFor(SUSPENDED);
    const wrong = String((Number(right) + 1) % 1_000_000).padStart(6, '0');
    expect((await visitor.verify(otpId, userId, wrong)).errorFlag).toBe('INVALID_OTP');
  });

  test('a wrong password is answered as anybody else’s', async () => {
    const [theirs, other] = [testApp.visitor(), testApp.visitor()];
    expect(await theirs.authenticate(SUSPENDED, 'Wrong-Pass-1')).toMatchObject({ status: 403 });
    expect(await other.authenticate(demoEmail('member'), 'Wrong-Pass-1')).toMatchObject({
      status: 403,
    });
  });

  test('the address alone tells no more than an active one does', async () => {
    for (const email of [SUSPENDED, demoEmail('member')]) {
      const visitor = testApp.visitor();
      expect(await visitor.ok('checkUser', { params: { email } })).toBe(true);
      const body = { userName: email, emailID: email };
      expect(await visitor.ok('forgotPassword', { body })).toBe(true);
    }
  });
});

test('[DEM-02] [PWD-04] the account that was never verified is offered a way to finish', async () => {
  const visitor = testApp.visitor();
  const email = demoEmail('inactive');
  const answer = await visitor.call('forgotPassword', {
    body: { userName: email, emailID: email },
  });
  expect(answer.messages[0]).toBe('USER_NOT_ACTIVE');
  const user = await visitor.ok('getLoginUser', { query: { emailId: email } });
  const link = await visitor.ok('createActivationLink', {
    body: { userRegstrtnId: user?.id ?? null },
  });
  expect(link?.activationURL).toContain('/account/Activation?UID=');
});

test.each([
  ['first', 'verified'],
  ['again', 'complete'],
] as const)(
  'suspended a moment before it is completed (%s): the sign-in stays as it was',
  async (_name, stage) => {
    const { db, clock } = testApp;
    await testApp.visitor().reachCode(demoEmail('top'));
    const of = db.selectFrom('users').select('id').where('email', '=', demoEmail('top'));
    const { id } = await db
      .updateTable('sign_ins')
      .set({ stage })
      .where('user_id', '=', of)
      .returning('id')
      .executeTakeFirstOrThrow();
    const setStatus = (status: 'active' | 'inactive') =>
      db.updateTable('users').set({ status }).where('email', '=', demoEmail('top')).execute();
    await setStatus('inactive');
    expect(await completeAttempt(stage, db, id, clock.now())).toBe(false);
    await setStatus('active');
    expect(await completeAttempt(stage, db, id, clock.now())).toBe(true);
  },
);
