import { createCaptcha } from '../abuse/captcha.ts';
import { createEnumerationGuard } from '../abuse/enumeration-guard.ts';
import { whileFresh } from '../access/freshness.ts';
import { createPendingInteractions } from '../identity-provider/oauth-clients/pending-interactions.ts';
import { createPasskeys } from '../proofs/passkeys/passkeys.ts';
import { createAuditedPasswordCheck } from '../sign-in/audited-password-check.ts';
import { recordStepUp } from '../sign-in/move-attempts.ts';
import { createRememberBrowser } from '../sign-in/remember-browser.ts';
import { createSignIns } from '../sign-in/sign-ins.ts';
import type { Credentials } from './credentials.ts';

export type SignIn = ReturnType<typeof addSignIn>;

/** Adds sign-in: its guards, the check of passwords, attempts, known browsers and passkeys. */
export function addSignIn(before: Credentials) {
  const { context, visits, exchange, knownBrowsers, notifications, tenant } = before;
  const { hashing, clients, consents, issuer } = before;
  const { keys } = context.config;
  const captcha = createCaptcha(context);
  const signIns = createSignIns(context, {
    visits,
    exchange,
    knownBrowsers,
    identities: before.providerAccounts,
    recordEnded: before.notifyModules,
  });
  return {
    ...before,
    captcha,
    enumerationGuard: createEnumerationGuard(context),
    passwordCheck: createAuditedPasswordCheck(context, {
      knownBrowsers,
      hashing,
      captcha,
      notifications,
    }),
    signIns,
    rememberBrowser: createRememberBrowser(context, knownBrowsers, notifications),
    /** `null`: switched off. */
    passkeys:
      keys &&
      createPasskeys(context, keys, {
        ...signIns,
        recordStepUp,
        accountNotice: notifications.accountNotice,
        whileFresh: (session, act) => whileFresh(context, session, act),
      }),
    /** Other applications' requests; `null` where they go to a tenant. */
    requests: tenant
      ? null
      : createPendingInteractions(context, { signIns, clients, consents, issuer }),
  };
}
