import { createChallenge } from 'altcha-lib';
import { deriveKey } from 'altcha-lib/algorithms/pbkdf2';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { captcha } from '#texts/captcha.ts';
import { otpState } from '#domain/flow/enter-otp.ts';
import { EMPTY_SIGN_UP, redirectState } from '#domain/flow/initial-state.ts';
import type { SignUpRequest } from '#domain/flow/terms.ts';
import type { PendingOtp } from '#domain/flow/visit.ts';
import { createTestFlow, failed, ok, refused, SENT } from '../../testing/test-flow.ts';

const SUBMITTED = {
  type: 'signInSubmitted',
  email: 'm@example.org',
  password: 'Porchlight-1',
  entrance: 'portal',
} as const;
const LOGIN = {
  appState: 'state-1',
  loggedInUserId: 7,
  logUserLoginId: 'login-1',
  roleId: 1,
  userName: 'm@example.org',
  memberName: 'Margaret Okafor',
  userRoles: [{ roleId: 20, roleKey: 'Special Programs' }],
  authToken: 'token-12345',
};
const CODE: PendingOtp = {
  id: 'code-1',
  userId: 7,
  registrationId: 'reg-1',
  signUpPlatform: 1,
  email: 'm@example.org',
  otpType: 'USER_ACTIVATION',
  mode: 'signUp',
  entrance: 'portal',
  medium: 4,
  sentTo: SENT.sentTo,
  remainingMs: 120_000,
  canExtend: true,
};
const REQUEST: SignUpRequest = {
  subtenantId: 3,
  firstName: 'Margaret',
  lastName: 'Okafor',
  dialCode: '+1',
  phone: '5550142290',
  email: 'm@example.org',
  password: 'Porchlight-1',
  promoCode: 'SPRING',
  survey: [
    { subjectId: 213, responseId: 418, text: '' },
    { subjectId: 217, responseId: 419, text: 'A leaflet' },
  ],
};

beforeEach(() => {
  vi.stubGlobal('navigator', { userAgent: 'Mozilla/5.0 Firefox/140.0' });
  vi.stubGlobal('document', { getElementById: () => null });
});
afterEach(() => vi.unstubAllGlobals());

