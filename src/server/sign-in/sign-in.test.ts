import { beforeAll, describe, expect, test } from 'vitest';
import type { CallName } from '#contract/routes.ts';
import { DEMO_PASSWORD, demoEmail } from '../demo/seed.ts';
import {
  activation,
  createTestApp,
  PASSWORD,
  signUpBody,
  type Visitor,
} from '../testing/test-app.ts';
import { closeAtEnd } from '../testing/close-at-end.ts';

const testApp = closeAtEnd(await createTestApp({ limitFactor: 50 }));

const MINUTE = 60;
const CHOICE = { choice: null, entrance: 'portal' } as const;
const STAFF_CHOICE = { choice: { kind: 'role', roleId: 3 }, entrance: 'portal' } as const;
const issue = (visitor: Visitor, body: typeof CHOICE | typeof STAFF_CHOICE = CHOICE) =>
  visitor.call('issueHandoff', { body });
const isSignedIn = async (visitor: Visitor) => (await issue(visitor)).status === 200;

/** Whose session this visitor's silent check and exchange give, if any. */
async function record(visitor: Visitor) {
  const silent = await visitor.authorize((await visitor.begin(false)).authorizeUrl);
  return { silent, answer: await visitor.record(silent) };
}

const MADE_UP_KEY = {
  id: 'AQ',
  rawId: 'AQ',
  type: 'public-key' as const,
  response: { authenticatorData: 'AQ', clientDataJSON: 'AQ', signature: 'AQ' },
};
const UNAUTHORIZED = {
  status: 401,
  succeeded: false,
  data: null,
  messages: ['Your sign-in has ended. Please sign in again.'],
  errorFlag: 'NO_SESSION',
};

