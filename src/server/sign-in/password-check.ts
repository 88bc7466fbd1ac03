import { canonicalEmail } from '#domain/validation.ts';
import { type Account, findAccountByEmail } from '../accounts/account-store.ts';
import type { KnownBrowsers } from '../accounts/known-browsers.ts';
import { AppError } from '../http/app-error.ts';
import type { ServerContext } from '../context.ts';
import type { PasswordVerdict } from '../identity-provider/port.ts';
import { RATE_LIMITS } from '../config/limits.ts';
import type { Use } from '../abuse/rate-limits.ts';

/** Where a password comes from. */
export type PasswordSource = {
  readonly ip: string;
  /** By which a browser may be known to the account. */
  readonly cookieHeader?: string | undefined;
};

export type PasswordCaller = PasswordSource & {
  /** Uses up a proof of work that this browser handed in; `false` when there is none. */
  readonly consumeSolution: () => Promise<boolean>;
};

export type PasswordCheck = {
  /** Checks every password that anybody types: limits, equal work for unknown users, audit. */
  verify(userName: string, password: string, caller: PasswordCaller): Promise<PasswordVerdict>;
  /** Forgets the wrong passwords of an account after a reset; the count of the network stays. */
  resetFailures(userName: string, from: PasswordSource): Promise<void>;
};

/** What wrong passwords count in, and whether the browser is known to the account. */
type Lane = {
  readonly isKnown: boolean;
  /** Past one of these nothing is compared. */
  readonly refusing: readonly Use[];
  /** Past these a proof of work is asked for, and with it a password is compared at any time. */
  readonly asking: readonly Use[];
};

/**
 * Checks a password against the account's hash; unknown and pending accounts cost and answer the same. A suspended one
 * goes on to the code, behind which it is told so (PRF-09). A browser that has completed a sign-in with the account
 * counts by itself, so that no stranger keeps its person out (PRF-05).
 */
export function createPasswordCheck(
  { db, config, rateLimits, audit }: ServerContext,
  deps: {
    readonly knownBrowsers: Pick<KnownBrowsers, 'laneOf'>;
    readonly verifyHash: (hash: string | null, password: string) => Promise<boolean>;
    /** A stronger hash of a right password, where the stored one is weaker than those of today. */
    readonly renewHash: (hash: string, password: string) => Promise<string | null>;
    /** Whether so much failed from this network that a proof is due. */
    readonly isChallengeRequired: (ip: string) => Promise<boolean>;
    /** Told of an address whose password was wrong too often, at the same cost whether it has an account or not. */
    readonly onManyFailures: (email: string) => Promise<void>;
  },
): PasswordCheck {
  const { verifyHash, renewHash, isChallengeRequired, onManyFailures } = deps;

  async function laneOf(
    email: string,
    account: Account | undefined,
    { ip, cookieHeader }: PasswordSource,
  ): Promise<Lane> {
    const browser = await deps.knownBrowsers.laneOf(account?.id ?? 0, cookieHeader);
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

  /** What is the account's alone: a right password forgives it, the count of the network stays. */
  const ofAccount = ({ refusing }: Lane) =>
    refusing.filter(([rule]) => rule !== RATE_LIMITS.passwordPerIp);

  /** Counted with the try itself, so that tries side by side cannot all be the last one without a proof. */
  async function isProofDue({ isKnown, asking }: Lane, ip: string): Promise<boolean> {
    if (isKnown) return config.captcha.isAlways;
    const isFree = await rateLimits.isWithin(...asking);
    return !isFree || isChallengeRequired(ip);
  }

  /** Keeps nobody waiting for another sign-in: what cannot be done now is done at the next one. */
  async function renew(id: number, old: string, password: string): Promise<void> {
    const stronger = await renewHash(old, password).catch(() => null);
    if (stronger === null) return;
    await db
      .updateTable('users')
      .set({ password_hash: stronger })
      .where('id', '=', id)
      // A password that was set meanwhile stays.
      .where('password_hash', '=', old)
      .execute();
  }

  return {
    async resetFailures(userName, from) {
      const email = canonicalEmail(userName);
      const lane = await laneOf(email, await findAccountByEmail(db, email), from);
      await rateLimits.clear(...ofAccount(lane), [RATE_LIMITS.passwordProofPerAccount, email]);
    },

    async verify(userName, password, caller) {
      const { ip, consumeSolution } = caller;
      const email = canonicalEmail(userName);
      const account = await findAccountByEmail(db, email);
      const lane = await laneOf(email, account, caller);
      try {
        // Counted before the work, so that parallel tries never share a point; given back when it was right (PRF-04).
        // Before anything is asked for, too: who is refused has used up no proof of work.
        await rateLimits.take(...lane.refusing);
      } catch (error) {
        return blockedBy(error);
      }
      const giveBack = () => rateLimits.giveBack(...lane.refusing, ...lane.asking);
      if ((await isProofDue(lane, ip)) && !(await consumeSolution())) {
        await giveBack();
        return { kind: 'proofNeeded' };
      }
      const hasPassword = account !== undefined && account.status !== 'pending';
      const hash = hasPassword ? account.password_hash : null;
      const isRight = await verifyHash(hash, password).catch(async (error: unknown) => {
        await giveBack();
        throw error;
      });
      if (account && isRight) {
        await rateLimits.settle({
          giveBack: [...lane.refusing, ...lane.asking],
          clear: ofAccount(lane),
        });
        if (hash !== null) await renew(account.id, hash, password);
        const isSuspended = account.status === 'inactive';
        return { kind: 'ok', accountId: String(account.id), ...(isSuspended && { isSuspended }) };
      }
      if (!lane.isKnown) {
        await rateLimits.isWithin([RATE_LIMITS.passwordProofPerIp, ip]);
        if (await rateLimits.isUsedUp(...lane.asking)) await onManyFailures(email);
      }
      await audit({ kind: 'signIn.wrongPassword', userId: account?.id ?? null, ip });
      return { kind: 'wrong' };
    },
  };
}

/** @throws the error, when it is none of a limit */
function blockedBy(error: unknown): PasswordVerdict {
  if (!(error instanceof AppError)) throw error;
  const retryAfterSeconds = Math.ceil((error.details.retryAfterMs ?? 0) / 1000);
  return { kind: 'blocked', retryAfterSeconds };
}
