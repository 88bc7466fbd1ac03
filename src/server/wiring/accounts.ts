import { createAddRole } from '../sign-up/add-role.ts';
import { createActivation } from '../sign-up/activation.ts';
import { createActivationLinks } from '../sign-up/activation-links.ts';
import type { IdentityProviderAccounts } from '../identity-provider/port.ts';
import { createCaptcha } from '../abuse/captcha.ts';
import { createEnumerationGuard } from '../abuse/enumeration-guard.ts';
import { insertOtp } from '../otp/otp-store.ts';
import { createIsGuessable } from '../password/guessable-password.ts';
import { createMailsToAddress } from '../sign-up/mails-to-address.ts';
import { createPromoCodes } from '../sign-up/promo-codes.ts';
import { createAuditedPasswordCheck } from '../sign-in/audited-password-check.ts';
import type { Core } from './core.ts';
import type { Credentials } from './credentials.ts';
import type { Delivery } from './delivery.ts';

export type Accounts = ReturnType<typeof createAccounts>;

/** Assembles accounts: sign-up, activation, and the notices to their owners. */
export function createAccounts(
  { context, hashing, knownBrowsers }: Core,
  { notifications, leads, subtenants }: Delivery,
  providerAccounts: IdentityProviderAccounts,
  { credentials, endAccess }: Credentials,
) {
  const endProviderSessions = credentials.endAccount;
  const promoCodes = createPromoCodes(context);
  const isGuessable = createIsGuessable(subtenants.shown);
  const captcha = createCaptcha(context);
  const check = { knownBrowsers, hashing, captcha, notifications };
  const passwordCheck = createAuditedPasswordCheck(context, check);
  const addRole = createAddRole(context, { leads, notifications });
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
  return {
    addRole,
    captcha,
    passwordCheck,
    isGuessable,
    promoCodes,
    activation,
    activationLinks,
    enumerationGuard: createEnumerationGuard(context),
    ...createMailsToAddress(context, { notifications, links: activationLinks }),
  };
}