describe('[GEN-05] [D1] the password alone opens nothing', () => {
  type Attempt = readonly [what: string, status: number, gain: unknown];
  const anyone: Attempt = ['open to everybody', 200, expect.anything()];
  /** A new call has to say here what a visitor with only a password gets from it. */
  const EXPECTED: Readonly<Record<CallName, Attempt>> = {
    getCountries: anyone,
    getSurvey: anyone,
    getSettings: anyone,
    getFeedback: anyone,
    getSubtenant: anyone,
    getChallenge: anyone,
    checkBrowser: anyone,
    givePageCode: anyone,
    checkUser: anyone,
    createUser: anyone,
    createAcademyUser: [
      'nothing for an address in use',
      200,
      { userActivationMode: 'ACTIVATE_USER' },
    ],
    saveSurvey: ['only at sign-up', 403, null],
    updateSurvey: ['only at sign-up', 403, null],
    getOwnSurvey: ['only at sign-up', 403, null],
    getLoginUser: [
      'own details, masked',
      200,
      { emailId: 'm•••@demo.porchlight.test', mobileNo: '••• ••00' },
    ],
    sendOtp: ['the way on', 200, { otpSendOn: 'm•••@demo.porchlight.test, ••• ••00' }],
    resendOtp: ['not yet', 429, null],
    extendOtp: ['the way on', 200, { canExtend: true }],
    callOtp: ['the way on', 200, { canExtend: true }],
    verifyOtp: ['a wrong code', 200, null],
    isAuthUser: ['nothing was proven', 200, false],
    validateLink: ['no such link', 200, null],
    confirmLink: ['no such link', 200, null],
    rejectLink: ['no such link', 200, false],
    changeAddress: ['no sign-up is waiting', 403, null],
    createActivationLink: ['asked about nobody', 200, null],
    getActivationLink: ['asked about nobody', 200, null],
    activateUser: ['nothing was proven', 403, null],
    forgotPassword: ['a mail to the owner', 200, true],
    getResetUser: ['no such key', 200, null],
    updatePassword: ['no such handle', 400, null],
    beginSession: ['a request that will be refused', 200, { appState: expect.any(String) }],
    recordLogin: ['no session', 401, null],
    checkPassword: ['no session', 401, null],
    issueHandoff: ['no session', 401, null],
    redeemHandoff: ['no module', 401, null],
    getVisit: [
      'where it stands',
      200,
      { signIn: { stage: 'otp' }, login: null, proof: null, delivery: { canAskNow: false } },
    ],
    logOut: ['nothing to end', 200, false],
    continueInteraction: ['no request of its own', 200, null],
    allowInteraction: ['no request of its own', 200, null],
    denyInteraction: ['no request of its own', 200, null],
    getConsents: ['no session', 401, null],
    revokeConsent: ['no session', 401, null],
    keyRequest: ['a challenge', 200, { challenge: expect.any(String) }],
    signInWithKey: ['no key', 200, { outcome: 'refused' }],
    stepUpWithKey: ['no session', 401, null],
    keyCreation: ['no session', 401, null],
    saveKey: ['no session', 401, null],
    keyOffer: ['no session', 401, null],
  };
  let visitor: Visitor;
  let userId: number;
  let otpId: string;
  /** Of the silent check that said `login_required`. */
  let state: string;
  beforeAll(async () => {
    visitor = testApp.visitor();
    ({ userId, otpId } = await visitor.reachCode(demoEmail('member')));
    visitor.state.token = 'made-up-token-of-the-right-shape-000000';
    const begun = await visitor.begin(false);
    const silent = await visitor.authorize(begun.authorizeUrl);
    state = silent.state;
  });

  const answerOf = (id: number) => [
    {
      userId: String(id),
      responseId: '412',
      subjectId: '213',
      userSubjectDataId: '',
      subResponseData: '',
    },
  ];
  const link = () => ({ userRegstrtnId: 'r', userId, activationKey: 'k', signUpPlatform: 1 });
  const attempts = (): { readonly [Name in CallName]: Parameters<Visitor['call']>[1] } => ({
    getCountries: {},
    getSurvey: { query: {} },
    getSettings: {},
    getFeedback: {},
    checkBrowser: {},
    givePageCode: { body: { screen: 'signIn' } },
    getSubtenant: { body: { subtenantId: 742 } },
    getChallenge: { body: { purpose: 'signIn' } },
    checkUser: { params: { email: demoEmail('member') } },
    createUser: { body: signUpBody({ emailAddress: 'pending@example.test' }) },
    createAcademyUser: { body: signUpBody({ emailAddress: demoEmail('academy'), subtenantId: 3 }) },
    saveSurvey: { body: answerOf(userId) },
    updateSurvey: { body: answerOf(userId) },
    getOwnSurvey: { params: { userId: String(userId) } },
    getLoginUser: { query: { emailId: demoEmail('member') } },
    sendOtp: { body: { createdBy: userId, otpSendMedium: 4, otpType: 'TWOFACTORAUTHENTICATION' } },
    resendOtp: {
      body: { id: otpId, createdBy: userId, otpSendMedium: 4, otpType: 'TWOFACTORAUTHENTICATION' },
    },
    extendOtp: { body: { id: otpId, createdBy: userId } },
    callOtp: { body: { id: otpId, createdBy: userId } },
    verifyOtp: { body: { id: otpId, createdBy: userId, otp: '-' } },
    isAuthUser: { params: { email: demoEmail('member') } },
    validateLink: { body: link() },
    confirmLink: { body: link() },
    rejectLink: { body: link() },
    changeAddress: { body: { id: otpId, createdBy: userId, emailAddress: 'new@example.test' } },
    createActivationLink: { body: { userRegstrtnId: null, userId } },
    getActivationLink: {},
    activateUser: { body: activation({ userId, id: 'r' }, otpId) },
    forgotPassword: { body: { userName: demoEmail('member'), emailID: demoEmail('member') } },
    getResetUser: { params: { resetKey: 'k', ip: '::1' } },
    updatePassword: {
      body: {
        userName: demoEmail('member'),
        userId,
        password: 'Taken-Over-1',
        forgotPasswordId: 'h',
      },
    },
    beginSession: { body: { entrance: 'portal', isFresh: false } },
    recordLogin: { body: { authId: 'made-up', appState: state } },
    checkPassword: { body: { password: 'Taken-Over-1' } },
    issueHandoff: { body: CHOICE },
    redeemHandoff: { body: { token: 'made-up' } },
    getVisit: {},
    continueInteraction: { body: { request: 'made-up' } },
    allowInteraction: { body: { request: 'made-up' } },
    denyInteraction: { body: { request: 'made-up' } },
    getConsents: {},
    revokeConsent: { body: { clientId: 'made-up' } },
    keyRequest: { body: { use: 'signIn' } },
    signInWithKey: { body: { answer: MADE_UP_KEY, entrance: 'portal' } },
    stepUpWithKey: { body: { answer: MADE_UP_KEY } },
    keyCreation: { body: { isByItself: false } },
    saveKey: {
      body: {
        answer: { ...MADE_UP_KEY, response: { attestationObject: 'AQ', clientDataJSON: 'AQ' } },
      },
    },
    keyOffer: { body: { outcome: 'shown' } },
    logOut: { params: { userId: String(userId), appState: state, loggedInId: 'x', roleId: '1' } },
  });

  test.each(Object.keys(EXPECTED) as CallName[])('%s', async (name) => {
    const [, status, gain] = EXPECTED[name];
    const answer = await visitor.call(name, attempts()[name] as never);
    expect(answer.status).toBe(status);
    expect({ data: answer.data }).toMatchObject({ data: gain });
  });

  test('and after all of that there is still no token, no hand-off, no hosted session', async () => {
    expect(await testApp.db.selectFrom('auth_tokens').selectAll().execute()).toEqual([]);
    expect(await testApp.db.selectFrom('handoffs').selectAll().execute()).toEqual([]);
    expect([...visitor.cookies.keys()]).not.toContain('idp_session');
    expect((await visitor.ok('getVisit', {})).signIn?.stage).toBe('otp');
  });

  test('a hosted session of before is no answer to a new password', async () => {
    const signedIn = testApp.visitor();
    await signedIn.signIn('member');
    await signedIn.reachCode(demoEmail('staff'));
    const { silent } = await record(signedIn);
    expect(silent.error).toBe('login_required');
    expect(await isSignedIn(signedIn)).toBe(false);
  });
});

