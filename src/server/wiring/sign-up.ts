import { insertOtp } from '../proofs/otp/otp-store.ts';
import { createIsGuessable } from '../proofs/password/guessable-password.ts';
import { createActivation } from '../sign-up/activation.ts';
import { createActivationLinks } from '../sign-up/activation-links.ts';
import { createAddRole } from '../sign-up/add-role.ts';
import { createMailsToAddress } from '../sign-up/mails-to-address.ts';
import { createPromoCodes } from '../sign-up/promo-codes.ts';
import { createSignUps } from '../sign-up/sign-up.ts';
import type { SignIn } from './sign-in.ts';

export type SignUp = ReturnType<typeof addSignUp>;

/** Adds sign-up: forms, activation, and the mails that any visitor can cause. */
export function addSignUp(before: SignIn) {
  const { context, subtenants, notifications, endProviderSessions } = before;
  const isGuessable = createIsGuessable(subtenants.shown);
  const deps = {
    ...before,
    isGuessable,
    promoCodes: createPromoCodes(context),
    addRole: createAddRole(context, before),
  };
  const activationLinks = createActivationLinks(context, { insertOtp, endProviderSessions });
  return {
    ...before,
    isGuessable,
    signUps: createSignUps(context, deps),
    activation: createActivation(context, deps),
    activationLinks,
    ...createMailsToAddress(context, { notifications, links: activationLinks }),
  };
}
