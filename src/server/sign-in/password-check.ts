import { canonicalEmail } from '#domain/typed/validation.ts';
import { replaceHash } from '../accounts/account-changes.ts';
import {
  type Account,
  type AccountBeside,
  findAccountByEmail,
  isOnlyByOrganisation,
  readAccountByEmail,
} from '../accounts/account-store.ts';
import type { KnownBrowsers } from '../accounts/known-browsers.ts';
import { AppError } from '../http/app-error.ts';
import type { ServerContext } from '../core/context.ts';
import type { PasswordVerdict } from '../identity-provider/port.ts';
import type { Hashing } from '../proofs/password/hashing.ts';
import { RATE_LIMITS } from '../config/limits.ts';
import type { Use } from '../abuse/rate-limits.ts';
import type { Cookies } from '../core/cookies.ts';

/** The origin of a password. */
export type PasswordSource = {
  readonly ip: string;
  /** The cookies by which the account may know the browser. */
  readonly cookies?: Cookies | undefined;
};

export type PasswordCaller = PasswordSource & {
  /** Consumes a proof of work that this browser sent before; returns `false` when there is none. */
  readonly consumeSolution: () => Promise<boolean>;
  /** Reads the visit of the browser, so that the event of a refusal names it. */
  readonly readVisit?: () => Promise<unknown>;
};

export type PasswordCheck = {
  /** Checks an entered password: limits, equal work for unknown users, audit. */
  verify(userName: string, password: string, caller: PasswordCaller): Promise<PasswordVerdict>;
  /** Resets the wrong passwords of an account after a password reset; the network's count stays. */
  resetFailures(userName: string, from: PasswordSource): Promise<void>;
};

/** The counters of wrong passwords, and whether the account knows the browser. */
type LimitSubject = {
  readonly isKnown: boolean;
  /** Above one of these no password is compared. */
  readonly refusing: readonly Use[];
  /** Above these a proof of work is required, with which a password is always compared. */
  readonly asking: readonly Use[];
};

/**
 * Checks a password against the account's hash; unknown and pending accounts cost and answer the same. A suspended one
 * continues to the code, after which its suspension is shown (PRF-09). A browser that has completed a sign-in with the
 * account has its own counters, so that no stranger can lock its person out (PRF-05).
 */
