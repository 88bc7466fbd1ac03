import { expect, it } from 'vitest';
import { otpState } from '#domain/flow/enter-otp.ts';
import { EMPTY_SIGN_IN, redirectState } from '#domain/flow/initial-state.ts';
import type { PendingOtp } from '#domain/flow/visit.ts';
import { historyStateOf, signUpDataIn } from './history-state.ts';

const CODE: PendingOtp = {
  id: 'code-1',
  userId: 7,
  registrationId: 'reg-1',
  signUpPlatform: 1,
  email: 'margaret@example.org',
  otpType: 'USER_ACTIVATION',
  mode: 'signUp',
  entrance: 'portal',
  medium: 4,
  sentTo: { email: 'm•••@example.org', phone: '••• ••90' },
  remainingMs: 120_000,
  canExtend: true,
};

it('[SUP-19] carries the specified keys to code entry', () => {
  expect(historyStateOf(otpState(CODE, 0), 3)).toEqual({
    createId: 7,
    Id: 'code-1',
    userRegisteredId: 'reg-1',
    otpSendOn: 'm•••@example.org, ••• ••90',
    otpSendMedium: 4,
    subtenantId: 3,
    emailAddress: 'margaret@example.org',
    signUpPlateform: 1,
    typeOfPage: 'signup',
  });
});

it('[PWD-09] A9: carries the state Set to the page of a first password', () => {
  const done = { at: 'done', message: 'passwordSet', isByPhone: false } as const;
  expect(historyStateOf(done, 742)).toEqual({ done: 'passwordSet', state: 'Set' });
});

it('[SUP-19] [V6] carries the sign-up data without the password, and gives it back', () => {
  const data = {
    subtenantId: 3,
    firstName: 'Margaret',
    lastName: 'Okafor',
    country: 'US',
    dialCode: '+1',
    phone: '5550142290',
    email: 'margaret@example.org',
    promoCode: 'WELCOME30',
    survey: [{ subjectId: 213, responseId: 412, text: '' }],
  };
  const entry = historyStateOf(otpState(CODE, 0, data), 3);
  // What the form needs when somebody comes back to it.
  expect(signUpDataIn(entry, 3)).toEqual(data);
  expect(entry?.user).toEqual({
    firstName: 'Margaret',
    lastName: 'Okafor',
    emailAddress: 'margaret@example.org',
    userName: 'margaret@example.org',
    countryCode: '+1',
    mobileNumber: '5550142290',
    packageCode: 'WELCOME30',
  });
});

it('[OTP-08] tells the redirect screen that the code was right', () => {
  const state = redirectState({ entrance: 'portal', email: null, isOtpVerified: true });
  expect(historyStateOf(state, 742)).toEqual({ otpVerified: true });
});

it('never carries what was typed at sign-in', () => {
  const credentials = { email: 'a@b.org', password: 'secret' };
  expect(historyStateOf({ ...EMPTY_SIGN_IN, credentials }, 742)).toBeNull();
});

it('[SCR-02] carries what was achieved, for a reload of the page that says so', () => {
  expect(historyStateOf({ at: 'done', message: 'created' }, 742)).toEqual({ done: 'created' });
  const byPhone = { at: 'done', message: 'created', isByPhone: true } as const;
  expect(historyStateOf(byPhone, 742)).toEqual({ done: 'created', byPhone: true });
});

it.each([null, 'text', { done: 'created' }, { user: 7 }, { user: { firstName: 7 } }])(
  '[V6] reads no form out of another entry: %j',
  (entry) => {
    expect(signUpDataIn(entry, 742)).toBeNull();
  },
);

it('[V6] drops what does not fit', () => {
  const entry = { user: { firstName: 'Ada', mobileNumber: {} }, survey: [{ text: 7 }, 'x'] };
  expect(signUpDataIn(entry, 742)).toMatchObject({
    firstName: 'Ada',
    lastName: '',
    phone: '',
    promoCode: null,
    survey: [],
  });
});
