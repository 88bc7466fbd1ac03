import { createCaptcha } from '../abuse/captcha.ts';
import { createEnumerationGuard } from '../abuse/enumeration-guard.ts';
import { whileFresh } from '../administration/freshness.ts';
import { createPasskeys } from '../passkeys/passkeys.ts';
import { createAuditedPasswordCheck } from '../sign-in/audited-password-check.ts';
import { recordStepUp } from '../sign-in/move-attempts.ts';
import { createRememberBrowser } from '../sign-in/remember-browser.ts';
import { createSignIns } from '../sign-in/sign-ins.ts';
import type { Core } from './core.ts';
import type { Delivery } from './delivery.ts';
import type { Credentials } from './credentials.ts';

export type SignIn = ReturnType<typeof createSignIn>;

/** Creates sign-in: its guards, the check of passwords, attempts, known browsers and passkeys. */
export function createSignIn(
  { context, hashing, knownBrowsers, visits }: Core,
  { notifications }: Delivery,
  { exchange, providerAccounts, notifyModules }: Credentials,
) {
  const { keys } = context.config;
  const captcha = createCaptcha(context);
  const enumerationGuard = createEnumerationGuard(context);
  const check = { knownBrowsers, hashing, captcha, notifications };
  const passwordCheck = createAuditedPasswordCheck(context, check);
  const signIns = createSignIns(context, {
    visits,
    exchange,
    identities: providerAccounts,
    recordEnded: notifyModules,
    knownBrowsers,
  });
  const rememberBrowser = createRememberBrowser(context, knownBrowsers, notifications);
  const { accountNotice } = notifications;
  /** `null`: switched off. */
  const passkeys =
    keys &&
    createPasskeys(context, keys, {
      ...signIns,
      recordStepUp,
      accountNotice,
      whileFresh: (session, act) => whileFresh(context, session, act),
    });
  return { captcha, enumerationGuard, passwordCheck, signIns, rememberBrowser, passkeys };
}
