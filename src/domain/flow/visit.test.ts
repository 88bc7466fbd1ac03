import { describe, expect, it, test } from 'vitest';
import { stateFor } from './initial-state.ts';
import { type ScreenName, SCREENS } from './screens.ts';
import { PENDING_OTP, loginWith, SIGN_IN_OTP } from '../testing/samples.ts';
import { EMPTY_VISIT, screenFor, type SignInStage, type VisitState } from './visit.ts';

const NAMES = Object.keys(SCREENS) as ScreenName[];
const EMAIL = 'margaret@example.org';

const signIn = (stage: SignInStage): VisitState['signIn'] => ({
  stage,
  entrance: 'portal',
  email: EMAIL,
});
const PROOF = {
  otpId: 'code-1',
  userId: 7,
  registrationId: 'reg-7',
  signUpPlatform: 5,
  email: EMAIL,
};

/** Where a visit can stand, from first sight to a finished sign-in. */
const VISITS: Readonly<Record<string, VisitState>> = {
  fresh: EMPTY_VISIT,
  signUpCode: { ...EMPTY_VISIT, code: PENDING_OTP },
  proven: { ...EMPTY_VISIT, proof: PROOF },
  begun: { ...EMPTY_VISIT, signIn: signIn('password') },
  passwordRight: { ...EMPTY_VISIT, signIn: signIn('otp') },
  signInCode: { ...EMPTY_VISIT, signIn: signIn('otp'), code: SIGN_IN_OTP },
  verified: { ...EMPTY_VISIT, signIn: signIn('verified') },
  complete: { ...EMPTY_VISIT, signIn: signIn('complete'), login: loginWith(4, 6) },
};

describe('screenFor: a URL is a request, the state decides', () => {
  // One row a visit; a screen that needs nothing is always drawn.
  // prettier-ignore
  test.each<readonly [keyof typeof VISITS, ScreenName, ScreenName, ScreenName, ScreenName]>([
    // visit          verifyOtp    redirect     selectRoles    setPassword
    ['fresh',         'signIn',    'signIn',    'signIn',      'signIn'],
    ['signUpCode',    'verifyOtp', 'verifyOtp', 'verifyOtp',   'verifyOtp'],
    ['proven',        'signIn',    'signIn',    'signIn',      'setPassword'],
    ['begun',         'signIn',    'signIn',    'signIn',      'signIn'],
    ['passwordRight', 'redirect',  'redirect',  'redirect',    'redirect'],
    ['signInCode',    'verifyOtp', 'redirect',  'verifyOtp',   'verifyOtp'],
    ['verified',      'redirect',  'redirect',  'redirect',    'redirect'],
    ['complete',      'redirect',  'redirect',  'selectRoles', 'redirect'],
  ])('[OTP-08] [RED-03] %s', (visit, ...screens) => {
    const state = VISITS[visit] ?? EMPTY_VISIT;
    const asked = ['verifyOtp', 'redirect', 'selectRoles', 'setPassword'] as const;
    expect(asked.map((screen) => screenFor(screen, state))).toEqual(screens);
  });

  it('a screen that needs nothing is drawn to anybody: reload, Back and a second tab', () => {
    const free = NAMES.filter((name) => SCREENS[name].needs === 'nothing');
    expect(free).toEqual(expect.arrayContaining(['signIn', 'signUp', 'signOut', 'congratulation']));
    const drawn = Object.values(VISITS).flatMap((visit) =>
      free.map((name) => [name, screenFor(name, visit)]),
    );
    expect(drawn.filter(([asked, screen]) => asked !== screen)).toEqual([]);
  });

  it('[ACT-03] a code that the link made needless leads to the congratulation, unless somebody is further', () => {
    const activated = { ...EMPTY_VISIT, activated: 'reg-7' };
    expect(screenFor('verifyOtp', activated)).toBe('congratulation');
    expect(screenFor('selectRoles', activated)).toBe('signIn');
    const signIn = { stage: 'complete', entrance: 'portal', email: null } as const;
    expect(screenFor('verifyOtp', { ...activated, signIn })).toBe('redirect');
  });

  it('the answer to an answer is the same: nobody is sent in circles', () => {
    const moving = Object.values(VISITS).flatMap((visit) =>
      NAMES.map((name) => screenFor(name, visit)).filter(
        (screen) => screenFor(screen, visit) !== screen,
      ),
    );
    expect(moving).toEqual([]);
  });
});

describe('stateFor: what a screen starts with after a reload', () => {
  const NEEDY = ['verifyOtp', 'redirect', 'selectRoles', 'setPassword'] as const;

  it('every screen that the rule allows has the state that it draws', () => {
    const idle = Object.entries(VISITS).flatMap(([name, visit]) =>
      NEEDY.filter((screen) => screenFor(screen, visit) === screen)
        .filter((screen) => stateFor(screen, 'portal', visit, 0).at === 'idle')
        .map((screen) => `${name}: ${screen}`),
    );
    expect(idle).toEqual([]);
  });

  it('[OTP-03] the countdown goes on from the server’s remainder, on any clock', () => {
    const code = { ...PENDING_OTP, remainingMs: 45_000 };
    expect(stateFor('verifyOtp', 'portal', { ...EMPTY_VISIT, code }, 7000)).toEqual({
      at: 'otp',
      step: 'ready',
      otp: code,
      deadline: 52_000,
      signUpData: null,
      hasOldPassword: false,
      problem: null,
    });
  });

  test.each([
    ['password', false],
    ['otp', false],
    ['verified', true],
    ['complete', true],
  ] as const)('[OTP-08] at %s the code counts as verified: %s', (stage, isOtpVerified) => {
    const visit = { ...EMPTY_VISIT, signIn: signIn(stage) };
    expect(stateFor('redirect', 'legalStaff', visit, 0)).toMatchObject({
      at: 'redirect',
      entrance: 'legalStaff',
      email: EMAIL,
      isOtpVerified,
      shown: 0,
    });
  });

  it('[ROL-01] the switcher has its list again, in a second tab too', () => {
    const login = loginWith(4, 6);
    expect(stateFor('selectRoles', 'portal', { ...EMPTY_VISIT, login }, 0)).toEqual({
      at: 'selectRole',
      step: 'ready',
      login,
      entrance: 'portal',
      problem: null,
    });
  });

  it('[OTP-10] the first password is asked for again', () => {
    const visit = { ...EMPTY_VISIT, proof: PROOF };
    expect(stateFor('setPassword', 'portal', visit, 0)).toEqual({
      at: 'setPassword',
      step: 'ready',
      proof: PROOF,
      problem: null,
    });
  });

  it('[SIN-01] sign-in starts empty, by the door that was used', () => {
    expect(stateFor('signIn', 'legalStaff', EMPTY_VISIT, 0)).toMatchObject({
      at: 'signIn',
      entrance: 'legalStaff',
      credentials: null,
    });
    expect(stateFor('signUp', 'portal', EMPTY_VISIT, 0)).toMatchObject({
      at: 'signUp',
      request: null,
    });
  });

  it('without what it needs, a screen has no state', () => {
    const states = ['verifyOtp', 'selectRoles', 'setPassword', 'help'] as const;
    expect(states.map((screen) => stateFor(screen, 'portal', EMPTY_VISIT, 0).at)).toEqual(
      states.map(() => 'idle'),
    );
  });
});
