import { expect, it } from 'vitest';
import { otpState } from '#domain/flow/enter-otp.ts';
import { EMPTY_SIGN_IN, redirectState } from '#domain/flow/initial-state.ts';
import type { PendingOtp } from '#domain/visit.ts';
import { historyStateOf } from './history-state.ts';

const CODE: PendingOtp = {
  id: 'code-1',
  userId: 7,
  registrationId: 'reg-1',
  signUpPlatform: 1,
  email: 'margaret@example.org',
  otpType: 'USER_ACTIVATION',
  mode: 'signUp',
  entryPoint: 'portal',
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

it('[SUP-19] carries the sign-up data without the password', () => {
  const data = {
    subtenantId: 3,
    firstName: 'Margaret',
    lastName: 'Okafor',
    dialCode: '+1',
    phone: '5550142290',
    email: 'margaret@example.org',
    promoCode: 'WELCOME30',
  };
  expect(historyStateOf(otpState(CODE, 0, data), 3)?.user).toEqual({
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
  const state = redirectState({ entryPoint: 'portal', email: null, isOtpVerified: true });
  expect(historyStateOf(state, 742)).toEqual({ otpVerified: true });
});

it('never carries what was typed at sign-in', () => {
  const credentials = { email: 'a@b.org', password: 'secret' };
  expect(historyStateOf({ ...EMPTY_SIGN_IN, credentials }, 742)).toBeNull();
});

it('[SCR-02] carries what was achieved, for a reload of the page that says so', () => {
  expect(historyStateOf({ at: 'done', message: 'created' }, 742)).toEqual({ done: 'created' });
});
