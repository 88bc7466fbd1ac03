import { describe, expect, it, test } from 'vitest';
import { reduce } from './flow.ts';
import type { Entrance } from '../people/role-routing.ts';
import { at, loginWith, run, SIGN_IN_OTP } from '../testing/samples.ts';
import type { Login } from './visit.ts';
import { redirectState } from './initial-state.ts';
import { mayNeedCredential, openRedirect } from './redirect.ts';
import { STEP_GAP_MS } from './step-gap.ts';
import type { FlowEvent } from './event.ts';

const SEND_ON = 'm•••@example.org, ••• ••90';
const EMAIL = 'margaret@example.org';
const verified = (entrance: Entrance = 'portal') =>
  redirectState({ entrance, email: EMAIL, isOtpVerified: true });
const UNVERIFIED = redirectState({ entrance: 'portal', email: EMAIL, isOtpVerified: false });

const answer = { code: 'auth-code', state: 'state-1' };
const paused: FlowEvent = { type: 'paused' };
const session: FlowEvent = { type: 'sessionFound', answer };
const recorded = (login: Login): FlowEvent => ({ type: 'loginRecorded', login });
const times = (count: number) => Array.from({ length: count }, () => paused);

/** The whole way for a login, by a door. */
const arrive = (login: Login, entrance: Entrance = 'portal') =>
  run(verified(entrance), [session, recorded(login), ...times(5)]);

describe('[RED-05] a right password whose session the browser hides', () => {
  const opened = openRedirect({
    entrance: 'portal',
    email: EMAIL,
    isOtpVerified: false,
    loginTicket: 'ticket',
  });
  const unseen: readonly FlowEvent[] = [
    { type: 'loginRequired', help: 3 },
    { type: 'noPendingSignIn' },
  ];

  it('gets the help for its browser, not the sign-in page again', () => {
    const { state, effects } = run(opened.state, unseen);
    expect(at(state, 'redirect')).toMatchObject({
      isSendingOtp: false,
      problem: { where: 'privacy', help: 3 },
    });
    expect(effects).toEqual([{ do: 'loadUser', email: EMAIL }]);
  });

  it('without a password just now there is nothing to help with: to sign-in', () => {
    expect(run(UNVERIFIED, unseen).state.at).toBe('idle');
  });
});

describe('the progress texts', () => {
  it('[RED-01] come one at a time, each after a pause of 300 to 500 ms, then the way goes on', () => {
    let state = run(verified(), [session, recorded(loginWith(4, 6))]).state;
    const shown = [at(state, 'redirect').shown];
    const asked = [];
    for (const event of times(4)) {
      const transition = reduce(state, event, 0);
      state = transition.state;
      shown.push(at(state, 'redirect').shown);
      asked.push(transition.effects);
    }
    expect(shown).toEqual([0, 1, 2, 3, 4]);
    expect(asked).toEqual(times(4).map(() => [{ do: 'pause', ms: 'stepGap' }]));
    expect(STEP_GAP_MS).toEqual({ least: 300, usual: 400, most: 500 });
    expect(reduce(state, paused, 0).state.at).toBe('selectRole');
  });

  it('[RED-01] never run ahead of the events: no session, no step past its check', () => {
    const { state, effects } = run(verified(), times(6));
    expect(at(state, 'redirect')).toMatchObject({ shown: 2, isPaused: false });
    expect(effects).toHaveLength(2);
  });

  it('[RED-01] never run ahead of the events: no roles before the login is recorded', () => {
    const { state } = run(verified(), [session, ...times(6)]);
    expect(at(state, 'redirect')).toMatchObject({ shown: 3, isPaused: false });
  });

  it('[RED-01] an event that comes late sets the waiting progress going again', () => {
    const waiting = run(verified(), times(3)).state;
    const found = reduce(waiting, session, 0);
    expect(at(found.state, 'redirect')).toMatchObject({ shown: 3, isPaused: true });
    expect(found.effects).toEqual([
      { do: 'recordLogin', answer },
      { do: 'pause', ms: 'stepGap' },
    ]);
    const atRoles = reduce(found.state, paused, 0).state;
    const login = reduce(atRoles, recorded(loginWith(4, 6)), 0);
    expect(at(login.state, 'redirect').shown).toBe(4);
    expect(login.effects).toEqual([{ do: 'pause', ms: 'stepGap' }]);
  });

  it('[RED-01] an event that comes early shortens no pause', () => {
    const { state, effects } = run(verified(), [session, recorded(loginWith(4))]);
    expect(at(state, 'redirect')).toMatchObject({ shown: 0, isPaused: true });
    expect(effects).toEqual([{ do: 'recordLogin', answer }]);
  });

  it('[RED-01] stop where something went wrong', () => {
    const { state, effects } = run(verified(), [paused, { type: 'failed' }, ...times(4)]);
    expect(at(state, 'redirect').shown).toBe(1);
    expect(effects.filter((effect) => effect.do === 'pause')).toHaveLength(1);
  });
});

