import { describe, expect, it, test } from 'vitest';
import { reduce } from './flow.ts';
import { at, PENDING_OTP, run, SIGN_IN_OTP } from '../testing/samples.ts';
import type { PendingOtp } from './visit.ts';
import { otpState } from './enter-otp.ts';
import type { FlowEvent } from './event.ts';

const submit = (digits: string): FlowEvent => ({ type: 'otpSubmitted', digits });
const entry = (otp: PendingOtp = PENDING_OTP) => otpState(otp, 0);
const otp = (key: string) => ({ where: 'field', field: 'otp', say: { key } });
const warn = (key: string) => ({ do: 'toast', tone: 'warning', say: { key } });
const failed: FlowEvent = { type: 'failed' };
const PROOF = {
  otpId: 'code-1',
  userId: 7,
  registrationId: 'reg-7',
  signUpPlatform: 1,
  email: 'margaret@example.org',
};

describe('typing a code', () => {
  test.each([
    ['[OTP-05] "An empty code gives \'Please enter OTP\'"', '', 'otpRequired'],
    ['[OTP-05] "Fewer than 6 digits gives the shared invalid-OTP message"', '40729', 'otpInvalid'],
  ])('%s, without a call', (_rule, digits, key) => {
    const { state, effects } = run(entry(), [submit(digits)]);
    expect(state).toEqual({ ...entry(), problem: otp(key) });
    expect(effects).toEqual([]);
  });

  it('[OTP-13] six digits are sent with the code they are for', () => {
    const { state, effects } = run(entry(), [submit('007291')]);
    expect(state).toEqual({ ...entry(), step: 'verifying' });
    expect(effects).toEqual([{ do: 'verifyOtp', otp: PENDING_OTP, digits: '007291' }]);
  });

  it('[OTP-07] "Verifying after the countdown has expired gives \'OTP Expired\'", by the clock, to the millisecond', () => {
    const inTime = reduce(entry(), submit('407291'), 119_999);
    expect(inTime.effects).toHaveLength(1);
    const late = reduce(entry(), submit('407291'), 120_000);
    expect(late.state).toEqual({ ...entry(), problem: otp('otpExpired') });
    expect(late.effects).toEqual([warn('otpExpired')]);
  });

  it('[OTP-05] after the countdown an unfinished code is still called unfinished', () => {
    expect(at(reduce(entry(), submit('1'), 500_000).state, 'otp').problem).toEqual(
      otp('otpInvalid'),
    );
  });

  it('[OTP-05] "\'Invalid Otp.\' (warning) on a wrong code": the countdown goes on', () => {
    const sent = run(entry(), [submit('407291')]).state;
    const { state, effects } = reduce(sent, { type: 'otpRefused', reason: 'otpWrong' }, 40_000);
    expect(state).toEqual({ ...entry(), problem: otp('otpWrong') });
    expect(effects).toEqual([warn('otpWrong')]);
    expect(reduce(state, submit('407292'), 40_001).effects).toHaveLength(1);
  });

  test.each(['otpExpired', 'otpDead'] as const)(
    '[OTP-07] a code that the server calls %s is over now: a new one may be asked for at once',
    (reason) => {
      const sent = run(entry(), [submit('407291')]).state;
      const { state, effects } = reduce(sent, { type: 'otpRefused', reason }, 40_000);
      expect(state).toEqual({ ...entry(), deadline: 40_000, problem: otp(reason) });
      expect(effects).toEqual([warn(reason)]);
      expect(reduce(state, { type: 'resendAsked' }, 40_000).effects).toHaveLength(1);
    },
  );

  it('a new try takes the old message away', () => {
    const { state } = run(entry(), [submit(''), submit('407291')]);
    expect(at(state, 'otp').problem).toBeNull();
  });
});