describe('sign-in', () => {
  describe('[R19] under pressure', () => {
    const BEGUN = ok({
      appState: 'state-123',
      authorizeUrl: 'https://idp.test/a?state=s',
      sealedModules: [],
    });
    async function pressed(refusals: number) {
      const world = createTestFlow();
      const challenge = await createChallenge({
        algorithm: 'PBKDF2/SHA-256',
        cost: 2,
        counter: 3,
        deriveKey,
      });
      world.answers.checkUser = ok(true);
      world.answers.beginSession = BEGUN;
      world.answers.getChallenge = ok(challenge);
      for (let n = 0; n < refusals; n += 1) world.refusals.push({ kind: 'captchaNeeded' });
      await world.flow.send(SUBMITTED);
      return world;
    }

    it('hands in a proof ahead and gives the password again', async () => {
      const world = await pressed(1);
      expect(world.calls.slice(0, 4)).toMatchObject([
        { name: 'checkUser' },
        { name: 'beginSession' },
        { name: 'getChallenge', input: { body: { purpose: 'signIn' } } },
        { name: 'beginSession', input: { headers: { 'x-captcha': expect.any(String) } } },
      ]);
      expect(world.shown[0]).toBe('redirect');
    });

    it('gives it again once, and then says whom to ask', async () => {
      const world = await pressed(2);
      expect(world.shown).toEqual([]);
      expect(world.flow.get()).toMatchObject({
        at: 'signIn',
        step: 'ready',
        problem: { say: { text: captcha.failed } },
      });
    });
  });

  it('[SIN-06] [SIN-07] [SIN-08] [RED-03] [OTP-06] goes by password and silent check to code entry', async () => {
    const world = createTestFlow();
    world.answers.checkUser = ok(true);
    world.answers.beginSession = ok({
      appState: 'state-123',
      authorizeUrl: 'https://idp.test/a?state=s',
    });
    world.answers.getLoginUser = ok({ userId: 7 });
    world.answers.sendOtp = ok(SENT);
    world.checks.push({ kind: 'loginRequired' });
    await world.flow.send(SUBMITTED);
    expect(world.calls.map(({ name }) => name)).toEqual([
      'checkUser',
      'beginSession',
      'getLoginUser',
      'sendOtp',
    ]);
    // The first silent check uses the request that the password was given for.
    expect(world.checked).toEqual([{ url: 'https://idp.test/a?state=s', ticket: 'ticket-1' }]);
    expect(world.shown).toEqual(['redirect', 'verifyOtp']);
    expect(world.flow.get()).toMatchObject({
      at: 'otp',
      otp: { id: 'code-1', userId: 7, mode: 'signIn', email: 'm@example.org' },
    });
    expect([...world.session]).toEqual([
      ['exist', 'true'],
      ['userCred', 'state-123'],
    ]);
  });

  it('[SIN-07] stays with the one message on a wrong password', async () => {
    const world = createTestFlow();
    world.answers.checkUser = ok(true);
    world.answers.beginSession = ok({ appState: 'a', authorizeUrl: 'u', sealedModules: [] });
    world.setAuthentication({ kind: 'wrong' });
    await world.flow.send(SUBMITTED);
    expect(world.flow.get()).toMatchObject({
      step: 'ready',
      credentials: null,
      problem: { say: { key: 'wrongCredentials' } },
    });
  });

  it('[SIN-06] asks no hosted login about an unknown address', async () => {
    const world = createTestFlow();
    world.answers.checkUser = ok(false);
    await world.flow.send(SUBMITTED);
    expect(world.calls).toHaveLength(1);
    expect(world.flow.get()).toMatchObject({ problem: { say: { key: 'wrongCredentials' } } });
  });

  it('says when to come back after too many tries', async () => {
    const world = createTestFlow();
    world.answers.checkUser = ok(true);
    world.answers.beginSession = ok({ appState: 'a', authorizeUrl: 'u', sealedModules: [] });
    world.setAuthentication({ kind: 'tooMany', retryAfterSeconds: 130 });
    await world.flow.send(SUBMITTED);
    expect(world.flow.get()).toMatchObject({ problem: { say: { key: 'tooMany', minutes: 3 } } });
  });
});

describe('redirect', () => {
  const start = () =>
    createTestFlow(redirectState({ entrance: 'portal', email: null, isOtpVerified: true }));
  const opened = {
    type: 'redirectOpened',
    entrance: 'portal',
    email: null,
    isOtpVerified: true,
  } as const;

  it('[RED-04] [RED-08] [RED-12] [RED-14] records the login and leaves with the sealed credential', async () => {
    vi.useFakeTimers();
    const world = start();
    world.session.set('sealedCredential', '{"special":"a.b.c.d.e"}');
    world.answers.beginSession = ok({
      appState: 'a',
      authorizeUrl: 'https://idp.test/a',
      sealedModules: [],
    });
    world.answers.recordLogin = ok(LOGIN);
    world.answers.issueHandoff = ok({
      url: 'https://special.test/?token=t',
      credentialFor: 'special',
    });
    world.checks.push({ kind: 'session', code: 'c', state: 's' });
    const sent = world.flow.send(opened);
    await vi.runAllTimersAsync();
    await sent;
    vi.useRealTimers();
    expect(world.calls.find(({ name }) => name === 'recordLogin')?.input.body).toEqual({
      authId: 'c',
      appState: 's',
      expiresIn: null,
      userName: null,
      refereshToken: null,
      tokenType: null,
      clientIP: '::1',
      deviceType: 'Desktop',
      browseMode: 'Web',
      browseType: 'Firefox',
    });
    expect(world.left).toEqual(['https://special.test/?token=t&credential=a.b.c.d.e']);
    expect(world.session.get('AuthToken')).toBe('token-12345');
    expect(world.session.has('sealedCredential')).toBe(false);
  });

  it('[RED-05] shows the browser help when the session stays hidden after the code', async () => {
    const world = start();
    world.answers.beginSession = ok({ appState: 'a', authorizeUrl: 'u', sealedModules: [] });
    world.checks.push({ kind: 'loginRequired' });
    await world.flow.send(opened);
    expect(world.flow.get()).toMatchObject({ problem: { where: 'privacy', help: 2 } });
  });

  it.each([
    ['a code that the server still wants', refused('OTP_REQUIRED'), { shown: ['verifyOtp'] }],
    ['a session that has ended', failed(401), { shown: ['signIn, with the reason'] }],
  ])('[RED-03] goes where it must for %s', async (_, answer, { shown }) => {
    const world = start();
    world.answers.beginSession = ok({ appState: 'a', authorizeUrl: 'u', sealedModules: [] });
    world.answers.recordLogin = answer;
    world.answers.getLoginUser = ok({ userId: 7 });
    world.answers.sendOtp = ok(SENT);
    world.checks.push({ kind: 'session', code: 'c', state: 's' });
    await world.flow.send(opened);
    expect(world.shown).toEqual(shown);
  });

  it('offers another try when the silent check times out', async () => {
    const world = start();
    world.answers.beginSession = ok({ appState: 'a', authorizeUrl: 'u', sealedModules: [] });
    await world.flow.send(opened);
    expect(world.flow.get()).toMatchObject({
      problem: { say: { key: 'tooSlow' }, canRetry: true },
    });
  });
});

