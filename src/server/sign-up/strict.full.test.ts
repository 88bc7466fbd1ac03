import { describe, expect, test } from 'vitest';
import { DEMO_PASSWORD, demoEmail } from '../demo/seed.ts';
import { activation, createTestApp, type Visitor } from '../testing/test-app.ts';
import { closeAtEnd } from '../testing/close-at-end.ts';

const testApp = closeAtEnd(
  await createTestApp({ enumerationProtection: 'strict', limitFactor: 50 }),
);

const DAY = 24 * 60 * 60;
let count = 0;
const newEmail = () => `strict-${(count += 1)}@example.test`;

/** An answer without what differs between any two: ids, and addresses as they were typed. */
function shapeOf(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(shapeOf);
  if (value === null || typeof value !== 'object') {
    return typeof value === 'string' && !/^[A-Z_]+$/.test(value)
      ? 'text'
      : typeof value === 'number'
        ? 'number'
        : value;
  }
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, shapeOf(inner)]));
}

const headersOf = (headers: Headers) =>
  [...headers.keys()]
    .filter((name) => !/^(?:date|content-length|set-cookie)$/.test(name))
    .toSorted();

type Answered = { readonly status: number; readonly headers: Headers };
const seen = (answer: Answered) => {
  const { headers, ...rest } = answer;
  return { ...(shapeOf(rest) as object), status: answer.status, headers: headersOf(headers) };
};

/** Everything a page can see of a sign-up, with wrong codes, a new one, and the survey. */
async function walk(visitor: Visitor, emailAddress: string, subtenantId = 742): Promise<unknown[]> {
  const steps: unknown[] = [];
  const note = <T extends Answered>(answer: T): T => {
    steps.push(seen(answer));
    return answer;
  };
  const created = note(await visitor.signUp({ emailAddress, subtenantId })).data;
  const userId = created?.userId ?? 0;
  const answers = [
    {
      userId: String(userId),
      responseId: '412',
      subjectId: '213',
      userSubjectDataId: '',
      subResponseData: '',
    },
  ];
  note(await visitor.call('saveSurvey', { body: answers }));
  const sent = note(await visitor.sendCode(userId, 'USER_ACTIVATION')).data;
  note(await visitor.call('getVisit', {}));
  note(await visitor.call('extendOtp', { body: { id: sent?.id ?? '', createdBy: userId } }));
  for (let n = 0; n < 6; n += 1) note(await visitor.verify(sent?.id ?? '', userId, '-'));
  const again = {
    id: sent?.id ?? '',
    createdBy: userId,
    otpSendMedium: 4,
    otpType: 'USER_ACTIVATION',
  } as const;
  const second = note(await visitor.call('resendOtp', { body: again })).data;
  note(await visitor.call('isAuthUser', { params: { email: emailAddress } }));
  note(await visitor.call('getLoginUser', { query: { emailId: emailAddress } }));
  const claim = activation({ userId, id: created?.id ?? '' }, second?.id ?? '');
  note(await visitor.call('activateUser', { body: claim }));
  note(await visitor.signUp({ emailAddress, subtenantId }));
  return steps;
}

const rolesOf = (email: string) =>
  testApp.db
    .selectFrom('user_roles')
    .innerJoin('users', 'users.id', 'user_roles.user_id')
    .where('users.email_canonical', '=', email)
    .orderBy('role_id')
    .select('role_id')
    .execute();
const subjectsTo = async (email: string) =>
  (await testApp.inbox(email)).map(({ channel, subject }) => [channel, subject]);

