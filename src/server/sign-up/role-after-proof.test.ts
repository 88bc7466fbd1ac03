import { describe, expect, test } from 'vitest';
import { openSurveyText } from '../accounts/survey-text.ts';
import { createSecretBox } from '../crypto/secret-box.ts';
import { DEMO_PASSWORD, demoEmail } from '../demo/seed.ts';
import {
  activation,
  createTestApp,
  PASSWORD,
  SECRET,
  signUpBody,
  type Visitor,
} from '../testing/test-app.ts';
import { closeAtEnd } from '../testing/close-at-end.ts';

const testApp = closeAtEnd(await createTestApp({ limitFactor: 50 }));

const accountOf = (email: string) =>
  testApp.db
    .selectFrom('users')
    .selectAll()
    .where('email_canonical', '=', email)
    .executeTakeFirstOrThrow();
const rolesOf = async (email: string) => {
  const { id } = await accountOf(email);
  const rows = await testApp.db
    .selectFrom('user_roles')
    .select('role_id')
    .where('user_id', '=', id)
    .orderBy('role_id')
    .execute();
  return rows.map((row) => row.role_id);
};
const leadsOf = async (email: string) =>
  (await testApp.leads()).filter((lead) => lead.email === email);
const ACADEMY = { subtenantId: 3, firstName: 'Mallory', mobileNumber: '5550199999' };

/** The academy's form with an address that has an account; the typed password is another one. */
async function ask(name: string, visitor: Visitor = testApp.visitor()) {
  const emailAddress = demoEmail(name);
  const created = (await visitor.signUp({ ...ACADEMY, emailAddress })).data;
  const userId = created?.userId ?? 0;
  return { visitor, emailAddress, created, userId, id: created?.id ?? '' };
}

describe('[PRF-03] before a proof', () => {
  test('two anonymous requests change, read and send nothing of the account', async () => {
    const email = demoEmail('agent');
    const before = await accountOf(email);
    const academy = await ask('agent');
    const member = await testApp.visitor().signUp({ emailAddress: email });
    expect(academy.created?.userActivationMode).toBe('VERIFY_OTP');
    expect(member.data?.userActivationMode).toBe('VERIFY_OTP');
    expect(academy.userId).not.toBe(before.id);
    expect(await rolesOf(email)).toEqual([5]);
    expect(await accountOf(email)).toEqual(before);
    expect([await testApp.inbox(email), await leadsOf(email)]).toEqual([[], []]);
  });

  test(
    'the code goes by mail to the account’s own address, not to the typed phone',
    { tags: 'long' },
    async () => {
      const { visitor, emailAddress, userId } = await ask('agent');
      const sent = (await visitor.sendCode(userId, 'USER_ACTIVATION')).data;
      expect(sent).toMatchObject({
        otpSendMedium: 3,
        sentTo: { email: 'a•••@demo.porchlight.test', phone: null },
      });
      const [mail, ...more] = await testApp.inbox(emailAddress);
      expect(more).toEqual([]);
      // In the owner's name, and nothing in it does anything by itself.
      expect(mail).toMatchObject({ link: null, code: expect.stringMatching(/^\d{6}$/) });
      expect(mail?.text).toContain('Hello Grace,');
      expect(mail?.text).toContain('You have an account already.');
      expect(await testApp.inbox(ACADEMY.mobileNumber)).toEqual([]);
    },
  );

  test(
    'without a right code nothing activates, and a wrong one keeps nobody out of the account',
    { tags: 'long' },
    async () => {
      const { visitor, userId, id } = await ask('partner');
      const otpId = (await visitor.sendCode(userId, 'USER_ACTIVATION')).data?.id ?? '';
      for (let n = 0; n < 5; n += 1) await visitor.verify(otpId, userId, '-');
      const claim = { body: activation({ userId, id }, otpId) };
      expect((await visitor.call('activateUser', claim)).status).toBe(403);
      expect(await rolesOf(demoEmail('partner'))).toEqual([17]);
      expect((await testApp.visitor().signIn('partner')).userRoles).toHaveLength(1);
    },
  );
});

