import { browserName } from '#domain/browser-name.ts';
import type { EntryPoint } from '#domain/role-routing.ts';
import type { Login } from '#domain/visit.ts';
import { fill } from '#locales/fill.ts';
import { mails as texts } from '#locales/en/mails.ts';
import { type ActiveAccount, toActive } from '../accounts/account-store.ts';
import type { KnownBrowsers } from '../accounts/known-browsers.ts';
import { shortAddress } from '../audit/short-address.ts';
import type { ServerContext } from '../context.ts';
import type { Db } from '../db/database.ts';
import { AppError } from '../http/app-error.ts';
import type { Session, SignInReader } from '../http/bind.ts';
import type { Caller, Visit } from '../http/visit-cookie.ts';
import type { IdentityProviderAccounts, ProviderIdentity } from '../identity-provider/port.ts';
import { bearerHash, deleteTokens, insertToken, makeBearer, slideToken } from './auth-tokens.ts';
import { insertAuthorization, takeAuthorization } from './authorizations.ts';
import type { CodeExchange } from './code-exchange.ts';
import { isSessionOf, sessionOf } from './provider-session.ts';
import { isAlive, isIdle, isSlideDue } from './session-lifetime.ts';
import {
  type AttemptOf,
  attemptsWithAccounts,
  type BearerOf,
  completeAgain,
  completeFirst,
  endAttempts,
  findAttempt,
  findCandidates,
  findVisitWithCandidates,
  insertAttempt,
  lockAttempt,
  moveToOtp,
  moveToOtpByState,
  moveToVerified,
  newAttempt,
  type NoteEnded,
  noteSeen,
  setBrowser,
  type SignInAttempt,
  toAttemptOf,
} from './sign-in-attempts.ts';
import { type SignedIn, toLogin, toSignedIn } from './signed-in.ts';