describe('a new code', () => {
  it('[OTP-03] "Resend is disabled until it reaches zero", and a press before is told so', () => {
    expect(reduce(entry(), { type: 'resendAsked' }, 119_999)).toEqual({
      state: { ...entry(), problem: { where: 'form', say: { key: 'tooSoon' }, canRetry: false } },
      effects: [],
    });
    const asked = reduce(entry(), { type: 'resendAsked' }, 120_000);
    expect(asked.state).toEqual({ ...entry(), step: 'resending' });
    expect(asked.effects).toEqual([{ do: 'resendOtp', otp: PENDING_OTP }]);
  });

  it('[OTP-03] [OTP-06] "Resend restarts the countdown … and asks the server for a new code"', () => {
    const asked = reduce(entry(), { type: 'resendAsked' }, 120_000).state;
    const fresh = { ...PENDING_OTP, id: 'code-9' };
    const { state, effects } = reduce(asked, { type: 'otpSent', otp: fresh }, 121_000);
    expect(state).toEqual(otpState(fresh, 121_000));
    expect(at(state, 'otp').deadline).toBe(241_000);
    expect(effects).toEqual([{ do: 'toast', tone: 'success', say: 'otpSent' }]);
  });

  it('[OTP-03] when the server says that it is too soon, the countdown takes over its remainder', () => {
    const asked = reduce(entry(), { type: 'resendAsked' }, 120_000).state;
    const { state } = reduce(asked, { type: 'resendTooSoon', waitMs: 7000 }, 121_000);
    expect(state).toEqual({
      ...entry(),
      deadline: 128_000,
      problem: { where: 'form', say: { key: 'tooSoon' }, canRetry: false },
    });
  });

  it('[R17] a message failed: a new code by the other way, also before the time is up', () => {
    const asked = reduce(entry(), { type: 'otherWayAsked', medium: 3 }, 5000);
    expect(asked.state).toEqual({ ...entry(), step: 'resending' });
    expect(asked.effects).toEqual([{ do: 'resendOtp', otp: { ...PENDING_OTP, medium: 3 } }]);
    const busy = run(entry(), [submit('407291')]).state;
    expect(reduce(busy, { type: 'otherWayAsked', medium: 3 }, 5000)).toEqual({
      state: busy,
      effects: [],
    });
  });

  it('[OTP-03] more time moves the deadline to what the server gave, from now', () => {
    const asked = reduce(entry(), { type: 'moreTimeAsked' }, 100_000);
    expect(asked.state).toEqual({ ...entry(), step: 'extending' });
    expect(asked.effects).toEqual([{ do: 'extendOtp', otp: PENDING_OTP }]);
    const given: FlowEvent = { type: 'otpExtended', remainingMs: 90_000, canExtend: false };
    const { state, effects } = reduce(asked.state, given, 101_000);
    const extended = at(state, 'otp');
    expect(extended).toMatchObject({ step: 'ready', deadline: 191_000 });
    expect(extended.otp).toEqual({ ...PENDING_OTP, remainingMs: 90_000, canExtend: false });
    expect(effects).toEqual([]);
    expect(reduce(state, submit('407291'), 190_999).effects).toHaveLength(1);
  });

  it('[VOI-04] a call moves the deadline as well, and a refused one says why', () => {
    const asked = reduce(entry(), { type: 'callAsked' }, 100_000);
    expect(asked.state).toEqual({ ...entry(), step: 'calling' });
    expect(asked.effects).toEqual([{ do: 'callOtp', otp: PENDING_OTP }]);
    const called: FlowEvent = { type: 'otpCalled', remainingMs: 90_000, canExtend: false };
    const { state } = reduce(asked.state, called, 101_000);
    expect(at(state, 'otp')).toMatchObject({ step: 'ready', deadline: 191_000, calls: 1 });
    const { state: refused } = reduce(asked.state, { type: 'callRefused', text: 'No' }, 101_000);
    expect(at(refused, 'otp')).toMatchObject({ step: 'ready', problem: { say: { text: 'No' } } });
  });
});

