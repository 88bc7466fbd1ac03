import { describe, expect, it, test } from 'vitest';
import { ACCOUNT, at, PENDING_OTP, REQUEST, run, SIGN_UP_DATA } from '../testing/samples.ts';
import { EMPTY_SIGN_UP } from './initial-state.ts';
import type { FlowEvent } from './event.ts';

const submitted: FlowEvent = { type: 'signUpSubmitted', request: REQUEST };
const created = (mode: 'VERIFY_OTP' | 'ACTIVATE_USER' | 'ROLE_MAPPED'): FlowEvent => ({
  type: 'userCreated',
  account: ACCOUNT,
  mode,
});
const otpSent: FlowEvent = { type: 'otpSent', otp: PENDING_OTP };
const failed: FlowEvent = { type: 'failed' };
const general = { do: 'toast', tone: 'warning', say: { key: 'general' } };
const EMAIL_IN_USE = { where: 'field', field: 'email', say: { key: 'emailInUse' } };

const SURVEY = [{ subjectId: 213, responseId: 418, text: '' }];
const withSurvey: FlowEvent = { type: 'signUpSubmitted', request: { ...REQUEST, survey: SURVEY } };
const academy: FlowEvent = { type: 'signUpSubmitted', request: { ...REQUEST, subtenantId: 3 } };
const academyWithSurvey: FlowEvent = {
  type: 'signUpSubmitted',
  request: { ...REQUEST, subtenantId: 3, survey: SURVEY },
};

describe('a new account', () => {
  it('[SUP-16] the form becomes one request to create the user', () => {
    const { state, effects } = run(EMPTY_SIGN_UP, [submitted]);
    expect(state).toEqual({ ...EMPTY_SIGN_UP, step: 'creating', request: REQUEST });
    expect(effects).toEqual([{ do: 'createUser', request: REQUEST }]);
  });

  it('[SUP-19] VERIFY_OTP: a code is asked for, and the form with its password is forgotten', () => {
    const { state, effects } = run(EMPTY_SIGN_UP, [submitted, created('VERIFY_OTP')]);
    expect(state).toEqual({
      ...EMPTY_SIGN_UP,
      step: 'sendingOtp',
      account: ACCOUNT,
      data: SIGN_UP_DATA,
    });
    expect(effects.slice(1)).toEqual([{ do: 'sendOtp', userId: 7, otpType: 'USER_ACTIVATION' }]);
  });

  it('[SUP-17] with survey answers, these are saved with the new user id first', () => {
    const { effects } = run(EMPTY_SIGN_UP, [withSurvey, created('VERIFY_OTP')]);
    expect(effects.slice(1)).toEqual([
      { do: 'saveSurvey', userId: 7, answers: SURVEY },
      { do: 'sendOtp', userId: 7, otpType: 'USER_ACTIVATION' },
    ]);
  });

  it('[SUP-19] [OTP-06] the sent code leads to its screen, with the message', () => {
    const { state, effects } = run(EMPTY_SIGN_UP, [submitted, created('VERIFY_OTP'), otpSent], 50);
    const expected = {
      step: 'ready',
      otp: PENDING_OTP,
      deadline: 120_050,
      signUpData: SIGN_UP_DATA,
    };
    expect(at(state, 'otp')).toMatchObject(expected);
    expect(effects.slice(2)).toEqual([
      { do: 'toast', tone: 'success', say: 'otpSent' },
      { do: 'show', screen: 'verifyOtp' },
    ]);
  });
});

describe('an address that is known', () => {
  it('[SUP-18] [L5] ROLE_MAPPED in the academy: the email field says so, then congratulation, with the warning', () => {
    const mapped = run(EMPTY_SIGN_UP, [academy, created('ROLE_MAPPED')]);
    expect(mapped.state).toEqual({ ...EMPTY_SIGN_UP, step: 'leaving', problem: EMAIL_IN_USE });
    expect(mapped.effects.slice(1)).toEqual([{ do: 'pause', ms: 1000 }]);
    const { state, effects } = run(mapped.state, [{ type: 'paused' }]);
    expect(state).toEqual({ at: 'done', message: 'created', isKnown: true });
    expect(effects).toEqual([
      { do: 'toast', tone: 'warning', say: { key: 'emailInUse' } },
      { do: 'show', screen: 'congratulation' },
    ]);
  });

  it('[SUP-17] [SUP-18] ROLE_MAPPED in the academy saves the survey too, and sends no code', () => {
    const { effects } = run(EMPTY_SIGN_UP, [academyWithSurvey, created('ROLE_MAPPED')]);
    const asked = effects.map((effect) => effect.do);
    expect(asked).toEqual(['createUser', 'saveSurvey', 'pause']);
  });

  it('[SUP-18] [SUP-21] ROLE_MAPPED elsewhere: the email-already-used error on the email field', () => {
    const { state, effects } = run(EMPTY_SIGN_UP, [withSurvey, created('ROLE_MAPPED')]);
    expect(state).toEqual({ ...EMPTY_SIGN_UP, problem: EMAIL_IN_USE });
    expect(effects.slice(1)).toEqual([]);
  });

  it('[SUP-21] ACTIVATE_USER: the email-already-used error on the email field', () => {
    const { state, effects } = run(EMPTY_SIGN_UP, [academyWithSurvey, created('ACTIVATE_USER')]);
    expect(state).toEqual({ ...EMPTY_SIGN_UP, problem: EMAIL_IN_USE });
    expect(effects.slice(1)).toEqual([]);
  });

  it('[SUP-21] refused without another reason: the address is in use', () => {
    const { state, effects } = run(EMPTY_SIGN_UP, [submitted, { type: 'emailInUse' }]);
    expect(state).toEqual({ ...EMPTY_SIGN_UP, problem: EMAIL_IN_USE });
    expect(effects.slice(1)).toEqual([]);
  });

  test.each([
    ['email', 'The first server message'],
    ['promo', 'Not this code'],
    ['password', 'Easy to guess'],
  ] as const)("[SUP-21] [SEC-01] refused for the %s: the server's words there", (field, text) => {
    const { state, effects } = run(EMPTY_SIGN_UP, [
      submitted,
      { type: 'fieldRefused', field, text },
    ]);
    expect(state).toEqual({ ...EMPTY_SIGN_UP, problem: { where: 'field', field, say: { text } } });
    expect(effects.slice(1)).toEqual([]);
  });
});