describe('[PRF-03] with a proof', () => {
  test('[API-03] [OTP-09] the mailed code adds the role once, with the lead, and ends on the old password', async () => {
    const before = await accountOf(demoEmail('top'));
    const { visitor, emailAddress, userId, id } = await ask('top');
    const otpId = (await visitor.sendCode(userId, 'USER_ACTIVATION')).data?.id ?? '';
    const otp = await testApp.codeFor(emailAddress);
    await visitor.ok('verifyOtp', { body: { id: otpId, createdBy: userId, otp } });
    expect(await visitor.ok('isAuthUser', { params: { email: emailAddress } })).toBe(true);
    const claim = { body: activation({ userId, id }, otpId) };
    for (let n = 0; n < 3; n += 1) await visitor.ok('activateUser', claim);
    expect(await rolesOf(emailAddress)).toEqual([9, 18]);
    const contact = { email: emailAddress, phone: '+15550100101', name: 'Walter Brandt' };
    expect(await leadsOf(emailAddress)).toEqual([expect.objectContaining(contact)]);
    const after = await accountOf(emailAddress);
    expect(after).toEqual({ ...before, trial_ends_at: expect.any(Date) });
    const subjects = (await testApp.inbox(emailAddress)).map(({ subject }) => subject);
    expect(subjects).toEqual([
      'Your account now works at Porchlight Academy',
      expect.stringMatching(/^\d{6} is your Porchlight Academy code$/),
    ]);
    expect((await visitor.authenticate(emailAddress, 'Sunny-Porch-7')).status).toBe(403);
    expect((await visitor.signIn('top')).userRoles.map((role) => role.roleId)).toEqual([9, 18]);
  });

  test('[SUP-18] the right password: ROLE_MAPPED at once; a wrong one counts as a try to sign in', async () => {
    const emailAddress = demoEmail('counter');
    const visitor = testApp.visitor();
    const wrong = await visitor.signUp({ ...ACADEMY, emailAddress });
    expect(wrong.data?.userActivationMode).toBe('VERIFY_OTP');
    const { id } = await accountOf(emailAddress);
    const tries = await testApp.db
      .selectFrom('audit_events')
      .orderBy('id')
      .select('id')
      .where('kind', '=', 'signIn.wrongPassword')
      .where('user_id', '=', id)
      .execute();
    expect(tries).toHaveLength(1);
    const input = { ...ACADEMY, emailAddress, password: DEMO_PASSWORD };
    const answers = [await visitor.signUp(input), await visitor.signUp(input)];
    expect(answers[0]?.data).toMatchObject({ userId: id, userActivationMode: 'ROLE_MAPPED' });
    expect(answers[1]?.data).toEqual(answers[0]?.data);
    expect(await rolesOf(emailAddress)).toEqual([6, 18]);
    expect(await leadsOf(emailAddress)).toHaveLength(1);
  });

  test(
    'the tries are those of the sign-in: after five from one network not even the right password is looked at',
    { tags: 'long' },
    async () => {
      const real = await createTestApp();
      try {
        const emailAddress = 'tried@example.test';
        await real.visitor().register({ emailAddress });
        const visitor = real.visitor();
        for (let n = 0; n < 5; n += 1) {
          const { status } = await visitor.authenticate(emailAddress, `Wrong-Pass-${n}`);
          expect(status).toBe(403);
        }
        const input = { ...ACADEMY, emailAddress, password: PASSWORD };
        expect((await visitor.signUp(input)).data?.userActivationMode).toBe('VERIFY_OTP');
        const elsewhere = await real.visitor().signUp(input);
        expect(elsewhere.data?.userActivationMode).toBe('ROLE_MAPPED');
      } finally {
        await real.close();
      }
    },
  );

  test(
    'a complete sign-in of that account in this visit, whatever password is typed',
    { tags: 'long' },
    async () => {
      const visitor = testApp.visitor();
      await visitor.signIn('mobile-counter');
      const own = await ask('mobile-counter', visitor);
      expect(own.created?.userActivationMode).toBe('ROLE_MAPPED');
      expect(await rolesOf(own.emailAddress)).toEqual([16, 18]);
      // It proves nothing about another account.
      expect((await ask('special', visitor)).created?.userActivationMode).toBe('VERIFY_OTP');
      // A right password alone is no complete sign-in.
      const halfway = testApp.visitor();
      await halfway.givePassword(demoEmail('special'));
      expect((await ask('special', halfway)).created?.userActivationMode).toBe('VERIFY_OTP');
      expect(await rolesOf(demoEmail('special'))).toEqual([20]);
    },
  );

  test('a role mapped outside the academy makes no lead', async () => {
    const emailAddress = demoEmail('admin');
    const answer = await testApp.visitor().signUp({ emailAddress, password: DEMO_PASSWORD });
    expect(answer.data?.userActivationMode).toBe('ROLE_MAPPED');
    expect(await testApp.inbox(emailAddress)).toHaveLength(1);
    expect(await leadsOf(emailAddress)).toEqual([]);
  });

  test('an account that was closed meanwhile gets nothing', async () => {
    const { visitor, emailAddress, userId, id } = await ask('legal');
    const otpId = (await visitor.sendCode(userId, 'USER_ACTIVATION')).data?.id ?? '';
    await visitor.verify(otpId, userId, await testApp.codeFor(emailAddress));
    await testApp.db
      .updateTable('users')
      .set({ status: 'inactive' })
      .where('email_canonical', '=', emailAddress)
      .execute();
    const claim = { body: activation({ userId, id }, otpId) };
    expect((await visitor.call('activateUser', claim)).status).toBe(403);
    expect(await rolesOf(emailAddress)).toEqual([13]);
  });
});