test('[SRV-03] the password of an account that is not activated reads like a wrong one', async () => {
  const emailAddress = 'unconfirmed@example.test';
  await testApp.visitor().signUp({ emailAddress });
  expect((await testApp.visitor().authenticate(emailAddress, PASSWORD)).status).toBe(403);
  // An operator's program may have set one before.
  const ofMember = testApp.db
    .selectFrom('users as member')
    .select('member.password_hash')
    .where('member.email', '=', demoEmail('member'));
  await testApp.db
    .updateTable('users')
    .set({ password_hash: ofMember })
    .where('email', '=', emailAddress)
    .execute();
  expect((await testApp.visitor().authenticate(emailAddress, DEMO_PASSWORD)).status).toBe(403);
});

describe('[API-02] bearer and cookie', () => {
  test('neither opens anything without the other', async () => {
    const visitor = testApp.visitor();
    await visitor.signIn('member');
    expect(await isSignedIn(visitor)).toBe(true);

    const thief = testApp.visitor();
    await thief.ok('getVisit', {});
    thief.state.token = visitor.state.token;
    expect(await issue(thief)).toMatchObject(UNAUTHORIZED);
    const bare = testApp.visitor();
    bare.state.token = visitor.state.token;
    expect(await issue(bare)).toMatchObject(UNAUTHORIZED);

    const { token } = visitor.state;
    visitor.state.token = null;
    expect(await issue(visitor)).toMatchObject(UNAUTHORIZED);
    for (const wrong of ['', 'x', `${token}x`, 'null', '../../etc/passwd']) {
      visitor.state.token = wrong;
      expect((await issue(visitor)).status).toBe(401);
    }
    const basic = await visitor.call(
      'issueHandoff',
      { body: CHOICE },
      { authorization: `Basic ${token}` },
    );
    expect(basic.status).toBe(401);
  });

  test('each recorded login makes the token before it worthless', { tags: 'long' }, async () => {
    const visitor = testApp.visitor();
    const first = (await visitor.signIn('member')).authToken;
    const second = (await visitor.complete()).authToken;
    expect(second).not.toBe(first);
    visitor.state.token = first;
    expect((await issue(visitor)).status).toBe(401);
  });

  test('only hashes of cookie and token are stored', { tags: 'long' }, async () => {
    const visitor = testApp.visitor();
    const { authToken } = await visitor.signIn('member');
    const text = await testApp.dump();
    expect(text).not.toContain(authToken);
    expect(text).not.toContain(visitor.cookies.get('visit'));
    expect(text).not.toContain(visitor.cookies.get('idp_session')?.split('.')[0]);
  });
});