describe('failures', () => {
  it('[SUP-21] before the account exists: the general toast, and nothing to repeat but the form', () => {
    const { state, effects } = run(EMPTY_SIGN_UP, [submitted, failed]);
    expect(state).toEqual({
      ...EMPTY_SIGN_UP,
      problem: { where: 'form', say: { key: 'general' }, canRetry: false },
    });
    expect(effects.slice(1)).toEqual([general]);
    const again = run(state, [{ type: 'sendOtpAgain' }]);
    expect(again).toEqual({ state, effects: [] });
  });

  it('[SUP-21] once the account exists: "Try again" repeats the sending only', () => {
    const { state, effects } = run(EMPTY_SIGN_UP, [submitted, created('VERIFY_OTP'), failed]);
    expect(at(state, 'signUp').problem).toMatchObject({ canRetry: true });
    expect(effects.at(-1)).toEqual(general);
    const again = run(state, [{ type: 'sendOtpAgain' }]);
    expect(again.state).toEqual({
      ...EMPTY_SIGN_UP,
      step: 'sendingOtp',
      account: ACCOUNT,
      data: SIGN_UP_DATA,
    });
    expect(again.effects).toEqual([{ do: 'sendOtp', userId: 7, otpType: 'USER_ACTIVATION' }]);
  });

  it('a form sent anew forgets the account of the one before, so that no retry can reach it', () => {
    const other = { ...REQUEST, email: 'other@example.org' };
    const { state } = run(EMPTY_SIGN_UP, [
      submitted,
      created('VERIFY_OTP'),
      failed,
      { type: 'signUpSubmitted', request: other },
      failed,
    ]);
    expect(at(state, 'signUp')).toMatchObject({ account: null, problem: { canRetry: false } });
    expect(run(state, [{ type: 'sendOtpAgain' }]).effects).toEqual([]);
  });

  it('[SUP-20] a session that ended is a failure here: nobody is signed in at sign-up', () => {
    const { state, effects } = run(EMPTY_SIGN_UP, [submitted, { type: 'sessionEnded' }]);
    expect(state).toMatchObject({ at: 'signUp', step: 'ready', request: null });
    expect(effects.at(-1)).toEqual(general);
  });

  it('a limit says how long to wait, and the form can be sent again', () => {
    const told = run(EMPTY_SIGN_UP, [submitted, { type: 'captchaFailed', text: 'Call us' }]);
    expect(told.state).toMatchObject({ step: 'ready', problem: { say: { text: 'Call us' } } });
    const { state, effects } = run(EMPTY_SIGN_UP, [submitted, { type: 'limited', minutes: 12 }]);
    expect(state).toEqual({
      ...EMPTY_SIGN_UP,
      problem: { where: 'form', say: { key: 'tooMany', minutes: 12 }, canRetry: false },
    });
    expect(effects.slice(1)).toEqual([]);
    expect(run(state, [submitted]).effects).toHaveLength(1);
  });

  it('a created user that nobody waits for asks for nothing', () => {
    const { state, effects } = run(EMPTY_SIGN_UP, [created('VERIFY_OTP')]);
    expect(at(state, 'signUp').account).toBeNull();
    expect(effects).toEqual([]);
  });
});

it('a second press while the request is under way is ignored', () => {
  const { state, effects } = run(EMPTY_SIGN_UP, [submitted, academy, { type: 'sendOtpAgain' }]);
  expect(at(state, 'signUp').request).toEqual(REQUEST);
  expect(effects).toHaveLength(1);
  const sending = run(state, [created('VERIFY_OTP'), submitted, { type: 'sendOtpAgain' }]);
  expect(sending.effects).toEqual([{ do: 'sendOtp', userId: 7, otpType: 'USER_ACTIVATION' }]);
});
