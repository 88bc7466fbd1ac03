import type { Login } from '#domain/flow/visit.ts';
import { type ActiveAccount, maySignInBy, toActive } from '../accounts/account-store.ts';
import type { ServerContext } from '../core/context.ts';
import type { Db } from '../db/database.ts';
import { AppError } from '../http/app-error.ts';
import type { Session } from '../http/bind.ts';
import type { Visit, VisitCookie } from '../http/visit-cookie.ts';
import type { Cookies } from '../core/cookies.ts';
import { bearerHash, slideToken } from './auth-tokens.ts';
import { isAlive, isIdle, isSlideDue } from './session-lifetime.ts';
import {
  type AttemptOf,
  attemptsWithAccounts,
  type BearerOf,
  findCandidates,
  findVisitWithCandidates,
  lockAttempt,
  type SignInAttempt,
  toAttemptOf,
} from './sign-in-attempts.ts';
import { recordSeen } from './move-attempts.ts';
import { type SignedIn, toLogin, toSignedIn } from './signed-in.ts';

/** Reads sign-ins and sessions. */
export type ReadSignIns = ReturnType<typeof createReadSignIns>;

/** Creates the reader of sign-ins. */
export function createReadSignIns(
  { db, clock, config }: ServerContext,
  visits: Pick<VisitCookie, 'find'>,
) {
  /** The inputs of the lifetime rules, now. */
  const nowOf = (account?: Pick<ActiveAccount, 'roleIds'> | null) => ({
    now: clock.now(),
    timers: config.timers,
    roleIds: account?.roleIds,
  });

  /** Returns the account of an attempt, if it may sign in by the attempt's factors (ORG-07, ORG-09). */
  function activeIn({ attempt, account }: AttemptOf): ActiveAccount | null {
    const active = toActive(account);
    return active && maySignInBy(active, attempt.amr, config.console) ? active : null;
  }

  /** Returns whether an attempt is valid; a complete one needs an active account, too. */
  function isLiving({ attempt, account }: AttemptOf): boolean {
    const active = activeIn({ attempt, account });
    // The code's page tells a suspended person.
    const isOut = active === null && account?.status === 'active';
    if (attempt.stage !== 'complete') return !isOut && isAlive(attempt, nowOf());
    return active !== null && isAlive(attempt, nowOf(active));
  }

  /** Returns the visit's current sign-in attempt, the newest first, with its account. */
  const currentWithAccount = async (visit: Visit): Promise<AttemptOf | null> =>
    (await candidatesOf(visit)).find(isLiving) ?? null;

  /** Sign-ins that were read with the visit. Each is used once, because it may change later in the request. */
  const readWith = new WeakMap<Visit, readonly BearerOf[]>();

  async function candidatesOf(visit: Visit): Promise<readonly AttemptOf[]> {
    const known = readWith.get(visit);
    readWith.delete(visit);
    return known ?? findCandidates(db, visit.id);
  }

  /** Returns the complete sign-in of a bearer in its own visit, also an expired one. */
  async function findByBearer(bearer: string | undefined, visit: Visit) {
    const hash = bearerHash(bearer);
    if (hash === null) return null;
    const read = readWith.get(visit)?.find((one) => one.hash === hash);
    readWith.delete(visit);
    if (read?.attempt.stage === 'complete' && read.expiresAt) {
      return { ...read, hash, expiresAt: read.expiresAt };
    }
    const row = await attemptsWithAccounts(db)
      .innerJoin('auth_tokens', 'auth_tokens.sign_in_id', 'sign_ins.id')
      .select('auth_tokens.expires_at as bearer_expires_at')
      .where('auth_tokens.token_hash', '=', hash)
      .where('sign_ins.visit_id', '=', visit.id)
      .where('sign_ins.stage', '=', 'complete')
      .where('sign_ins.ended_at', 'is', null)
      .executeTakeFirst();
    if (!row) return null;
    return { ...toAttemptOf(row), hash, expiresAt: row.bearer_expires_at };
  }

  /** Returns the bearer of a complete sign-in of this visit, while both are valid. */
  async function livingBearer(bearer: string | undefined, visit: Visit) {
    const found = await findByBearer(bearer, visit);
    const isLive = found && found.expiresAt > clock.now() && isLiving(found);
    return isLive ? found : null;
  }

  /** The persons of this request's sessions. */
  const knownOf = new WeakMap<Session, SignedIn>();

  /**
   * Returns the session of a bearer in its own visit.
   * @throws AppError NO_SESSION
   */
  async function authenticate(bearer: string | undefined, visit: Visit): Promise<Session> {
    const found = await livingBearer(bearer, visit);
    const account = found && activeIn(found);
    if (!found || !account) throw new AppError('NO_SESSION');
    const { attempt, hash } = found;
    const now = clock.now();
    if (isSlideDue(attempt.seen_at, now)) {
      await slideToken(db, hash, now);
      await recordSeen(db, attempt.id, now);
    }
    const { id, app_state, visit_id } = attempt;
    const session = { signInId: id, appState: app_state, userId: account.id, visitId: visit_id };
    knownOf.set(session, toSignedIn(attempt, account));
    return session;
  }

  return {
    /** Returns the visit of a request, read together with its sign-ins, which the next read of this request uses. */
    async findVisit(cookies: Cookies): Promise<Visit | null> {
      let candidates: readonly BearerOf[] = [];
      const visit = await visits.find(cookies, async (hash, now) => {
        const found = await findVisitWithCandidates(db, hash, now);
        candidates = found?.candidates ?? [];
        return found?.visit;
      });
      if (visit) readWith.set(visit, candidates);
      return visit;
    },

    currentWithAccount,

    /** Returns whether this visit has a complete sign-in of the account. */
    async isSignedIn(visit: Visit, userId: number): Promise<boolean> {
      const { attempt } = (await currentWithAccount(visit)) ?? {};
      return attempt?.stage === 'complete' && attempt.user_id === userId;
    },

    /** Returns the person who has shown both factors in this visit, whether or not the portal's session is complete. */
    async signedInUser(visit: Visit): Promise<number | null> {
      const { attempt } = (await currentWithAccount(visit)) ?? {};
      return attempt?.stage === 'verified' || attempt?.stage === 'complete'
        ? attempt.user_id
        : null;
    },

    /** Does as `currentWithAccount`, and returns whether the last one ended by idling; an ended one did not time out. */
    async standing(
      visit: Visit,
    ): Promise<{ readonly current: AttemptOf | null; readonly hasTimedOut: boolean }> {
      const candidates = await candidatesOf(visit);
      const current = candidates.find(isLiving) ?? null;
      const [last] = candidates;
      const account = last ? activeIn(last) : null;
      const hasTimedOut =
        current === null &&
        last !== undefined &&
        last.attempt.stage !== 'password' &&
        account !== null &&
        isIdle(last.attempt, nowOf(account));
      return { current, hasTimedOut };
    },

    activeIn,

    loginOf(found: AttemptOf): Login | null {
      const active = activeIn(found);
      return active && toLogin(toSignedIn(found.attempt, active));
    },

    authenticate,

    /** Returns the account of a bearer's session as `authenticate` finds it; `null` for none. */
    async signedInAs(bearer: string | undefined, visit: Visit): Promise<number | null> {
      try {
        return (await authenticate(bearer, visit)).userId;
      } catch (error) {
        if (error instanceof AppError) return null;
        throw error;
      }
    },

    /** Returns whether a bearer is that of a valid session of the visit; the question does not extend the session. */
    isKnown: async (bearer: string | undefined, visit: Visit): Promise<boolean> =>
      (await livingBearer(bearer, visit)) !== null,

    /** Returns the person of a session of this request; `null` for a session of another request. */
    signedInOf: (session: Session): SignedIn | null => knownOf.get(session) ?? null,

    /**
     * Returns the person of a complete sign-in, `null` when it has ended. It is locked for the rest of the transaction: a
     * concurrent end of it waits.
     */
    async lockSignedIn(transaction: Db, signInId: string): Promise<SignedIn | null> {
      const found = await lockAttempt(transaction, signInId);
      const account = found?.attempt.stage === 'complete' ? activeIn(found) : null;
      return found && account && toSignedIn(found.attempt, account);
    },

    findByBearer,

    /** Returns whether an attempt of this account is within its time. */
    isInTime: (attempt: SignInAttempt, account: ActiveAccount): boolean =>
      isAlive(attempt, nowOf(account)),
  };
}