describe('sign-up', () => {
  const submit = async (answer: ReturnType<typeof ok>, more: Partial<SignUpRequest> = {}) => {
    const world = createTestFlow(EMPTY_SIGN_UP);
    world.answers.createUser = answer;
    world.answers.createAcademyUser = answer;
    world.answers.saveSurvey = failed(500);
    world.answers.sendOtp = ok(SENT);
    await world.flow.send({ type: 'signUpSubmitted', request: { ...REQUEST, ...more } });
    return world;
  };

  it('[SUP-15] [SUP-16] [SUP-17] [SUP-19] creates, saves the survey and sends a code', async () => {
    const world = await submit(ok({ userId: 7, id: 'reg-1', userActivationMode: 'VERIFY_OTP' }));
    expect(world.calls.map(({ name }) => name)).toEqual([
      'createAcademyUser',
      'saveSurvey',
      'sendOtp',
    ]);
    expect(world.calls[0]?.input.body).toEqual({
      subtenantId: 3,
      signUpPlateform: 1,
      user: {
        roleId: 18,
        firstName: 'Margaret',
        lastName: 'Okafor',
        emailAddress: 'm@example.org',
        userName: 'm@example.org',
        countryCode: '+1',
        mobileNumber: '5550142290',
        password: 'Porchlight-1',
        packageCode: 'SPRING',
      },
    });
    expect(world.calls[1]?.input.body).toEqual([
      {
        userId: '7',
        responseId: '418',
        subjectId: '213',
        userSubjectDataId: '',
        subResponseData: '',
      },
      {
        userId: '7',
        responseId: '419',
        subjectId: '217',
        userSubjectDataId: '',
        subResponseData: 'A leaflet',
      },
    ]);
    expect(world.flow.get()).toMatchObject({
      at: 'otp',
      otp: { mode: 'signUp', registrationId: 'reg-1', email: 'm@example.org' },
    });
    expect(world.toasts).toEqual([
      { tone: 'success', text: 'OTP has been sent to your email address and phone number.' },
    ]);
  });

  it('[SUP-16] uses the ordinary call for everyone else', async () => {
    const answer = ok({ userId: 7, id: 'reg-1', userActivationMode: 'VERIFY_OTP' });
    const world = await submit(answer, { subtenantId: 742, survey: [] });
    expect(world.calls.map(({ name }) => name)).toEqual(['createUser', 'sendOtp']);
  });

  it.each([
    [
      '[SUP-21] an address in use',
      refused('EMAIL_IN_USE'),
      { field: 'email', say: { key: 'emailInUse' } },
    ],
    ['[SUP-21] any other refusal', refused('?'), { field: 'email', say: { key: 'emailInUse' } }],
    [
      '[SUP-21] an unknown subtenant',
      refused('INVALID_SUBTENANT', ['We do not know it.']),
      { field: 'email', say: { text: 'We do not know it.' } },
    ],
    [
      'a promo code that is none',
      refused('INVALID_PROMO', ['Not this one.']),
      { field: 'promo', say: { text: 'Not this one.' } },
    ],
    ['[SUP-20] [SUP-21] a failure', failed(401), { where: 'form', say: { key: 'general' } }],
  ])('%s', async (_, answer, problem) => {
    const world = await submit(answer);
    expect(world.flow.get()).toMatchObject({ at: 'signUp', step: 'ready', request: null, problem });
  });
});