describe('[D7] sign-up', () => {
  test.each([
    ['active', demoEmail('member'), 742],
    ['suspended', demoEmail('suspended'), 742],
    ['active without the role', demoEmail('top'), 3],
  ] as const)(
    'an address that is %s answers like a new one, call by call',
    async (_, known, id) => {
      const fresh = await walk(testApp.visitor(), newEmail(), id);
      expect(await walk(testApp.visitor(), known, id)).toEqual(fresh);
      expect(fresh[0]).toMatchObject({ status: 200, data: { userActivationMode: 'VERIFY_OTP' } });
    },
  );

  test('the owner is told by mail, once a day; a phone that somebody typed is told nothing', async () => {
    const email = newEmail();
    await testApp.visitor().register({ emailAddress: email });
    await testApp.db.deleteFrom('inbox_messages').where('recipient', '=', email).execute();
    for (let n = 0; n < 3; n += 1) await walk(testApp.visitor(), email);
    const mails = await subjectsTo(email);
    expect(mails).toEqual([['email', 'You already have an account at Rosewood Senior Living']]);
    expect((await testApp.inbox(email))[0]).toMatchObject({ code: null, link: null });
    testApp.clock.advance(DAY);
    await walk(testApp.visitor(), email);
    expect(await subjectsTo(email)).toHaveLength(2);
    const all = await testApp.inbox('');
    expect(all.filter(({ channel }) => channel !== 'email')).toEqual([]);
  });

  test('nothing that anybody types is the right code, and no code at all was written', async () => {
    const visitor = testApp.visitor();
    const created = (await visitor.signUp({ emailAddress: demoEmail('member') })).data;
    const userId = created?.userId ?? 0;
    const sent = (await visitor.sendCode(userId, 'USER_ACTIVATION')).data;
    const row = await testApp.db
      .selectFrom('otp_codes')
      .select(['code_hmac', 'phone_code_hmac', 'medium'])
      .where('id', '=', sent?.id ?? '')
      .executeTakeFirstOrThrow();
    expect(row).toEqual({ code_hmac: '', phone_code_hmac: '', medium: 3 });
    // Even a proof that should not be there activates nothing.
    await testApp.db
      .updateTable('otp_codes')
      .set({ verified_at: testApp.clock.now(), proven: 'email' })
      .where('id', '=', sent?.id ?? '')
      .execute();
    const claim = activation({ userId, id: created?.id ?? '' }, sent?.id ?? '');
    expect((await visitor.call('activateUser', { body: claim })).status).toBe(403);
  });

  test('wrong codes for an address keep its owner out of nothing', async () => {
    const email = demoEmail('intake');
    for (let n = 0; n < 4; n += 1) await walk(testApp.visitor(), email);
    const signedIn = await testApp.visitor().signIn(email);
    expect(signedIn.userName).toBe(email);
  });

  test('an address gets the same made-up account each time, and nobody finds it by any address', async () => {
    const email = demoEmail('admin');
    const ids = [];
    for (let n = 0; n < 2; n += 1) {
      ids.push((await testApp.visitor().signUp({ emailAddress: email })).data?.userId);
    }
    expect(ids[0]).toBe(ids[1]);
    const own = await testApp.db
      .selectFrom('users')
      .select('id')
      .where('email_canonical', '=', email)
      .executeTakeFirstOrThrow();
    expect(ids[0]).not.toBe(own.id);
    expect((await testApp.visitor().signUp({ emailAddress: `shadow:${own.id}` })).status).toBe(400);
  });

  test('[PRF-03] a role waits for the mailed code, which only the owner gets', async () => {
    const email = demoEmail('counter');
    await walk(testApp.visitor(), email, 3);
    expect((await rolesOf(email)).map(({ role_id }) => role_id)).toEqual([6]);
    const visitor = testApp.visitor();
    const created = (await visitor.signUp({ emailAddress: email, subtenantId: 3 })).data;
    const userId = created?.userId ?? 0;
    const otpId = (await visitor.sendCode(userId, 'USER_ACTIVATION')).data?.id ?? '';
    await visitor.ok('verifyOtp', {
      body: { id: otpId, createdBy: userId, otp: await testApp.codeFor(email) },
    });
    await visitor.ok('activateUser', {
      body: activation({ userId, id: created?.id ?? '' }, otpId),
    });
    expect((await rolesOf(email)).map(({ role_id }) => role_id)).toEqual([6, 18]);
    expect((await subjectsTo(email))[0]).toEqual([
      'email',
      'Your account now works at Porchlight Academy',
    ]);
  });

  test('[PRF-03] the right password adds it at once; a wrong one counts as a try to sign in', async () => {
    const email = demoEmail('mobile-counter');
    const add = (password: string) =>
      testApp.visitor().signUp({ emailAddress: email, subtenantId: 3, password });
    expect((await add('Wrong-Pass-1')).data?.userActivationMode).toBe('VERIFY_OTP');
    expect((await add(DEMO_PASSWORD)).data?.userActivationMode).toBe('ROLE_MAPPED');
    // As it does for an address that nobody has: the limits tell nothing apart.
    await testApp.visitor().signUp({ emailAddress: newEmail() });
    const tries = await testApp.db
      .selectFrom('audit_events')
      .select('user_id')
      .where('kind', '=', 'signIn.wrongPassword')
      .orderBy('id', 'desc')
      .limit(2)
      .execute();
    expect(tries.map(({ user_id }) => user_id !== null)).toEqual([false, true]);
  });

  test('[PRF-03] what a new person typed at sign-up locks nobody out of the own sign-in', async () => {
    const real = await createTestApp({ enumerationProtection: 'strict' });
    try {
      const visitor = real.visitor();
      const emailAddress = newEmail();
      for (let n = 0; n < 4; n += 1) await visitor.signUp({ emailAddress });
      await visitor.register({ emailAddress });
      real.clock.advance(1);
      expect((await visitor.signIn(emailAddress, 'Sunny-Porch-7')).userName).toBe(emailAddress);
    } finally {
      await real.close();
    }
  });

  test('[D27] a new person gets in by the mailed code, and by nothing sent to the phone', async () => {
    const [emailAddress, mobileNumber] = [newEmail(), '5550149977'];
    const visitor = testApp.visitor();
    await visitor.register({ emailAddress, mobileNumber });
    expect((await testApp.inbox(emailAddress)).map(({ channel }) => channel)).toEqual(['email']);
    expect(await testApp.inbox(mobileNumber)).toEqual([]);
    testApp.clock.advance(1);
    expect((await visitor.signIn(emailAddress, 'Sunny-Porch-7')).userName).toBe(emailAddress);
  });
});