describe('[D13] survey answers are the form’s own until its proof', () => {
  const answer = (userId: number, responseId: string, subResponseData = '') => ({
    userId: String(userId),
    responseId,
    subjectId: responseId === '419' ? '217' : '213',
    userSubjectDataId: '',
    subResponseData,
  });
  const ownOf = async (visitor: Visitor, userId: number) => {
    const rows = await visitor.ok('getOwnSurvey', { params: { userId: String(userId) } });
    return rows.map((row) => [row.responseId, row.subResponseData]);
  };
  const kept = async (email: string) => {
    const rows = await testApp.db
      .selectFrom('survey_answers')
      .innerJoin('users', 'users.id', 'survey_answers.user_id')
      .select(['response_id', 'sub_response', 'sealed_text'])
      .where('users.email_canonical', '=', email)
      .orderBy('response_id')
      .execute();
    return rows.map((row) => [row.response_id, openSurveyText(createSecretBox(SECRET), row)]);
  };

  test('two visits with one pending address neither see nor change each other’s, and the proven one counts', async () => {
    const emailAddress = 'ann@example.test';
    const [stranger, owner] = [testApp.visitor(), testApp.visitor()];
    const planted = await stranger.ok('createUser', { body: signUpBody({ emailAddress }) });
    await stranger.ok('saveSurvey', {
      body: [answer(planted.userId, '418'), answer(planted.userId, '419', 'My daughter Ann')],
    });
    const created = (await owner.signUp({ emailAddress })).data;
    const userId = created?.userId ?? 0;
    expect(userId).toBe(planted.userId);
    expect(await ownOf(owner, userId)).toEqual([]);
    await owner.ok('saveSurvey', {
      body: [answer(userId, '412'), answer(userId, '419', 'A friend')],
    });
    expect(await ownOf(stranger, userId)).toEqual([
      ['418', ''],
      ['419', 'My daughter Ann'],
    ]);
    // Who filled in no form at all has nothing to do here.
    const nobody = testApp.visitor();
    const asked = await nobody.call('getOwnSurvey', { params: { userId: String(userId) } });
    const wrote = await nobody.call('saveSurvey', { body: [answer(userId, '412')] });
    expect([asked.status, wrote.status]).toEqual([403, 403]);
    expect(await kept(emailAddress)).toEqual([]);
    await owner.register({ emailAddress });
    expect(await kept(emailAddress)).toEqual([
      [412, ''],
      [419, 'A friend'],
    ]);
    expect(await ownOf(owner, userId)).toEqual([
      ['412', ''],
      ['419', 'A friend'],
    ]);
  });

  test('[SUP-17] with a role they go to the account after its proof', async () => {
    const { visitor, emailAddress, userId, id } = await ask('multi');
    await visitor.ok('saveSurvey', { body: [answer(userId, '414')] });
    expect(await kept(emailAddress)).toEqual([]);
    const otpId = (await visitor.sendCode(userId, 'USER_ACTIVATION')).data?.id ?? '';
    await visitor.verify(otpId, userId, await testApp.codeFor(emailAddress));
    await visitor.ok('activateUser', { body: activation({ userId, id }, otpId) });
    expect(await kept(emailAddress)).toEqual([[414, '']]);
    const mapped = await visitor.signUp({
      emailAddress: demoEmail('everything'),
      subtenantId: 3,
      password: DEMO_PASSWORD,
    });
    const own = mapped.data?.userId ?? 0;
    await visitor.ok('saveSurvey', { body: [answer(own, '415')] });
    expect(await kept(demoEmail('everything'))).toEqual([[415, '']]);
  });
});