describe('a right code', () => {
  const verified: FlowEvent = { type: 'otpVerified' };

  it('[OTP-08] at sign-in: on to /Account/Redirect with otpVerified true, by the same door', () => {
    const otp = { ...SIGN_IN_OTP, entrance: 'legalStaff' as const };
    const { state, effects } = run(entry(otp), [submit('407291'), verified]);
    expect(at(state, 'redirect')).toMatchObject({
      isOtpVerified: true,
      email: otp.email,
      entrance: 'legalStaff',
      shown: 0,
    });
    expect(effects.slice(1)).toEqual([
      { do: 'show', screen: 'redirect', entrance: 'legalStaff' },
      { do: 'checkSession', loginTicket: null },
      expect.objectContaining({ do: 'pause' }),
    ]);
  });

  test.each(['signUp', 'activation'] as const)(
    '[OTP-09] at %s: "the server is asked whether the user already has an authentication account"',
    (mode) => {
      const { state, effects } = run(entry({ ...PENDING_OTP, mode }), [submit('407291'), verified]);
      expect(at(state, 'otp').step).toBe('activating');
      expect(effects.slice(1)).toEqual([{ do: 'checkAuthUser', email: PENDING_OTP.email }]);
    },
  );

  const proven = (otp: PendingOtp = PENDING_OTP) =>
    run(entry(otp), [submit('407291'), verified]).state;
  const asked = (isAuthUser: boolean): FlowEvent => ({ type: 'authUserChecked', isAuthUser });

  test.each([
    [1, false],
    [12, false],
    [1, true],
    [5, true],
  ])('[OTP-09] [OTP-11] platform %i, account %s: activated', (signUpPlatform, isAuthUser) => {
    const { state, effects } = run(proven({ ...PENDING_OTP, signUpPlatform }), [asked(isAuthUser)]);
    expect(at(state, 'otp')).toMatchObject({ step: 'activating', hasOldPassword: isAuthUser });
    expect(effects).toEqual([
      { do: 'activate', proof: { ...PROOF, signUpPlatform }, password: null },
    ]);
  });

  it('[OTP-10] "If not, and the sign-up platform is not 1 or 12, the user goes to set password"', () => {
    const { state, effects } = run(proven({ ...PENDING_OTP, signUpPlatform: 5 }), [asked(false)]);
    expect(state).toEqual({
      at: 'setPassword',
      step: 'ready',
      proof: { ...PROOF, signUpPlatform: 5 },
      problem: null,
    });
    expect(effects).toEqual([{ do: 'show', screen: 'setPassword' }]);
  });

  test.each([
    ['[OTP-11]', 'signUp', false, 'created'],
    ['[OTP-11]', 'activation', false, 'activated'],
    ['[OTP-09]', 'signUp', true, 'oldPassword'],
    ['[OTP-09]', 'activation', true, 'oldPassword'],
  ] as const)(
    '%s [SCR-02] at %s, old password %s: congratulation says %s',
    (_id, mode, isAuthUser, message) => {
      const { state, effects } = run(proven({ ...PENDING_OTP, mode }), [
        asked(isAuthUser),
        { type: 'activated' },
      ]);
      expect(state).toEqual({ at: 'done', message });
      expect(effects.slice(1)).toEqual([
        { do: 'toast', tone: 'success', say: message },
        { do: 'show', screen: 'congratulation' },
      ]);
    },
  );

  it('[PRF-02] proven by a text: the congratulation is about the phone, here and in another tab', () => {
    const byPhone = { at: 'done', message: 'created', isByPhone: true };
    const here = run(proven(), [asked(false), { type: 'activated', isByPhone: true }]);
    expect(here.state).toEqual(byPhone);
    const elsewhere = run(proven(), [{ type: 'confirmedElsewhere', isByPhone: true }]);
    expect(elsewhere.state).toEqual(byPhone);
  });

  it.each([[[]], [[asked(false)]]])(
    'a failure of the activation gives the form back, %j',
    (events) => {
      const { state, effects } = run(proven(), [...events, failed]);
      expect(at(state, 'otp')).toMatchObject({
        step: 'ready',
        problem: { say: { key: 'general' } },
      });
      expect(effects.at(-1)).toEqual(warn('general'));
      expect(run(state, [submit('407291')]).effects).toHaveLength(1);
    },
  );
});

