import { describe, expect, it } from 'vitest';
import { reduce } from './flow.ts';
import { at, PENDING_OTP, PASSWORD, run } from '../testing/samples.ts';
import type { FlowState } from './state.ts';
import type { FlowEvent } from './event.ts';

const PROOF = {
  otpId: 'code-1',
  userId: 7,
  registrationId: 'reg-7',
  signUpPlatform: 5,
  email: 'margaret@example.org',
};
const OPEN: FlowState = { at: 'setPassword', step: 'ready', proof: PROOF, problem: null };
const chosen: FlowEvent = { type: 'passwordChosen', password: PASSWORD };

describe('the first password', () => {
  it('[OTP-10] activates the account, and is in the request only', () => {
    const { state, effects } = run(OPEN, [chosen, chosen]);
    expect(state).toEqual({ ...OPEN, step: 'activating' });
    expect(effects).toEqual([{ do: 'activate', proof: PROOF, password: PASSWORD }]);
  });

  it('[PWD-09] "Set-password success goes [to SuccessResetPassword] with state Set"', () => {
    const { state, effects } = run(OPEN, [chosen, { type: 'activated' }]);
    expect(state).toEqual({ at: 'done', message: 'passwordSet' });
    expect(effects.slice(1)).toEqual([
      { do: 'toast', tone: 'success', say: 'passwordSet' },
      { do: 'show', screen: 'passwordDone' },
    ]);
  });

  it('[PWD-08] a failure and a limit give the form back', () => {
    const failed = run(OPEN, [chosen, { type: 'failed' }]);
    expect(at(failed.state, 'setPassword')).toMatchObject({
      step: 'ready',
      problem: { say: { key: 'general' } },
    });
    expect(failed.effects.at(-1)).toMatchObject({ do: 'toast' });
    const limited = run(OPEN, [chosen, { type: 'limited', minutes: 4 }]).state;
    expect(at(limited, 'setPassword')).toMatchObject({
      step: 'ready',
      problem: { say: { key: 'tooMany', minutes: 4 } },
    });
  });

  it("[SEC-01] a password that anybody would guess: the server's words at the field, and the form again", () => {
    const refused: FlowEvent = { type: 'fieldRefused', field: 'password', text: 'Easy to guess' };
    const { state, effects } = run(OPEN, [chosen, refused]);
    expect(state).toEqual({
      ...OPEN,
      problem: { where: 'field', field: 'password', say: { text: 'Easy to guess' } },
    });
    expect(effects.slice(1)).toEqual([]);
  });

  it('a proof that was lost leads to where the visit is, or to sign-in', () => {
    const { state, effects } = run(OPEN, [chosen, { type: 'stepLost' }]);
    expect(at(state, 'setPassword').step).toBe('ready');
    expect(effects.at(-1)).toEqual({ do: 'restart', fallback: 'signIn' });
  });

  it('[SUP-20] a session that ended leads to sign-in', () => {
    const { state, effects } = run(OPEN, [chosen, { type: 'sessionEnded' }]);
    expect(state).toEqual({ at: 'idle' });
    expect(effects.at(-1)).toEqual({ do: 'signInAgain', entrance: 'portal' });
  });
});

describe('a followed activation link', () => {
  const link = {
    userId: 7,
    registrationId: 'reg-7',
    platform: 5,
    key: 'key-7',
    userActivationId: 'link-7',
  };
  const followed = run({ at: 'idle' }, [{ type: 'linkFollowed', link }]);
  const asked: FlowEvent = { type: 'linkOtpAsked' };

  it('[ACT-03] sends nothing by itself: mail scanners follow links too', () => {
    expect(at(followed.state, 'activation')).toMatchObject({ step: 'ready', link });
    expect(followed.effects).toEqual([]);
  });

  it('[ACT-03] asked, it sends one activation code and goes to its screen', () => {
    const { state, effects } = run(followed.state, [asked, asked]);
    expect(effects).toEqual([{ do: 'sendOtp', userId: 7, otpType: 'USER_ACTIVATION' }]);
    const sent = reduce(state, { type: 'otpSent', otp: { ...PENDING_OTP, mode: 'activation' } }, 0);
    expect(at(sent.state, 'otp').otp.mode).toBe('activation');
    expect(sent.effects.at(-1)).toEqual({ do: 'show', screen: 'verifyOtp' });
  });

  it.each(['failed', 'sessionEnded'] as const)(
    '[SUP-21] "any OTP send failure": the general message, and another try (%s)',
    (type) => {
      const { state, effects } = run(followed.state, [asked, { type }]);
      expect(at(state, 'activation')).toMatchObject({
        step: 'ready',
        problem: { say: { key: 'general' } },
      });
      expect(effects.at(-1)).toMatchObject({ do: 'toast', say: { key: 'general' } });
      expect(run(state, [asked]).effects).toHaveLength(1);
    },
  );
});
