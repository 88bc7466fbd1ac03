import { canonicalEmail } from '#domain/validation.ts';
import { findAccountByEmail } from '../accounts/account-store.ts';
import { AppError } from '../http/app-error.ts';
import type { ServerContext } from '../context.ts';
import type { PasswordVerdict } from '../identity-provider/port.ts';
import { CHALLENGE_THRESHOLDS, RATE_LIMITS } from '../abuse/rate-limit-rules.ts';

export type PasswordCaller = {
  readonly ip: string;
  /** Uses up a proof of work that this browser handed in; `false` when there is none. */
  readonly consumeSolution: () => Promise<boolean>;
};

export type PasswordCheck = {
  /** Checks every password that anybody types: limits, equal work for unknown users, audit. */
  verify(userName: string, password: string, caller: PasswordCaller): Promise<PasswordVerdict>;
  /** Forgets the wrong passwords of an account after a reset; the count of the network stays. */
  resetFailures(userName: string, ip: string): Promise<void>;
};

/** Checks a password against the account's hash; unknown, pending and inactive accounts cost and answer the same. */
export function createPasswordCheck(
  { db, rateLimits, audit }: ServerContext,
  deps: {
    readonly verifyHash: (hash: string | null, password: string) => Promise<boolean>;
    /** Whether so much failed from this network that a proof is due. */
    readonly isChallengeRequired: (ip: string) => Promise<boolean>;
    /** Told of an address whose password was wrong too often, at the same cost whether it has an account or not. */
    readonly onManyFailures: (email: string) => Promise<void>;
  },
): PasswordCheck {
  const { verifyHash, isChallengeRequired, onManyFailures } = deps;
  const countersOf = (email: string, ip: string) => ({
    ofIp: [RATE_LIMITS.passwordPerIp, ip] as const,
    ofAccountAndIp: [RATE_LIMITS.passwordPerAccountAndIp, email, ip] as const,
    ofAccount: [RATE_LIMITS.passwordPerAccount, email] as const,
  });

  return {
    async resetFailures(userName, ip) {
      const { ofAccountAndIp, ofAccount } = countersOf(canonicalEmail(userName), ip);
      await rateLimits.clear(ofAccountAndIp, ofAccount);
    },

    async verify(userName, password, { ip, consumeSolution }) {
      const email = canonicalEmail(userName);
      const { ofIp, ofAccountAndIp, ofAccount } = countersOf(email, ip);
      const failures = [ofIp, ofAccountAndIp, ofAccount] as const;
      let hasFailed: boolean;
      try {
        hasFailed = await rateLimits.check(...failures);
      } catch (error) {
        if (!(error instanceof AppError)) throw error;
        const retryAfterSeconds = Math.ceil((error.details.retryAfterMs ?? 0) / 1000);
        return { kind: 'blocked', retryAfterSeconds };
      }
      const isDue =
        (await rateLimits.isUsedUp([CHALLENGE_THRESHOLDS.signInPerAccount, email])) ||
        (await isChallengeRequired(ip));
      if (isDue && !(await consumeSolution())) return { kind: 'proofNeeded' };
      const account = await findAccountByEmail(db, email);
      const isActive = account?.status === 'active';
      const isRight = await verifyHash(isActive ? account.password_hash : null, password);
      if (account && isRight) {
        if (hasFailed) await rateLimits.clear(ofAccountAndIp);
        return { kind: 'ok', accountId: String(account.id) };
      }
      await rateLimits.isWithin(...failures, [CHALLENGE_THRESHOLDS.signInPerIp, ip]);
      const isMany =
        hasFailed && (await rateLimits.isUsedUp([CHALLENGE_THRESHOLDS.signInPerAccount, email]));
      if (isMany) await onManyFailures(email);
      await audit({ kind: 'signIn.wrongPassword', userId: account?.id ?? null, ip });
      return { kind: 'wrong' };
    },
  };
}