export type SignIns = {
  /** Reads a visit together with its sign-ins, which are not read again when somebody asks for them next. */
  findVisit: SignInReader;
  /** The visit's living sign-in attempt, newest first. */
  current(visit: Visit): Promise<SignInAttempt | null>;
  /** The same, with the account that it is of. */
  currentWithAccount(visit: Visit): Promise<AttemptOf | null>;
  /** The same, and whether the last one ended because nobody was there; one that was ended did not time out. */
  standing(
    visit: Visit,
  ): Promise<{ readonly current: AttemptOf | null; readonly hasTimedOut: boolean }>;
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
  /** What is kept of the browser whose OTP was right, for whoever looks at the account's sessions (decision 126). */
  noteBrowser(
    signInId: string,
    seen: {
      readonly userAgent: string;
      readonly ip: string;
      readonly hostedUid: string | null;
    },
  ): Promise<void>;
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
  ): Promise<SignedIn & { readonly authToken: string; readonly isBrowserKnown: boolean }>;
  /** The session of a bearer in its own visit. @throws AppError NO_SESSION */
  authenticate(bearer: string | undefined, visit: Visit): Promise<Session>;
  /** Whether a bearer is that of a living session of the visit; asking keeps no session alive. */
  isKnown(bearer: string | undefined, visit: Visit): Promise<boolean>;
  loginOf(of: AttemptOf): Login | null;
  /** Who came by a session that this request was authenticated with; `null` for a session of another request. */
  signedInOf(session: Session): SignedIn | null;
  /**
   * Who came by a complete sign-in and how, `null` when it has ended. It is locked for the rest of the transaction:
   * a call that ends it meanwhile waits.
   */
  lockSignedIn(transaction: Db, signInId: string): Promise<SignedIn | null>;
  /** Ends what began with one of the embedded provider's sessions of this account. */
  endByProvider(userId: number, hostedUid: string): Promise<void>;
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
  knownBrowsers: Pick<KnownBrowsers, 'seeAgain'>,
): SignIns {
  const { db, clock, config, audit, outbox } = context;
  /** What is asked about a sign-in, now. */
  const nowOf = (account?: Pick<ActiveAccount, 'roleIds'> | null) => ({
    now: clock.now(),
    timers: config.timers,
    roleIds: account?.roleIds,
  });

  /** A complete sign-in lives as long as its account is active, too. */
  function isLiving({ attempt, account }: AttemptOf): boolean {
    if (attempt.stage !== 'complete') return isAlive(attempt, nowOf());
    const active = toActive(account);
    return active !== null && isAlive(attempt, nowOf(active));
  }

  const currentWithAccount = async (visit: Visit): Promise<AttemptOf | null> =>
    (await candidatesOf(visit)).find(isLiving) ?? null;

  /** Read with the visit. Used once: what is asked for later in a request may have changed by then. */
  const readWith = new WeakMap<Visit, readonly BearerOf[]>();

  async function candidatesOf(visit: Visit): Promise<readonly AttemptOf[]> {
    const known = readWith.get(visit);
    readWith.delete(visit);
    return known ?? findCandidates(db, visit.id);
  }

  /** The complete sign-in of a bearer in its own visit, with the bearer's end; also when that has passed. */
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

  /** The bearer of a complete sign-in of this visit, while both live. */
  async function livingBearer(bearer: string | undefined, visit: Visit) {
    const found = await findByBearer(bearer, visit);
    const isLive = found && found.expiresAt > clock.now() && isLiving(found);
    return isLive ? found : null;
  }

  /** @throws AppError NO_SESSION: it has ended since it was looked at */
  async function complete(
    id: string,
    userId: number,
    { visit, ip, cookieHeader }: Caller,
  ): Promise<{ authToken: string; isBrowserKnown: boolean }> {
    const now = clock.now();
    const { token: authToken, ...bearer } = makeBearer(now);
    const event = { kind: 'signIn.complete', userId, visitId: visit.id, ip };
    return db.transaction().execute(async (transaction) => {
      const isFirst = await completeFirst(transaction, id, now);
      if (!isFirst) {
        if (!(await completeAgain(transaction, id, now))) throw new AppError('NO_SESSION');
        // Of two at once, the second one finds the first one's bearer, which ends.
        await deleteTokens(transaction, [id]);
      }
      await insertToken(transaction, id, bearer);
      await audit(event, transaction);
      const isBrowserKnown =
        isFirst && (await knownBrowsers.seeAgain(transaction, userId, cookieHeader));
      return { authToken, isBrowserKnown };
    });
  }

  /** What a session was read with. */
  const knownOf = new WeakMap<Session, SignedIn>();

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
      (await insertAttempt(
        db,
        newAttempt({ visitId: visit.id, entrance: attempt.entrance, given }, now),
      ));
    await endOthers(visit, signInId);
    await audit({ kind: 'signIn.password', userId, visitId: visit.id, ip });
    throw new AppError('OTP_REQUIRED');
  }

  return {
    async findVisit(find) {
      let candidates: readonly BearerOf[] = [];
      const visit = await find(async (hash, now) => {
        const found = await findVisitWithCandidates(db, hash, now);
        candidates = found?.candidates ?? [];
        return found?.visit;
      });
      if (visit) readWith.set(visit, candidates);
      return visit;
    },

    currentWithAccount,

    current: async (visit) => (await currentWithAccount(visit))?.attempt ?? null,

    async standing(visit) {
      const candidates = await candidatesOf(visit);
      const current = candidates.find(isLiving) ?? null;
      const [last] = candidates;
      const account = toActive(last?.account);
      const hasTimedOut =
        current === null &&
        last !== undefined &&
        last.attempt.stage !== 'password' &&
        account !== null &&
        isIdle(last.attempt, nowOf(account));
      return { current, hasTimedOut };
    },

    loginOf({ attempt, account }) {
      const active = toActive(account);
      return active && toLogin(toSignedIn(attempt, active));
    },

    async begin(visit, { entrance, isFresh }) {
      const known = isFresh ? null : await currentWithAccount(visit);
      const { authorizeUrl, ...expected } = await exchange.begin();
      const now = clock.now();
      if (known) {
        await insertAuthorization(db, known.attempt.id, expected, now);
        return { appState: known.attempt.app_state, authorizeUrl };
      }
      const attempt = newAttempt({ visitId: visit.id, entrance }, now);
      const withAttempt = db.with('attempt', (query) =>
        query.insertInto('sign_ins').values(attempt),
      );
      await insertAuthorization(withAttempt, attempt.id, expected, now);
      return { appState: attempt.app_state, authorizeUrl };
    },

    async acceptPassword(visit, state = '', userId) {
      const found = { visitId: visit.id, state, userId };
      const event = { kind: 'signIn.password', userId, visitId: visit.id };
      const moved = await db.transaction().execute(async (transaction) => {
        const attempt = await moveToOtpByState(transaction, found, clock.now());
        if (attempt) await audit(event, transaction);
        return attempt;
      });
      if (moved?.hasOthers) await endOthers(visit, moved.id);
      return moved !== undefined;
    },

    async beginAtOtp(visit, userId) {
      const given = { user_id: userId, hosted_sub: null, hosted_sid: null, hosted_auth_time: null };
      const attempt = { visitId: visit.id, entrance: 'portal', given } as const;
      await endOthers(visit, await insertAttempt(db, newAttempt(attempt, clock.now())));
      await audit({ kind: 'signIn.password', userId, visitId: visit.id });
    },

    acceptOtp: (transaction, signInId) => moveToVerified(transaction, signInId, clock.now()),

    async noteBrowser(signInId, { userAgent, ip, hostedUid }) {
      const name = browserName(userAgent);
      await setBrowser(db, signInId, {
        browser: name && fill(texts.browserOn, name),
        network: shortAddress(ip),
        hosted_uid: hostedUid,
      });
    },

    async refuseSuspended(signInId, { visit, ip }) {
      const account = (await findAttempt(db, signInId))?.account;
      if (account?.status !== 'inactive') return;
      await end((eb) => eb('id', '=', signInId));
      await audit({ kind: 'signIn.suspended', userId: account.id, visitId: visit.id, ip });
      throw new AppError('ACCOUNT_SUSPENDED');
    },

    async record({ code, state }, { visit, ip, cookieHeader }) {
      const taken = await takeAuthorization(db, { visitId: visit.id, state }, clock.now());
      if (!taken) throw new AppError('NO_SESSION');
      const result = await exchange.exchange({ code, state, expected: taken.expected });
      if (result.kind === 'unavailable') throw new AppError('UNAVAILABLE');
      if (result.kind === 'refused') {
        const details = { error: result.error };
        await audit({ kind: 'signIn.refused', visitId: visit.id, ip, details });
        throw new AppError('NO_SESSION', { messages: [result.message] });
      }
      const { attempt } = taken;
      const { identity } = result;
      const userId = await identities.accountOf(identity);
      if (identities.isSessionFirst && !isSessionOf(attempt, userId, identity)) {
        await askForOtp(attempt, { userId, identity }, { visit, ip });
      }
      const isVerified = attempt.stage === 'verified' || attempt.stage === 'complete';
      if (!isVerified) throw new AppError('OTP_REQUIRED');
      const account = toActive(taken.account);
      // Its time may have run out since the request was made.
      const isGood = account?.id === userId && isAlive(attempt, nowOf(account));
      if (!account || !isGood) throw new AppError('NO_SESSION');
      const completed = await complete(attempt.id, account.id, { visit, ip, cookieHeader });
      return { ...toSignedIn(attempt, account), ...completed };
    },

    async authenticate(bearer, visit) {
      const found = await livingBearer(bearer, visit);
      const account = toActive(found?.account);
      if (!found || !account) throw new AppError('NO_SESSION');
      const { attempt, hash } = found;
      const now = clock.now();
      if (isSlideDue(attempt.seen_at, now)) {
        await slideToken(db, hash, now);
        await noteSeen(db, attempt.id, now);
      }
      const { id, app_state, visit_id } = attempt;
      const session = { signInId: id, appState: app_state, userId: account.id, visitId: visit_id };
      knownOf.set(session, toSignedIn(attempt, account));
      return session;
    },

    isKnown: async (bearer, visit) => (await livingBearer(bearer, visit)) !== null,

    signedInOf: (session) => knownOf.get(session) ?? null,

    async lockSignedIn(transaction, signInId) {
      const found = await lockAttempt(transaction, signInId);
      const account = found?.attempt.stage === 'complete' ? toActive(found.account) : null;
      return found && account && toSignedIn(found.attempt, account);
    },

    async endByProvider(userId, hostedUid) {
      await end((eb) => eb.and([eb('user_id', '=', userId), eb('hosted_uid', '=', hostedUid)]));
    },

    async endVisit(visit) {
      const [ended] = await end((eb) => eb('visit_id', '=', visit.id));
      if (ended) await audit({ kind: 'signOut', userId: ended.user_id, visitId: visit.id });
    },

    async end(bearer, visit) {
      const attempt = (await findByBearer(bearer, visit))?.attempt;
      if (!attempt) return false;
      await end((eb) => eb('id', '=', attempt.id));
      await audit({ kind: 'signOut', userId: attempt.user_id, visitId: visit.id });
      return true;
    },
  };
}