describe('code entry', () => {
  const start = () => createTestFlow(otpState(CODE, 0));

  it('[OTP-09] [OTP-11] [OTP-13] activates after a right code', async () => {
    const world = start();
    world.answers.verifyOtp = ok(true);
    world.answers.isAuthUser = ok(false);
    world.answers.activateUser = ok(true);
    await world.flow.send({ type: 'otpSubmitted', digits: '012345' });
    expect(world.calls[0]?.input.body).toMatchObject({
      id: 'code-1',
      createdBy: 7,
      otp: 12_345,
      signUpPlateform: 1,
      otpType: 'USER_ACTIVATION',
      otpSendMedium: 4,
    });
    expect(world.shown).toEqual(['congratulation']);
  });

  it('[L3] [ACT-04] activates with every field of the request, the link it came by included', async () => {
    const link = {
      key: 'key-7',
      registrationId: 'reg-7',
      userId: 7,
      platform: 1,
      userActivationId: 'link-7',
    };
    const fields = {
      userRegstrtnId: CODE.registrationId,
      userId: 7,
      signUpPlatform: 1,
      clientIPAddress: '::1',
      otpId: 'code-1',
      password: null,
    };
    for (const [by, more] of [
      [link, { activationKey: 'key-7', userActivationId: 'link-7' }],
      [undefined, { activationKey: null, userActivationId: null }],
    ] as const) {
      const world = createTestFlow(otpState(CODE, 0, null, by));
      world.answers.verifyOtp = ok(true);
      world.answers.isAuthUser = ok(false);
      world.answers.activateUser = ok(true);
      await world.flow.send({ type: 'otpSubmitted', digits: '012345' });
      expect(world.calls.at(-1)?.input.body).toEqual({ ...fields, ...more });
    }
  });

  it('[DAT-03] a resend carries where the code goes, masked, and how often it was asked for', async () => {
    const entry = { state: null as unknown };
    vi.stubGlobal('history', {
      get state() {
        return entry.state;
      },
      replaceState: (state: unknown) => (entry.state = state),
    });
    for (const resendCount of [1, 2]) {
      // As after a reload: of the page's memory nothing is left.
      const world = createTestFlow({ ...otpState(CODE, 0), deadline: 0 });
      world.answers.resendOtp = failed(500);
      await world.flow.send({ type: 'resendAsked' });
      expect(world.calls.at(-1)?.input.body).toMatchObject({
        otpSendOn: [CODE.sentTo.email, CODE.sentTo.phone].join(', '),
        resendCount,
      });
    }
  });

  it.each([
    ['[OTP-05]', 'INVALID_OTP', 'otpWrong'],
    ['[OTP-07]', 'OTP_EXPIRED', 'otpExpired'],
    ['', 'OTP_DEAD', 'otpDead'],
  ])('%s tells %s apart', async (_, errorFlag, key) => {
    const world = start();
    world.answers.verifyOtp = refused(errorFlag);
    await world.flow.send({ type: 'otpSubmitted', digits: '000000' });
    expect(world.flow.get()).toMatchObject({ at: 'otp', problem: { field: 'otp', say: { key } } });
  });

  it('[OTP-03] shows the real wait when a new code was asked for too soon', async () => {
    const world = createTestFlow({ ...otpState(CODE, 0), deadline: 0 });
    world.answers.resendOtp = failed(429, { errorFlag: 'TOO_SOON', retryAfterSeconds: 40 });
    await world.flow.send({ type: 'resendAsked' });
    expect(world.flow.get()).toMatchObject({
      deadline: 40_000,
      problem: { say: { key: 'tooSoon' } },
    });
  });

  it('keeps what is left when the code cannot live longer', async () => {
    const world = start();
    world.answers.extendOtp = refused('OTP_LIFE_OVER');
    await world.flow.send({ type: 'moreTimeAsked' });
    expect(world.flow.get()).toMatchObject({ deadline: 120_000, otp: { canExtend: false } });
  });
});
