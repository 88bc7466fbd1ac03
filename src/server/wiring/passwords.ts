import { removeNewWays } from '../administration/ways-in.ts';
import { createIsCaptchaNeeded } from '../password/captcha-needed.ts';
import { createGivenPasswords } from '../password/given-password.ts';
import type { ClientRequests } from '../password/reset-ports.ts';
import { createResets } from '../password/resets.ts';
import type { Core } from './core.ts';
import type { Delivery } from './delivery.ts';
import type { Credentials } from './credentials.ts';
import type { SignIn } from './sign-in.ts';
import type { SignUp } from './sign-up.ts';

export type Passwords = ReturnType<typeof createPasswords>;

/** Creates new passwords: those that a program gives, and resets. */
export function createPasswords(
  { context, hashing, visits }: Core,
  { notifications }: Delivery,
  { credentials, endAccess }: Credentials,
  { captcha, passwordCheck }: SignIn,
  { isGuessable, queueHelp }: SignUp,
  requests: ClientRequests | null,
) {
  const resets = createResets(context, {
    passwords: credentials.passwords,
    isGuessable,
    notifications,
    removeNewWays,
    queueHelp,
    endAccess,
    endProviderSessions: credentials.endAccount,
    resetFailures: passwordCheck.resetFailures,
    requests,
  });
  context.outbox.define(resets.askJob);
  return {
    givenPasswords: createGivenPasswords(context, {
      hashing,
      isGuessable,
      notifications,
      endAccess,
    }),
    resets,
    isCaptchaNeeded: createIsCaptchaNeeded(visits, resets, captcha),
  };
}