describe('the session check', () => {
  it('[RED-03] opened afresh, it checks the hosted session and begins at the first text', () => {
    const opened: FlowEvent = {
      type: 'redirectOpened',
      entrance: 'legalStaff',
      email: EMAIL,
      isOtpVerified: true,
    };
    const worn = run(verified(), [session, ...times(3), { type: 'failed' }]).state;
    for (const before of [{ at: 'idle' } as const, worn]) {
      const { state, effects } = reduce(before, opened, 0);
      expect(state).toEqual(verified('legalStaff'));
      expect(effects).toEqual([
        { do: 'checkSession', loginTicket: null },
        { do: 'pause', ms: 'stepGap' },
      ]);
    }
  });

  const help: FlowEvent = { type: 'loginRequired', help: 3 };

  it('[RED-03] no session and no otpVerified: the details, the code by both media, its screen', () => {
    const asked = run(UNVERIFIED, [help]);
    expect(asked.effects).toEqual([{ do: 'loadUser', email: EMAIL }]);
    expect(at(asked.state, 'redirect')).toMatchObject({ isSendingOtp: true, problem: null });
    const loaded = run(asked.state, [{ type: 'userLoaded', userId: 7, sendOn: SEND_ON }]);
    expect(loaded.effects).toEqual([
      { do: 'sendOtp', userId: 7, otpType: 'TWOFACTORAUTHENTICATION', sendOn: SEND_ON },
    ]);
    const sent = run(loaded.state, [{ type: 'otpSent', otp: SIGN_IN_OTP }]);
    expect(at(sent.state, 'otp').otp).toEqual(SIGN_IN_OTP);
    expect(sent.effects.at(-1)).toEqual({ do: 'show', screen: 'verifyOtp' });
  });

  it('[RED-03] asks for one code only, however often it is told', () => {
    const { effects } = run(UNVERIFIED, [help, help, { type: 'otpStepRequired' }]);
    expect(effects).toEqual([{ do: 'loadUser', email: EMAIL }]);
  });

  it('[RED-05] [GEN-10] login_required after a verified code: the privacy banner, and no new code', () => {
    const { state, effects } = run(verified(), [help]);
    expect(at(state, 'redirect').problem).toEqual({ where: 'privacy', help: 3 });
    expect(effects).toEqual([]);
  });

  it.each([true, false])(
    '[RED-03] a session whose code was not verified is sent one (fail closed), otpVerified %s',
    (isOtpVerified) => {
      const start = { ...UNVERIFIED, isOtpVerified };
      const { state, effects } = run(start, [session, { type: 'otpStepRequired' }]);
      expect(effects).toEqual([
        { do: 'recordLogin', answer },
        { do: 'loadUser', email: EMAIL },
      ]);
      expect(at(state, 'redirect').login).toBeNull();
    },
  );

  it('[RED-03] with neither a pending sign-in nor a session: to sign-in', () => {
    const { state, effects } = run(UNVERIFIED, [help, { type: 'noPendingSignIn' }]);
    expect(state).toEqual({ at: 'idle' });
    expect(effects.at(-1)).toEqual({ do: 'show', screen: 'signIn', entrance: 'portal' });
  });

  const timedOut: FlowEvent = { type: 'checkTimedOut' };
  const again = { do: 'checkSession', loginTicket: null };

  it('[RED-03] no answer in time, before the code: the code that the server knows of is the next step', () => {
    const { state, effects } = run(UNVERIFIED, [
      timedOut,
      { type: 'userLoaded', userId: 7, sendOn: SEND_ON },
    ]);
    expect(effects.map((effect) => effect.do)).toEqual(['loadUser', 'sendOtp']);
    expect(at(state, 'redirect').problem).toBeNull();
  });

  it('[RED-03] B11: a check that was late itself is repeated once with its ticket, then it can be tried again', () => {
    const unknown: FlowEvent = { type: 'noPendingSignIn' };
    const { state: begun } = openRedirect({
      entrance: 'portal',
      email: 'ada@example.test',
      isOtpVerified: false,
      loginTicket: 'ticket',
    });
    const once = run(begun, [timedOut, unknown]);
    expect(once.effects.at(-1)).toEqual({ do: 'checkSession', loginTicket: 'ticket' });
    expect(at(once.state, 'redirect')).toMatchObject({ isSendingOtp: false, problem: null });
    const known: FlowEvent = { type: 'userLoaded', userId: 7, sendOn: SEND_ON };
    for (const answered of [{ type: 'loginRequired', help: 3 }, timedOut] as FlowEvent[]) {
      const { effects } = run(once.state, [answered, known]);
      expect(effects.map((effect) => effect.do)).toEqual(['loadUser', 'sendOtp']);
    }
    const twice = run(once.state, [timedOut, unknown]);
    expect(at(twice.state, 'redirect').problem).toEqual({
      where: 'form',
      say: { key: 'tooSlow' },
      canRetry: true,
    });
    expect(twice.effects.map((effect) => effect.do)).toEqual(['loadUser']);
  });

  it('[RED-04] no answer in time, after the code: checked once more, then told', () => {
    const once = run(verified(), [timedOut]);
    expect(once.effects).toEqual([again]);
    expect(run(once.state, [session]).effects).toEqual([{ do: 'recordLogin', answer }]);
    const twice = run(once.state, [timedOut]);
    expect(at(twice.state, 'redirect').problem).toMatchObject({ say: { key: 'tooSlow' } });
    expect(twice.effects).toEqual([]);
  });

  it('[RED-04] a session is recorded at once', () => {
    expect(run(verified(), [session]).effects).toEqual([{ do: 'recordLogin', answer }]);
  });
});

