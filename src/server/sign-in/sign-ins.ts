import type { EntryPoint } from '#domain/role-routing.ts';
import type { Login } from '#domain/visit.ts';
import { type ActiveAccount, findAccount, findActiveAccount } from '../accounts/account-store.ts';
import type { ServerContext } from '../context.ts';
import type { Db } from '../db/database.ts';
import { AppError } from '../http/app-error.ts';
import type { Session } from '../http/bind.ts';
import type { Caller, Visit } from '../http/visit-cookie.ts';
import type { IdentityProviderAccounts, ProviderIdentity } from '../identity-provider/port.ts';
import { findByBearer, issueToken, slideToken } from './auth-tokens.ts';
import { insertAuthorization, takeAuthorization } from './authorizations.ts';
import type { CodeExchange } from './code-exchange.ts';
import { isSessionOf, sessionOf } from './provider-session.ts';
import { isAlive, isIdle, isSlideDue } from './session-lifetime.ts';
import {
  endAttempts,
  findAttempt,
  findCandidates,
  insertAttempt,
  moveToComplete,
  moveToOtp,
  moveToOtpByState,
  moveToVerified,
  type NoteEnded,
  noteSeen,
  type SignInAttempt,
} from './sign-in-attempts.ts';
import { type SignedIn, toLogin, toSignedIn } from './signed-in.ts';

export type SignIns = {
  /** The visit's living sign-in attempt, newest first. */
  current(visit: Visit): Promise<SignInAttempt | null>;
  /** Whether the visit's last sign-in ended because nobody was there; one that was ended did not time out. */
  hasTimedOut(visit: Visit): Promise<boolean>;
  /** Starts or continues a sign-in with an authorization request of its own. */
  begin(
    visit: Visit,
    input: { readonly entrance: EntryPoint; readonly isFresh: boolean },
  ): Promise<{ appState: string; authorizeUrl: string }>;
  /**
   * The hosted login saw the right password: 'password' becomes 'otp' (SES-02).
   * @returns whether an attempt of this visit waited for it
   */
  acceptPassword(visit: Visit, state: string | undefined, userId: number): Promise<boolean>;
  /** Starts an attempt at 'otp': an application's own page asked for the password, and it was right (H3). */
  beginAtOtp(visit: Visit, userId: number): Promise<void>;
  /** A right OTP: 'otp' becomes 'verified'. */
  acceptOtp(db: Db, signInId: string): Promise<void>;
  /** Ends the attempt of a suspended account, whose OTP was right. @throws AppError ACCOUNT_SUSPENDED */
  refuseSuspended(signInId: string, caller: Caller): Promise<void>;
  /**
   * Exchanges the authorization code in the backend and completes the sign-in.
   * @throws AppError OTP_REQUIRED, NO_SESSION, UNAVAILABLE
   */
  record(
    answer: { readonly code: string; readonly state: string },
    caller: Caller,
  ): Promise<SignedIn & { readonly authToken: string }>;
  /** The session of a bearer in its own visit. @throws AppError NO_SESSION */
  authenticate(bearer: string | undefined, visit: Visit): Promise<Session>;
  /** Whether a bearer is that of a living session of the visit; asking keeps no session alive. */
  isKnown(bearer: string | undefined, visit: Visit): Promise<boolean>;
  loginOf(attempt: SignInAttempt): Promise<Login | null>;
  /** Who came by a complete sign-in and how, for the hand-off; `null` when it has ended. */
  signedIn(signInId: string): Promise<SignedIn | null>;
  /** Ends whatever this browser has: the person signed out at the hosted login itself. */
  endVisit(visit: Visit): Promise<void>;
  /** Ends what the bearer proves; nothing to end is fine too (SRV-20). */
  end(bearer: string | undefined, visit: Visit): Promise<boolean>;
};