describe('failures', () => {
  it('[OTP-05] a failed check gives the form back with the general message', () => {
    const { state, effects } = run(entry(), [submit('407291'), failed]);
    expect(state).toEqual({
      ...entry(),
      problem: { where: 'form', say: { key: 'general' }, canRetry: false },
    });
    expect(effects.slice(1)).toEqual([warn('general')]);
  });

  test.each([
    ['signUp', 'signUp'],
    ['signIn', 'signIn'],
    ['activation', 'signIn'],
  ] as const)('a step that was lost begins anew: %s at %s', (mode, fallback) => {
    const open = otpState({ ...PENDING_OTP, mode, entrance: 'legalStaff' }, 0);
    const { state, effects } = run(open, [submit('407291'), { type: 'stepLost' }]);
    expect(at(state, 'otp')).toMatchObject({ step: 'ready', problem: null });
    expect(effects.at(-1)).toEqual({ do: 'restart', fallback, entrance: 'legalStaff' });
  });

  it('[SUP-20] a session that ended leads to sign-in', () => {
    const { state, effects } = run(entry(), [submit('407291'), { type: 'sessionEnded' }]);
    expect(state).toEqual({ at: 'idle' });
    expect(effects.at(-1)).toEqual({ do: 'signInAgain', entrance: 'portal' });
  });
});

describe('while something is under way, nothing else is begun', () => {
  const PRESSES: readonly FlowEvent[] = [
    submit('407291'),
    submit(''),
    { type: 'resendAsked' },
    { type: 'moreTimeAsked' },
    { type: 'callAsked' },
    { type: 'addressGiven', email: 'maggie@example.org', phone: null },
  ];

  test.each(['verifying', 'resending', 'extending', 'calling', 'moving', 'activating'] as const)(
    '%s',
    (step) => {
      const busy = { ...entry(), step };
      const answers = PRESSES.map((press) => reduce(busy, press, 130_000));
      expect(answers).toEqual(PRESSES.map(() => ({ state: busy, effects: [] })));
    },
  );
});

describe('[ACT-03] the link beside the code was confirmed elsewhere', () => {
  const news: FlowEvent = { type: 'confirmedElsewhere' };

  it.each(['ready', 'verifying', 'activating'] as const)('while %s: congratulation', (step) => {
    const { state, effects } = reduce({ ...entry(), step }, news, 0);
    expect(state).toEqual({ at: 'done', message: 'created' });
    expect(effects.at(-1)).toEqual({ do: 'show', screen: 'congratulation' });
  });

  it('who came by the link reads that the account is active', () => {
    const { state } = reduce(entry({ ...PENDING_OTP, mode: 'activation' }), news, 0);
    expect(state).toEqual({ at: 'done', message: 'activated' });
  });

  it('is no sign-in', () => {
    const signIn = entry(SIGN_IN_OTP);
    expect(reduce(signIn, news, 0)).toEqual({ state: signIn, effects: [] });
  });
});

describe('"Not your address? Change it"', () => {
  const email = 'maggie@example.org';
  const given: FlowEvent = { type: 'addressGiven', email, phone: null };

  it('goes to the server, and a new code is waited for', () => {
    const { state, effects } = run(entry(), [given]);
    expect(state).toEqual({ ...entry(), step: 'moving' });
    expect(effects).toEqual([{ do: 'changeAddress', otp: PENDING_OTP, email, phone: null }]);
    const moved = { ...PENDING_OTP, id: 'code-9', userId: 9, email };
    const after = reduce(state, { type: 'addressChanged', otp: moved, phone: null }, 5000);
    expect(after.state).toMatchObject({
      at: 'otp',
      step: 'ready',
      otp: moved,
      deadline: 125_000,
    });
    expect(after.effects.at(-1)).toEqual({ do: 'show', screen: 'verifyOtp' });
  });

  it('an address in use is told on its field, and the old code still counts', () => {
    const refused: FlowEvent = { type: 'addressRefused', reason: 'emailInUse' };
    const { state } = run(entry(), [given, refused]);
    const problem = { where: 'field', field: 'email', say: { key: 'emailInUse' } };
    expect(state).toEqual({ ...entry(), problem });
  });

  it.each(['signIn', 'activation'] as const)('is not for %s', (mode) => {
    const other = entry({ ...PENDING_OTP, mode });
    expect(reduce(other, given, 0)).toEqual({ state: other, effects: [] });
  });
});