describe('by role', () => {
  it('[RED-06] one way only: the hand-off is asked for once, with no choice', () => {
    const { state, effects } = arrive(loginWith(4));
    expect(effects.at(-1)).toEqual({ do: 'issueHandoff', choice: null, entrance: 'portal' });
    expect(effects.filter((effect) => effect.do === 'issueHandoff')).toHaveLength(1);
    const left = run(state, [{ type: 'handoffIssued', url: 'https://m.test/' }]);
    expect(left).toEqual({
      state: { at: 'left' },
      effects: [{ do: 'leave', url: 'https://m.test/' }],
    });
  });

  it('[RED-07] several ways: the switcher, with the login', () => {
    const login = loginWith(4, 6);
    const { state, effects } = arrive(login);
    expect(state).toEqual({
      at: 'selectRole',
      step: 'ready',
      login,
      entrance: 'portal',
      problem: null,
    });
    expect(effects.at(-1)).toEqual({ do: 'show', screen: 'selectRoles' });
  });

  it('[RED-09] staff by the staff door: the hand-off of that door', () => {
    expect(arrive(loginWith(3), 'legalStaff').effects.at(-1)).toEqual({
      do: 'issueHandoff',
      choice: null,
      entrance: 'legalStaff',
    });
  });

  it("[RED-02] 'You are not staff; try using the button below.'", () => {
    const { state, effects } = arrive(loginWith(1), 'legalStaff');
    expect(at(state, 'redirect').problem).toEqual({
      where: 'form',
      say: { key: 'notStaff' },
      canRetry: false,
    });
    expect(effects.map((effect) => effect.do)).not.toContain('issueHandoff');
  });

  it('[RED-06] no role left: UnAuthorizedAccess', () => {
    const { state, effects } = arrive(loginWith(2, 7));
    expect(state).toEqual({ at: 'idle' });
    expect(effects.at(-1)).toEqual({ do: 'show', screen: 'unauthorized' });
  });

  it('[RED-12] three hand-offs in a row stop with an explanation', () => {
    const { state } = run(arrive(loginWith(4)).state, [
      { type: 'handoffRefused', say: { key: 'handoffLoop' } },
    ]);
    expect(at(state, 'redirect').problem).toMatchObject({ say: { key: 'handoffLoop' } });
  });

  test.each<readonly [readonly number[], Entrance, boolean]>([
    [[4], 'portal', false],
    [[9, 17], 'portal', false],
    [[20], 'portal', true],
    [[3], 'legalStaff', true],
    [[3], 'portal', true],
    [[4, 6], 'portal', true],
    [[1], 'legalStaff', false],
    [[2], 'portal', false],
  ])('[RED-12] roles %j by %s may still need the sealed password: %s', (roleIds, entrance, may) => {
    expect(mayNeedCredential(loginWith(...roleIds), entrance)).toBe(may);
  });
});

describe('failures', () => {
  it.each([[[]], [[session]], [[session, recorded(loginWith(4)), ...times(5)]]])(
    '[RED-01] can be tried again, after %j',
    (events) => {
      const { state, effects } = run(verified(), [...events, { type: 'failed' }]);
      expect(at(state, 'redirect').problem).toEqual({
        where: 'form',
        say: { key: 'general' },
        canRetry: true,
      });
      expect(effects.at(-1)).toMatchObject({ do: 'toast', say: { key: 'general' } });
    },
  );

  it('[SUP-21] so does a code that could not be sent', () => {
    const { state, effects } = run(UNVERIFIED, [
      { type: 'loginRequired', help: 2 },
      { type: 'userLoaded', userId: 7, sendOn: SEND_ON },
      { type: 'failed' },
    ]);
    expect(at(state, 'redirect').problem).toMatchObject({ canRetry: true });
    expect(effects.at(-1)).toMatchObject({ do: 'toast', say: { key: 'general' } });
  });

  it('[SUP-20] a session that ended leads to the sign-in of the same door', () => {
    const { state, effects } = run(verified('legalStaff'), [session, { type: 'sessionEnded' }]);
    expect(state).toEqual({ at: 'idle' });
    expect(effects.at(-1)).toEqual({ do: 'signInAgain', entrance: 'legalStaff' });
  });
});