describe('time', () => {
  test('a token lives fifteen minutes and slides with use', async () => {
    const visitor = testApp.visitor();
    await visitor.signIn('member');
    for (let n = 0; n < 4; n += 1) {
      testApp.clock.advance(14 * MINUTE);
      expect(await isSignedIn(visitor)).toBe(true);
    }
    testApp.clock.advance(15 * MINUTE);
    expect(await issue(visitor)).toMatchObject(UNAUTHORIZED);
  });

  test(
    'after that the session itself goes on, silently, until half an hour idle',
    { tags: 'long' },
    async () => {
      const visitor = testApp.visitor();
      await visitor.signIn('member');
      testApp.clock.advance(29 * MINUTE);
      expect((await visitor.ok('getVisit', {})).signIn?.stage).toBe('complete');
      expect((await visitor.complete()).memberName).toBe('Margaret Okafor');
      testApp.clock.advance(30 * MINUTE);
      expect(await visitor.ok('getVisit', {})).toMatchObject({ signIn: null, login: null });
      expect((await record(visitor)).answer).toMatchObject({
        data: null,
        errorFlag: 'OTP_REQUIRED',
      });
    },
  );

  test('[R22] staff are idle after fifteen minutes', async () => {
    const [member, staff] = [testApp.visitor(), testApp.visitor()];
    await member.signIn('member');
    await staff.signIn('staff');
    testApp.clock.advance(14 * MINUTE);
    expect((await staff.ok('getVisit', {})).login).not.toBeNull();
    testApp.clock.advance(1 * MINUTE);
    expect((await staff.ok('getVisit', {})).login).toBeNull();
    expect((await issue(staff, STAFF_CHOICE)).status).toBe(401);
    expect((await record(staff)).answer.errorFlag).toBe('OTP_REQUIRED');
    expect((await member.ok('getVisit', {})).login).not.toBeNull();
  });

  test('[R22] twelve hours are the end, however busy', { tags: 'long' }, async () => {
    const visitor = testApp.visitor();
    await visitor.signIn('member');
    for (let minutes = 0; minutes < 12 * 60 - 10; minutes += 10) {
      testApp.clock.advance(10 * MINUTE);
      if (minutes % 60 === 0) await visitor.complete();
      expect(await isSignedIn(visitor)).toBe(true);
    }
    testApp.clock.advance(10 * MINUTE);
    expect((await issue(visitor)).status).toBe(401);
    expect((await visitor.ok('getVisit', {})).login).toBeNull();
  });

  test(
    'a request that began in time is no way round the idle limit',
    { tags: 'long' },
    async () => {
      const visitor = testApp.visitor();
      await visitor.signIn('member');
      testApp.clock.advance(25 * MINUTE);
      const silent = await visitor.authorize((await visitor.begin(false)).authorizeUrl);
      testApp.clock.advance(6 * MINUTE);
      expect((await visitor.record(silent)).status).toBe(401);
    },
  );

  test(
    'a right password whose code never came is worth nothing after half an hour',
    { tags: 'long' },
    async () => {
      const visitor = testApp.visitor();
      const { userId, otpId } = await visitor.reachCode(demoEmail('member'));
      const otp = await testApp.codeFor(demoEmail('member'));
      for (let n = 0; n < 5; n += 1) {
        testApp.clock.advance(110);
        await visitor.call('extendOtp', { body: { id: otpId, createdBy: userId } });
      }
      expect((await visitor.verify(otpId, userId, otp)).data).toBe(true);
      const late = testApp.visitor();
      const pending = await late.reachCode(demoEmail('member'));
      testApp.clock.advance(30 * MINUTE);
      expect((await late.sendCode(pending.userId, 'TWOFACTORAUTHENTICATION')).status).toBe(403);
      expect(await late.ok('getVisit', {})).toMatchObject({ signIn: null, code: null });
      expect((await record(visitor)).answer.errorFlag).toBe('OTP_REQUIRED');
    },
  );
});

