import { removeNewWays } from '../administration/ways-in.ts';
import { createIsCaptchaNeeded } from '../proofs/password/captcha-needed.ts';
import { createGivenPasswords } from '../proofs/password/given-password.ts';
import { createResets } from '../proofs/password/resets.ts';
import type { Codes } from './codes.ts';

export type Passwords = ReturnType<typeof addPasswords>;

/** Adds new passwords: those that a program gives, and resets. */
export function addPasswords(before: Codes) {
  const { context, visits, captcha } = before;
  const resets = createResets(context, { ...before, removeNewWays });
  context.outbox.define(resets.askJob);
  return {
    ...before,
    givenPasswords: createGivenPasswords(context, before),
    resets,
    isCaptchaNeeded: createIsCaptchaNeeded(visits, resets, captcha),
  };
}
