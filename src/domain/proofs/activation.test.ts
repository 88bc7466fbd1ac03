import { describe, expect, it, test } from 'vitest';
import { ACTIVATION_MODES, activationStep, SIGN_UP_PLATFORM, TRIAL_DAYS } from './activation.ts';

describe('activationStep', () => {
  test.each([
    ['[OTP-11] platform 1 is activated directly', false, 1, 'activate'],
    ['[OTP-11] platform 12 is activated directly', false, 12, 'activate'],
    ['[OTP-10] any other platform sets a password first', false, 2, 'setPassword'],
    ['[OTP-10] platform 11 is neither 1 nor 12', false, 11, 'setPassword'],
    [
      '[OTP-09] an account with a password is activated with it',
      true,
      1,
      'activateWithOldPassword',
    ],
    ['[OTP-09] … whatever its platform', true, 5, 'activateWithOldPassword'],
  ])('%s', (_rule, hasAuthAccount, platform, step) => {
    expect(activationStep(hasAuthAccount, platform)).toBe(step);
  });
});

it('[SUP-15] [SUP-16] sign-up is platform 1, three outcomes, and a trial of 30 days', () => {
  expect(SIGN_UP_PLATFORM).toBe(1);
  expect(ACTIVATION_MODES).toEqual(['VERIFY_OTP', 'ACTIVATE_USER', 'ROLE_MAPPED']);
  expect(TRIAL_DAYS).toBe(30);
});