describe('[D6] forgot password', () => {
  const forgot = (visitor: Visitor, email: string) =>
    visitor.call('forgotPassword', { body: { userName: email, emailID: email } });

  test('known, unknown, pending and suspended answer alike', async () => {
    const pending = newEmail();
    await testApp.visitor().signUp({ emailAddress: pending });
    const answers = [];
    for (const email of [demoEmail('agent'), newEmail(), pending, demoEmail('suspended')]) {
      answers.push(seen(await forgot(testApp.visitor(), email)));
    }
    expect(new Set(answers.map((answer) => JSON.stringify(answer))).size).toBe(1);
    expect(answers[0]).toMatchObject({ status: 200, succeeded: true, data: true });
  });

  test('each gets the mail that helps, and the unknown one no more than one a day', async () => {
    const [unknown, pending] = [newEmail(), newEmail()];
    await testApp.visitor().signUp({ emailAddress: pending });
    for (let n = 0; n < 3; n += 1) await forgot(testApp.visitor(), unknown);
    await forgot(testApp.visitor(), pending);
    await forgot(testApp.visitor(), demoEmail('partner'));
    expect(await subjectsTo(unknown)).toEqual([
      ['email', 'Rosewood Senior Living found no account'],
    ]);
    expect(await subjectsTo(demoEmail('partner'))).toEqual([
      ['email', 'Set a new password for Rosewood Senior Living'],
    ]);
    const [mail] = await testApp.inbox(pending);
    expect(mail?.subject).toBe('Confirm your email address for Rosewood Senior Living');
    expect(mail?.link).toContain('/account/Activation?UID=');
    testApp.clock.advance(DAY);
    await forgot(testApp.visitor(), unknown);
    expect(await subjectsTo(unknown)).toHaveLength(2);
  });
});

test('[D5] whether somebody can sign in: yes, for every address', async () => {
  const visitor = testApp.visitor();
  for (const email of [demoEmail('member'), newEmail(), demoEmail('suspended')]) {
    expect((await visitor.call('checkUser', { params: { email } })).data).toBe(true);
  }
});
