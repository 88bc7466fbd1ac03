import type { FastifyRequest } from 'fastify';
import { CAPTCHA_PURPOSES } from '#contract/captcha.ts';
import { removeNewWays } from '../access/ways-in.ts';
import { organisationOfInvitation } from '../organisations/invited.ts';
import { createGivenPasswords } from '../proofs/password/given-password.ts';
import { createResets } from '../proofs/password/resets.ts';
import type { Codes } from './codes.ts';

export type Passwords = ReturnType<typeof addPasswords>;

/** Adds new passwords: those that a program gives, and resets. */
export function addPasswords(before: Codes) {
  const { context, visits, captcha, hashing, isGuessable, notifications, endAccess } = before;
  const resets = createResets(context, {
    ...before,
    removeNewWays,
    organisationOfInvitation: (handle, visit) => organisationOfInvitation(context, handle, visit),
  });
  context.outbox.define(resets.askJob);
  return {
    ...before,
    givenPasswords: createGivenPasswords(context, {
      hashing,
      isGuessable,
      notifications,
      endAccess,
    }),
    resets,
    /**
     * Returns whether this visitor's next call may need a proof of work. A visitor who signs in names the account only
     * then.
     */
    async isCaptchaNeeded({ ip, cookies }: FastifyRequest): Promise<boolean> {
      const visit = await visits.find(cookies);
      if (visit && (await resets.hasFailed(visit))) return true;
      return captcha.isChallengeRequired(CAPTCHA_PURPOSES, ip);
    },
  };
}