describe('[API-05] the exchange', () => {
  /** Signed in, with a fresh answer of the hosted login in hand. */
  async function ready() {
    const visitor = testApp.visitor();
    await visitor.signIn('member');
    return { visitor, silent: await visitor.authorize((await visitor.begin(false)).authorizeUrl) };
  }

  test('a state works once', async () => {
    const { visitor, silent } = await ready();
    expect((await visitor.record(silent)).status).toBe(200);
    expect((await visitor.record(silent)).status).toBe(401);
  });

  test('a state that was used takes no second code, however fresh', { tags: 'long' }, async () => {
    const visitor = testApp.visitor();
    await visitor.signIn('member');
    const { authorizeUrl } = await visitor.begin(false);
    const [first, second] = [
      await visitor.authorize(authorizeUrl),
      await visitor.authorize(authorizeUrl),
    ];
    expect(second.code).not.toBe(first.code);
    expect((await visitor.record(first)).status).toBe(200);
    expect((await visitor.record(second)).status).toBe(401);
  });

  test('of two at once one works', async () => {
    const { visitor, silent } = await ready();
    const answers = await Promise.all([1, 2, 3, 4].map(() => visitor.record(silent)));
    expect(answers.filter((answer) => answer.succeeded)).toHaveLength(1);
  });

  test("a state of another visit is nobody's", { tags: 'long' }, async () => {
    const { visitor, silent } = await ready();
    const thief = testApp.visitor();
    await thief.signIn('top');
    expect((await thief.record(silent)).status).toBe(401);
    // The owner can still use it: the thief has not burnt it.
    expect((await visitor.record(silent)).data?.memberName).toBe('Margaret Okafor');
  });

  test(
    'a code of another visit is refused, and no login comes of it',
    { tags: 'long' },
    async () => {
      const [one, other] = [await ready(), await ready()];
      const answer = await other.visitor.record({
        code: one.silent.code,
        state: other.silent.state,
      });
      expect(answer).toMatchObject({ status: 401, data: null, errorFlag: 'NO_SESSION' });
    },
  );

  test(
    'a wrong code, an unknown state, a state that is ten minutes old',
    { tags: 'long' },
    async () => {
      const { visitor, silent } = await ready();
      expect((await visitor.record({ ...silent, state: 'unknown' })).status).toBe(401);
      expect((await visitor.record({ ...silent, code: 'wrong' })).status).toBe(401);
      const { silent: late, visitor: sleeper } = await ready();
      testApp.clock.advance(10 * MINUTE);
      expect((await sleeper.record(late)).status).toBe(401);
    },
  );

  test('[RED-14] what the browser says about tokens, user and address is dropped', async () => {
    const { visitor, silent } = await ready();
    const answer = await visitor.call('recordLogin', {
      body: {
        authId: silent.code,
        appState: silent.state,
        expiresIn: 999_999,
        userName: demoEmail('everything'),
        refereshToken: 'refresh-canary',
        tokenType: 'Bearer',
        clientIP: '::1',
        deviceType: 'desktop',
        browseMode: 'private',
        browseType: 'Firefox',
      },
    });
    expect(answer.data).toMatchObject({
      userName: demoEmail('member'),
      memberName: 'Margaret Okafor',
      roleId: 1,
      userRoles: [{ roleId: 1, roleKey: 'Member' }],
    });
    expect(await testApp.dump()).not.toContain('refresh-canary');
  });

  test('an account that was closed meanwhile gets no login', { tags: 'long' }, async () => {
    const visitor = testApp.visitor();
    await visitor.register({ emailAddress: 'closed@example.test' });
    await visitor.signIn('closed@example.test', 'Sunny-Porch-7');
    const silent = await visitor.authorize((await visitor.begin(false)).authorizeUrl);
    await testApp.db
      .updateTable('users')
      .set({ status: 'inactive' })
      .where('email', '=', 'closed@example.test')
      .execute();
    expect((await visitor.record(silent)).status).toBe(401);
    expect((await issue(visitor)).status).toBe(401);
  });
});