export function createPasswordCheck(
  { db, config, rateLimits, audit }: ServerContext,
  deps: {
    readonly knownBrowsers: Pick<KnownBrowsers, 'limitSubjectOf'>;
    readonly verifyHash: (hash: string | null, password: string) => Promise<boolean>;
    /** Returns a stronger hash of a right password, if the stored one is weaker than today's. */
    readonly renewHash: (hash: string, password: string) => Promise<string | null>;
    /** Returns whether this network has so many failures that a proof is required. */
    readonly isChallengeRequired: (ip: string) => Promise<boolean>;
    /** Receives an address with too many wrong passwords, at the same cost with or without an account. */
    readonly onManyFailures: (email: string) => Promise<void>;
  },
): PasswordCheck {
  const { verifyHash, renewHash, isChallengeRequired, onManyFailures } = deps;

  async function limitSubjectOf(
    email: string,
    account: Account | undefined,
    { ip, cookies }: PasswordSource,
  ): Promise<LimitSubject> {
    const browser = await deps.knownBrowsers.limitSubjectOf(account?.id ?? 0, cookies);
    if (browser !== null) {
      const own = [RATE_LIMITS.passwordPerKnownBrowser, email, browser] as const;
      return { isKnown: true, refusing: [own], asking: [] };
    }
    return {
      isKnown: false,
      refusing: [
        [RATE_LIMITS.passwordPerIp, ip],
        [RATE_LIMITS.passwordPerAccountAndIp, email, ip],
      ],
      asking: [[RATE_LIMITS.passwordProofPerAccount, email]],
    };
  }

  /** The counters of the account alone: a right password resets them, the network's count stays. */
  const ofAccount = ({ refusing }: LimitSubject) =>
    refusing.filter(([rule]) => rule !== RATE_LIMITS.passwordPerIp);

  /** Counted with the try itself, so that parallel tries cannot all be the last one without a proof. */
  async function isProofDue({ isKnown, asking }: LimitSubject, ip: string): Promise<boolean> {
    if (isKnown) return config.captcha.isAlways;
    const isFree = await rateLimits.isWithin(...asking);
    return !isFree || isChallengeRequired(ip);
  }

  /** Replaces the hash without delaying another sign-in; a failure is repeated at the next one. */
  async function renew(id: number, old: string, password: string): Promise<void> {
    const stronger = await renewHash(old, password).catch(() => null);
    if (stronger === null) return;
    await replaceHash(db, id, { old, stronger });
  }

  /** Returns the hash of a password that opens its account. An organisation's own people are treated as without one. */
  const hashOf = (account: AccountBeside | undefined): string | null =>
    account === undefined ||
    account.status === 'pending' ||
    isOnlyByOrganisation(account, config.console)
      ? null
      : account.password_hash;

  return {
    async resetFailures(userName, from) {
      const email = canonicalEmail(userName);
      const account = await findAccountByEmail(db, userName);
      const limitSubject = await limitSubjectOf(email, account, from);
      await rateLimits.clear(...ofAccount(limitSubject), [
        RATE_LIMITS.passwordProofPerAccount,
        email,
      ]);
    },

    async verify(userName, password, caller) {
      const { ip, consumeSolution } = caller;
      const email = canonicalEmail(userName);
      const account = await readAccountByEmail(db, userName);
      const limitSubject = await limitSubjectOf(email, account, caller);
      try {
        // Counted before the work, so that parallel tries never count as one; released when the password was right
        // (PRF-04). Counted before the proof of work as well, so that a refused request consumes none.
        await rateLimits.consume(...limitSubject.refusing);
      } catch (error) {
        return blockedBy(error);
      }
      const release = () => rateLimits.release(...limitSubject.refusing, ...limitSubject.asking);
      if ((await isProofDue(limitSubject, ip)) && !(await consumeSolution())) {
        await release();
        return { kind: 'proofNeeded' };
      }
      const hash = hashOf(account);
      const isRight = await verifyHash(hash, password).catch(async (error: unknown) => {
        await release();
        throw error;
      });
      if (account && isRight) {
        await rateLimits.releaseAndRefund({
          release: [...limitSubject.refusing, ...limitSubject.asking],
          clear: ofAccount(limitSubject),
        });
        if (hash !== null) await renew(account.id, hash, password);
        const isSuspended = account.status === 'inactive';
        return { kind: 'ok', accountId: String(account.id), ...(isSuspended && { isSuspended }) };
      }
      if (!limitSubject.isKnown) {
        await rateLimits.isWithin([RATE_LIMITS.passwordProofPerIp, ip]);
        if (await rateLimits.isExhausted(...limitSubject.asking)) await onManyFailures(email);
      }
      await caller.readVisit?.();
      await audit({ kind: 'signIn.wrongPassword', userId: account?.id ?? null, ip });
      return { kind: 'wrong' };
    },
  };
}

/**
 * Returns whether a signed-in person typed the password of their own account. It counts as a try; a proof of work is
 * for strangers.
 * @throws AppError TOO_MANY
 */
export async function isOwnPassword(
  check: Pick<PasswordCheck, 'verify'>,
  { email }: Pick<Account, 'email'>,
  typed: string,
  { ip, cookies }: PasswordSource,
): Promise<boolean> {
  const from = { ip, cookies, consumeSolution: async () => true };
  const verdict = await check.verify(email, typed, from);
  if (verdict.kind === 'blocked') {
    throw new AppError('TOO_MANY', { retryAfterMs: verdict.retryAfterSeconds * 1000 });
  }
  return verdict.kind === 'ok';
}

/**
 * Returns whether somebody who is not signed in typed the password of an account. It counts as a try; one that is not
 * looked at takes as long.
 */
export async function isPasswordOf(
  check: Pick<PasswordCheck, 'verify'>,
  verifyHash: Hashing['verify'],
  {
    email,
    password,
    ip,
  }: { readonly email: string; readonly password: string; readonly ip: string },
): Promise<boolean> {
  const { kind } = await check.verify(email, password, { ip, consumeSolution: async () => false });
  if (kind === 'blocked' || kind === 'proofNeeded') await verifyHash(null, password);
  return kind === 'ok';
}

/** @throws the error, unless it is a limit's */
function blockedBy(error: unknown): PasswordVerdict {
  if (!(error instanceof AppError)) throw error;
  const retryAfterSeconds = Math.ceil((error.details.retryAfterMs ?? 0) / 1000);
  return { kind: 'blocked', retryAfterSeconds };
}
