import { findAccountByEmail, findActiveAccount } from '../accounts/account-store.ts';
import type { Captcha } from '../abuse/captcha.ts';
import type { KnownBrowsers } from '../accounts/known-browsers.ts';
import { recordInRequest } from '../audit/request-context.ts';
import type { ServerContext } from '../core/context.ts';
import { AppError } from '../http/app-error.ts';
import type { Notifications } from '../notifications/notifications.ts';
import type { Hashing } from '../proofs/password/hashing.ts';
import {
  createPasswordCheck,
  isOwnPassword,
  isPasswordOf,
  type PasswordCheck,
  type PasswordSource,
} from './password-check.ts';
import { createPasswordGuessingAlert } from './password-guessing-alert.ts';

export type AuditedPasswordCheck = ReturnType<typeof createAuditedPasswordCheck>;

type Ports = {
  readonly knownBrowsers: Pick<KnownBrowsers, 'limitSubjectOf'>;
  readonly hashing: Hashing;
  readonly captcha: Captcha;
  readonly notifications: Pick<Notifications, 'passwordTried'>;
};

/** Creates the password check, with audit events for a suspended account and a limit, and the alert of guessing. */
export function createAuditedPasswordCheck(
  context: ServerContext,
  { knownBrowsers, hashing, captcha, notifications }: Ports,
) {
  const { db, audit, outbox } = context;
  const guessingAlert = createPasswordGuessingAlert(context, notifications);
  outbox.define(guessingAlert.job);
  const check = createPasswordCheck(context, {
    knownBrowsers,
    verifyHash: hashing.verify,
    renewHash: hashing.renew,
    isChallengeRequired: (ip) => captcha.isChallengeRequired('signIn', ip),
    onManyFailures: guessingAlert.note,
  });

  const audited: PasswordCheck = {
    ...check,
    async verify(userName, password, caller) {
      const verdict = await check.verify(userName, password, caller);
      if (verdict.kind === 'ok' && verdict.isSuspended) {
        const userId = Number(verdict.accountId);
        await caller.readVisit?.();
        const details = { at: 'password' };
        await audit({ kind: 'signIn.suspended', userId, ip: caller.ip, details });
      }
      if (verdict.kind === 'blocked') {
        // A name with characters that PostgreSQL refuses has no account.
        const account = await findAccountByEmail(db, userName).catch(() => undefined);
        recordInRequest({ userId: account?.id ?? null });
      }
      return verdict;
    },
  };

  return {
    ...audited,
    /** Returns whether a signed-in person typed their own password. @throws AppError NO_SESSION, TOO_MANY */
    async isOfAccount(userId: number, typed: string, from: PasswordSource): Promise<boolean> {
      const account = await findActiveAccount(db, userId);
      if (!account) throw new AppError('NO_SESSION');
      return isOwnPassword(audited, account, typed, from);
    },
    /** Returns whether a stranger typed the password of an address. */
    isOfAddress: (typed: Parameters<typeof isPasswordOf>[2]) =>
      isPasswordOf(audited, hashing.verify, typed),
  };
}