describe('one browser', () => {
  test('a new password step ends who was here before', { tags: 'long' }, async () => {
    const visitor = testApp.visitor();
    await visitor.signIn('member');
    await visitor.givePassword(demoEmail('top'));
    expect((await issue(visitor)).status).toBe(401);
    expect((await visitor.ok('getVisit', {})).signIn?.email).toBe(demoEmail('top'));
  });

  test('a wrong password in a second tab ends nothing', { tags: 'long' }, async () => {
    const visitor = testApp.visitor();
    await visitor.signIn('member');
    expect((await visitor.givePassword(demoEmail('member'), 'Wrong-Pass-1')).status).toBe(403);
    expect(await isSignedIn(visitor)).toBe(true);
    expect((await visitor.ok('getVisit', {})).login?.memberName).toBe('Margaret Okafor');
    expect((await visitor.complete()).memberName).toBe('Margaret Okafor');
  });

  test('who is signed in needs no second code', { tags: 'long' }, async () => {
    const visitor = testApp.visitor();
    await visitor.signIn('member');
    const before = (await testApp.inbox(demoEmail('member'))).length;
    await visitor.complete();
    await visitor.complete();
    expect(await testApp.inbox(demoEmail('member'))).toHaveLength(before);
  });

  test.each([
    ['at the code', 30, async (visitor: Visitor) => visitor.reachCode(demoEmail('intake'))],
    ['signed in', 30, async (visitor: Visitor) => visitor.signIn('intake')],
    ['staff, signed in', 15, async (visitor: Visitor) => visitor.signIn('staff')],
  ] as const)(
    '[V2] [SES-03] %s: getVisit tells that nobody was there for %d minutes',
    async (_, minutes, arrive) => {
      const visitor = testApp.visitor();
      await arrive(visitor);
      const hasTimedOut = async () => (await visitor.ok('getVisit', {})).hasTimedOut;
      // Seconds may pass between two calls.
      testApp.clock.advance(minutes * 60 - 30);
      expect(await hasTimedOut()).toBe(false);
      testApp.clock.advance(30);
      expect(await hasTimedOut()).toBe(true);
      expect((await testApp.visitor().ok('getVisit', {})).hasTimedOut).toBe(false);
    },
  );

  test(
    '[V2] a sign-in that was ended did not time out, however long ago',
    { tags: 'long' },
    async () => {
      const visitor = testApp.visitor();
      await visitor.signIn('intake');
      await visitor.ok('logOut', {
        params: { userId: '1', appState: 'x', loggedInId: 'x', roleId: '1' },
      });
      testApp.clock.advance(60 * 60);
      expect((await visitor.ok('getVisit', {})).hasTimedOut).toBe(false);
    },
  );

  test('getVisit tells every stage, and nothing of other visits', { tags: 'long' }, async () => {
    const visitor = testApp.visitor();
    const where = () => visitor.ok('getVisit', {});
    const nothing = {
      code: null,
      signIn: null,
      login: null,
      hasTimedOut: false,
      proof: null,
      activated: null,
      isActivatedByPhone: false,
      client: null,
      delivery: null,
    };
    const empty = { subtenantId: null, ...nothing };
    expect(await where()).toEqual(empty);
    await visitor.begin(true, 'legalStaff');
    const signIn = { stage: 'password', entrance: 'legalStaff', email: null };
    expect(await where()).toEqual({ ...empty, signIn });
    const { userId, otpId } = await visitor.reachCode(demoEmail('member'));
    expect(await where()).toMatchObject({
      code: { id: otpId, userId, mode: 'signIn', otpType: 'TWOFACTORAUTHENTICATION', medium: 4 },
      signIn: { stage: 'otp', entrance: 'portal', email: demoEmail('member') },
      login: null,
    });
    const otp = await testApp.codeFor(demoEmail('member'));
    await visitor.verify(otpId, userId, otp);
    expect(await where()).toMatchObject({ code: null, signIn: { stage: 'verified' }, login: null });
    await visitor.complete();
    expect(await where()).toMatchObject({
      code: null,
      signIn: { stage: 'complete' },
      login: { memberName: 'Margaret Okafor', roles: [{ roleId: 1, roleKey: 'Member' }] },
    });
    expect(await testApp.visitor().ok('getVisit', {})).toEqual(empty);
  });

  test('a code screen outlives its code, with nothing left on the clock', async () => {
    const visitor = testApp.visitor();
    await visitor.reachCode(demoEmail('member'));
    testApp.clock.advance(136);
    expect((await visitor.ok('getVisit', {})).code).toMatchObject({
      remainingMs: 0,
      canExtend: false,
    });
    testApp.clock.advance(30 * MINUTE);
    expect((await visitor.ok('getVisit', {})).code).toBeNull();
  });
});