/** Signing in to the portal: sign-in attempts, their authorization requests and their bearers. */
export function createSignIns(
  context: ServerContext,
  exchange: CodeExchange,
  identities: Pick<IdentityProviderAccounts, 'accountOf' | 'isSessionFirst'>,
  noteEnded: NoteEnded,
): SignIns {
  const { db, clock, audit, outbox } = context;

  const accountOf = async ({ user_id }: SignInAttempt): Promise<ActiveAccount | null> =>
    user_id === null ? null : findActiveAccount(db, user_id);

  /** A complete sign-in lives as long as its account is active, too. */
  async function isLiving(attempt: SignInAttempt): Promise<boolean> {
    if (attempt.stage !== 'complete') return isAlive(attempt, clock.now());
    const account = await accountOf(attempt);
    return account !== null && isAlive(attempt, clock.now(), account.roleIds);
  }

  async function current(visit: Visit): Promise<SignInAttempt | null> {
    for (const attempt of await findCandidates(db, visit.id)) {
      if (await isLiving(attempt)) return attempt;
    }
    return null;
  }

  /** The bearer of a complete sign-in of this visit, while both live. */
  async function livingBearer(bearer: string | undefined, visit: Visit) {
    const found = await findByBearer(db, bearer, visit.id);
    const isLive = found && found.expires_at > clock.now() && (await isLiving(found));
    return isLive ? found : null;
  }

  async function complete(
    attempt: SignInAttempt,
    userId: number,
    { visit, ip }: Caller,
  ): Promise<string> {
    const now = clock.now();
    return db.transaction().execute(async (transaction) => {
      await moveToComplete(transaction, attempt, now);
      await audit({ kind: 'signIn.complete', userId, visitId: visit.id, ip }, transaction);
      return issueToken(transaction, attempt.id, now);
    });
  }

  /** A new password step ends what this browser had before: one person at a time (R8). */
  async function endOthers(visit: Visit, signInId: string): Promise<void> {
    await end((eb) => eb.and([eb('visit_id', '=', visit.id), eb('id', '!=', signInId)]));
  }

  async function end(which: Parameters<typeof endAttempts>[1]) {
    const ended = await endAttempts(db, which, { now: clock.now(), noteEnded });
    outbox.wake();
    return ended;
  }

  /**
   * The tenant has a session that no OTP was verified for. Whatever this visit had with another session ends, and its
   * person is asked for an OTP (SRV-09). @throws AppError OTP_REQUIRED, NO_SESSION: always one of them.
   */
  async function askForOtp(
    attempt: SignInAttempt,
    from: { readonly userId: number | null; readonly identity: ProviderIdentity },
    { visit, ip }: Caller,
  ): Promise<never> {
    const { userId, identity } = from;
    if (userId === null) {
      const details = { error: 'no_account' };
      await audit({ kind: 'signIn.refused', visitId: visit.id, ip, details });
      throw new AppError('NO_SESSION');
    }
    const now = clock.now();
    const given = { ...sessionOf(identity), user_id: userId };
    const signInId =
      (await moveToOtp(db, attempt.id, given, now)) ??
      (await insertAttempt(db, { visitId: visit.id, entrance: attempt.entrance, given }, now)).id;
    await endOthers(visit, signInId);
    await audit({ kind: 'signIn.password', userId, visitId: visit.id, ip });
    throw new AppError('OTP_REQUIRED');
  }

  return {
    current,

    async hasTimedOut(visit) {
      const [last] = await findCandidates(db, visit.id);
      if (!last || last.stage === 'password') return false;
      const account = await accountOf(last);
      return account !== null && isIdle(last, clock.now(), account.roleIds);
    },

    async loginOf(attempt) {
      const account = await accountOf(attempt);
      return account && toLogin(toSignedIn(attempt, account));
    },

    async begin(visit, { entrance, isFresh }) {
      const now = clock.now();
      const known = isFresh ? null : await current(visit);
      const attempt = known ?? (await insertAttempt(db, { visitId: visit.id, entrance }, now));
      const { authorizeUrl, ...expected } = await exchange.begin();
      await insertAuthorization(db, attempt.id, expected, clock.now());
      return { appState: attempt.app_state, authorizeUrl };
    },

    async acceptPassword(visit, state = '', userId) {
      const found = { visitId: visit.id, state, userId };
      const signInId = await moveToOtpByState(db, found, clock.now());
      if (signInId === undefined) return false;
      await endOthers(visit, signInId);
      await audit({ kind: 'signIn.password', userId, visitId: visit.id });
      return true;
    },

    async beginAtOtp(visit, userId) {
      const given = { user_id: userId, hosted_sub: null, hosted_sid: null, hosted_auth_time: null };
      const attempt = { visitId: visit.id, entrance: 'portal', given } as const;
      await endOthers(visit, (await insertAttempt(db, attempt, clock.now())).id);
      await audit({ kind: 'signIn.password', userId, visitId: visit.id });
    },

    acceptOtp: (transaction, signInId) => moveToVerified(transaction, signInId, clock.now()),

    async refuseSuspended(signInId, { visit, ip }) {
      const attempt = await findAttempt(db, signInId);
      const userId = attempt?.user_id ?? null;
      const account = userId === null ? undefined : await findAccount(db, userId);
      if (account?.status !== 'inactive') return;
      await end((eb) => eb('id', '=', signInId));
      await audit({ kind: 'signIn.suspended', userId, visitId: visit.id, ip });
      throw new AppError('ACCOUNT_SUSPENDED');
    },

    async record({ code, state }, { visit, ip }) {
      const taken = await takeAuthorization(db, { visitId: visit.id, state }, clock.now());
      if (!taken) throw new AppError('NO_SESSION');
      const result = await exchange.exchange({ code, state, expected: taken.expected });
      if (result.kind === 'unavailable') throw new AppError('UNAVAILABLE');
      if (result.kind === 'refused') {
        const details = { error: result.error };
        await audit({ kind: 'signIn.refused', visitId: visit.id, ip, details });
        throw new AppError('NO_SESSION', { messages: [result.message] });
      }
      const attempt = await findAttempt(db, taken.signInId);
      if (!attempt) throw new AppError('NO_SESSION');
      const { identity } = result;
      const userId = await identities.accountOf(identity);
      if (identities.isSessionFirst && !isSessionOf(attempt, userId, identity)) {
        await askForOtp(attempt, { userId, identity }, { visit, ip });
      }
      const isVerified = attempt.stage === 'verified' || attempt.stage === 'complete';
      if (!isVerified) throw new AppError('OTP_REQUIRED');
      const account = await accountOf(attempt);
      // Its time may have run out since the request was made.
      const isGood = account?.id === userId && isAlive(attempt, clock.now(), account?.roleIds);
      if (!account || !isGood) throw new AppError('NO_SESSION');
      const authToken = await complete(attempt, account.id, { visit, ip });
      return { ...toSignedIn(attempt, account), authToken };
    },

    async authenticate(bearer, visit) {
      const found = await livingBearer(bearer, visit);
      if (!found || found.user_id === null) throw new AppError('NO_SESSION');
      const now = clock.now();
      if (isSlideDue(found.seen_at, now)) {
        await slideToken(db, found.token_hash, now);
        await noteSeen(db, found.id, now);
      }
      const { id, app_state, user_id, visit_id } = found;
      return { signInId: id, appState: app_state, userId: user_id, visitId: visit_id };
    },

    isKnown: async (bearer, visit) => (await livingBearer(bearer, visit)) !== null,

    async signedIn(signInId) {
      const attempt = await findAttempt(db, signInId);
      if (attempt?.stage !== 'complete') return null;
      const account = await accountOf(attempt);
      return account && toSignedIn(attempt, account);
    },

    async endVisit(visit) {
      const [ended] = await end((eb) => eb('visit_id', '=', visit.id));
      if (ended) await audit({ kind: 'signOut', userId: ended.user_id, visitId: visit.id });
    },

    async end(bearer, visit) {
      const found = await findByBearer(db, bearer, visit.id);
      if (!found) return false;
      await end((eb) => eb('id', '=', found.id));
      await audit({ kind: 'signOut', userId: found.user_id, visitId: visit.id });
      return true;
    },
  };
}
