import { insertOtp } from '../otp/otp-store.ts';
import { createIsGuessable } from '../password/guessable-password.ts';
import { createActivation } from '../sign-up/activation.ts';
import { createActivationLinks } from '../sign-up/activation-links.ts';
import { createAddRole } from '../sign-up/add-role.ts';
import { createMailsToAddress } from '../sign-up/mails-to-address.ts';
import { createPromoCodes } from '../sign-up/promo-codes.ts';
import { createSignUps } from '../sign-up/sign-up.ts';
import type { Core } from './core.ts';
import type { Delivery } from './delivery.ts';
import type { Credentials } from './credentials.ts';
import type { SignIn } from './sign-in.ts';

export type SignUp = ReturnType<typeof createSignUp>;

/** Creates sign-up: forms, activation, and the mails that any visitor can cause. */
export function createSignUp(
  { context, hashing }: Core,
  { notifications, leads, subtenants }: Delivery,
  { credentials, endAccess, providerAccounts }: Credentials,
  { signIns, passwordCheck, enumerationGuard }: SignIn,
) {
  const endProviderSessions = credentials.endAccount;
  const isGuessable = createIsGuessable(subtenants.shown);
  const promoCodes = createPromoCodes(context);
  const addRole = createAddRole(context, { leads, notifications });
  const signUps = createSignUps(context, {
    hashing,
    isGuessable,
    subtenants,
    promoCodes,
    addRole,
    enumerationGuard,
    signIns,
    passwordCheck,
  });
  const activation = createActivation(context, {
    captureLead: leads.capture,
    usePromo: promoCodes.use,
    hash: hashing.hash,
    isGuessable,
    hasProviderPassword: providerAccounts.hasPassword,
    activated: providerAccounts.activated,
    addRole,
    endAccess,
    endProviderSessions,
    forgetTries: passwordCheck.resetFailures,
  });
  const activationLinks = createActivationLinks(context, { insertOtp, endProviderSessions });
  const mails = createMailsToAddress(context, { notifications, links: activationLinks });
  return { isGuessable, signUps, activation, activationLinks, ...mails };
}