describe('[SCR-01] signing out', () => {
  const logOut = (visitor: Visitor, ids = ['1', 'a', 'b', '1']) => {
    const [userId = '', appState = '', loggedInId = '', roleId = ''] = ids;
    return visitor.call('logOut', { params: { userId, appState, loggedInId, roleId } });
  };

  test('ends session, token and hosted session, and is happy to do so again', async () => {
    const visitor = testApp.visitor();
    await visitor.signIn('member');
    for (const hasEnded of [true, false, false]) {
      expect(await logOut(visitor)).toMatchObject({ status: 200, data: hasEnded });
    }
    expect(visitor.cookies.has('idp_session')).toBe(false);
    expect((await issue(visitor)).status).toBe(401);
    expect((await record(visitor)).silent.error).toBe('login_required');
    expect((await visitor.ok('getVisit', {})).login).toBeNull();
  });

  test('the code of before is no way back in', { tags: 'long' }, async () => {
    const visitor = testApp.visitor();
    const { userId, otpId } = await visitor.reachCode(demoEmail('member'));
    const otp = await testApp.codeFor(demoEmail('member'));
    await visitor.verify(otpId, userId, otp);
    await visitor.complete();
    await logOut(visitor);
    expect((await visitor.verify(otpId, userId, otp)).succeeded).toBe(false);
    expect(visitor.cookies.has('idp_session')).toBe(false);
  });

  test('ids of somebody else end nobody', { tags: 'long' }, async () => {
    const [one, other] = [testApp.visitor(), testApp.visitor()];
    const login = await one.signIn('member');
    const ids = [String(login.loggedInUserId), login.appState, login.logUserLoginId, '1'];
    await other.signIn('top');
    await logOut(testApp.visitor(), ids);
    await logOut(other, ids);
    expect(await isSignedIn(one)).toBe(true);
  });

  test('[D12] an image or a link on another site ends nothing', async () => {
    const visitor = testApp.visitor();
    const login = await visitor.signIn('member');
    const path = `/api/User/LogoutUser/${login.loggedInUserId}/${login.appState}/${login.logUserLoginId}/1`;
    for (const site of ['cross-site', 'same-site']) {
      expect((await visitor.request(path, { headers: { 'sec-fetch-site': site } })).status).toBe(
        403,
      );
    }
    // A browser adds the cookie to a typed or linked address, but never the bearer.
    await visitor.request(path, { headers: { authorization: '', 'sec-fetch-site': 'none' } });
    expect(await isSignedIn(visitor)).toBe(true);
  });
});
