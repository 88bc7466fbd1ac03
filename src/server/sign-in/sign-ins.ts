import { type Selectable, sql } from 'kysely';
import { isRoleId, roleOf } from '#domain/roles.ts';
import type { EntryPoint } from '#domain/role-routing.ts';
import type { Login } from '#domain/visit.ts';
import { later } from '../clock.ts';
import type { Db } from '../db/database.ts';
import type { Tables } from '../db/schema.ts';
import { AppError } from '../http/app-error.ts';
import type { Session } from '../http/bind.ts';
import type { IdentityProviderAccounts, ProviderIdentity } from '../identity-provider/port.ts';
import type { Visit } from '../http/visit-cookie.ts';
import type { ServerContext } from '../context.ts';
import { hashToken, randomId, randomToken } from '../crypto/secret-box.ts';
import type { CodeExchange } from './code-exchange.ts';
import { type HostedColumns, isSessionOf, sessionOf } from './provider-session.ts';

export type SignIn = Selectable<Tables['sign_ins']>;

export type SignIns = {
  /** The visit's living sign-in, newest first. */
  current(visit: Visit): Promise<SignIn | null>;
  /** Starts or continues a sign-in with an authorization request of its own. */
  begin(
    visit: Visit,
    input: { readonly entrance: EntryPoint; readonly isFresh: boolean },
  ): Promise<{ appState: string; authorizeUrl: string }>;
  /** The hosted login saw the right password: 'password' becomes 'otp' (SES-02). */
  acceptPassword(visit: Visit, state: string | undefined, userId: number): Promise<void>;
  /** A right code: 'otp' becomes 'verified'. */
  acceptCode(db: Db, signInId: string): Promise<void>;
  /** Exchanges the code in the backend and completes the sign-in. @throws AppError OTP_REQUIRED, NO_SESSION, UNAVAILABLE */
  record(
    visit: Visit,
    answer: { readonly code: string; readonly state: string },
    ip: string,
  ): Promise<Login & { authToken: string }>;
  /** The session of a bearer in its own visit. @throws AppError NO_SESSION */
  authenticate(bearer: string | undefined, visit: Visit): Promise<Session>;
  loginOf(signIn: Pick<SignIn, 'id' | 'app_state' | 'user_id'>): Promise<Login | null>;
  /** Who came by a complete sign-in and how, for the hand-off; `null` when it has ended. */
  completeLogin(
    signInId: string,
  ): Promise<(Login & { readonly amr: readonly string[]; readonly authTime: Date }) | null>;
  /** Ends whatever this browser has: the person signed out at the hosted login itself. */
  endVisit(visit: Visit): Promise<void>;
  /** Ends what the bearer proves; nothing to end is fine too (SRV-20). */
  end(bearer: string | undefined, visit: Visit): Promise<boolean>;
};

const MINUTE_MS = 60_000;
const AUTHORIZATION_LIFE_MS = 10 * MINUTE_MS;
/** A password that was right, but whose code never came, is worth nothing after this. */
const PENDING_LIFE_MS = 30 * MINUTE_MS;
const TOKEN_LIFE_MS = 15 * MINUTE_MS;
const IDLE_MS = 30 * MINUTE_MS;
const STAFF_IDLE_MS = 15 * MINUTE_MS;
const SESSION_LIFE_MS = 12 * 60 * MINUTE_MS;
/** Sliding costs a write: once a minute is close enough. */
const SLIDE_EVERY_MS = MINUTE_MS;

/** Sign-in records: password -> otp -> verified -> complete; the server moves them, never the browser (SES-02). */
export function createSignIns(
  context: ServerContext,
  exchange: CodeExchange,
  identities: Pick<IdentityProviderAccounts, 'accountOf' | 'isSessionFirst'>,
): SignIns {
  const { db, clock, audit } = context;

  async function current(visit: Visit): Promise<SignIn | null> {
    // An attempt without a right password, in a second tab say, hides no sign-in that had one.
    const [first, second] = await db
      .selectFrom('sign_ins')
      .selectAll()
      .where('visit_id', '=', visit.id)
      .where('ended_at', 'is', null)
      .orderBy(sql`stage = 'password'`)
      .orderBy('created_at', 'desc')
      .limit(2)
      .execute();
    if (first && (await isLiving(first))) return first;
    return second && (await isLiving(second)) ? second : null;
  }

  async function isLiving(row: SignIn): Promise<boolean> {
    if (row.stage !== 'complete' || row.user_id === null) return isAlive(row, clock.now());
    const roleIds = await rolesIfActive(row.user_id);
    return roleIds !== null && isAlive(row, clock.now(), roleIds);
  }

  async function create(
    visit: Visit,
    entrance: EntryPoint,
    hosted: Partial<Pick<SignIn, HostedColumns | 'user_id' | 'stage' | 'amr'>> = {},
  ): Promise<SignIn> {
    const now = clock.now();
    return db
      .insertInto('sign_ins')
      .values({
        id: randomId(),
        app_state: randomId(),
        visit_id: visit.id,
        user_id: null,
        entrance,
        stage: 'password',
        created_at: now,
        seen_at: now,
        verified_at: null,
        completed_at: null,
        ended_at: null,
        ...hosted,
      })
      .returningAll()
      .executeTakeFirstOrThrow();
  }

  async function rolesOf(userId: number): Promise<readonly number[]> {
    const rows = await db
      .selectFrom('user_roles')
      .select('role_id')
      .where('user_id', '=', userId)
      .orderBy('role_id')
      .execute();
    return rows.map((row) => row.role_id);
  }

  /** `null` for an account that has been ended meanwhile. */
  async function rolesIfActive(userId: number): Promise<readonly number[] | null> {
    const rows = await db
      .selectFrom('users')
      .leftJoin('user_roles', 'user_roles.user_id', 'users.id')
      .select('role_id')
      .where('users.id', '=', userId)
      .where('status', '=', 'active')
      .execute();
    return rows.length > 0 ? rows.flatMap((row) => row.role_id ?? []) : null;
  }

  async function loginOf({ id, app_state, user_id }: Pick<SignIn, 'id' | 'app_state' | 'user_id'>) {
    if (user_id === null) return null;
    const user = await db
      .selectFrom('users')
      .select(['email', 'first_name', 'last_name'])
      .where('id', '=', user_id)
      .where('status', '=', 'active')
      .executeTakeFirst();
    if (!user) return null;
    const roleIds = (await rolesOf(user_id)).filter(isRoleId);
    return {
      appState: app_state,
      loggedInUserId: user_id,
      signInId: id,
      userName: user.email,
      memberName: `${user.first_name} ${user.last_name}`,
      roles: roleIds.map((roleId) => ({ roleId, roleKey: roleOf(roleId).key })),
    };
  }

  /** Takes an authorization request of this visit, once. */
  async function takeAuthorization(visit: Visit, state: string) {
    const now = clock.now();
    const taken = await db
      .updateTable('authorizations')
      .set({ used_at: now })
      .where('state', '=', state)
      .where('used_at', 'is', null)
      .where('expires_at', '>', now)
      .where('sign_in_id', 'in', (query) =>
        query
          .selectFrom('sign_ins')
          .select('id')
          .where('visit_id', '=', visit.id)
          .where('ended_at', 'is', null),
      )
      .returning(['sign_in_id', 'nonce', 'code_verifier'])
      .executeTakeFirst();
    if (!taken) throw new AppError('NO_SESSION');
    return taken;
  }

  async function complete(signIn: SignIn): Promise<string> {
    const now = clock.now();
    const authToken = randomToken();
    await db.transaction().execute(async (transaction) => {
      await transaction
        .updateTable('sign_ins')
        .set({ stage: 'complete', completed_at: signIn.completed_at ?? now, seen_at: now })
        .where('id', '=', signIn.id)
        .execute();
      await transaction.deleteFrom('auth_tokens').where('sign_in_id', '=', signIn.id).execute();
      // Spent: the same code is no way back in after signing out.
      await closeCodes(transaction, [signIn.id], now);
      await transaction
        .insertInto('auth_tokens')
        .values({
          token_hash: hashToken(authToken),
          sign_in_id: signIn.id,
          expires_at: later(now, TOKEN_LIFE_MS),
        })
        .execute();
    });
    return authToken;
  }

  /** A sign-in that is over has no codes: not even the right one begins a hosted session again. */
  async function closeCodes(source: Db, signInIds: readonly string[], now: Date): Promise<void> {
    if (signInIds.length === 0) return;
    await source
      .updateTable('otp_codes')
      .set({ closed_at: now })
      .where('sign_in_id', 'in', signInIds)
      .where('closed_at', 'is', null)
      .execute();
  }

  /** A new password step ends what this browser had before: one person at a time (security R8). */
  async function endOthers(visit: Visit, signInId: string): Promise<void> {
    const now = clock.now();
    const ended = await db
      .updateTable('sign_ins')
      .set({ ended_at: now, stage: 'ended' })
      .where('visit_id', '=', visit.id)
      .where('id', '!=', signInId)
      .where('ended_at', 'is', null)
      .returning('id')
      .execute();
    const ids = ended.map((signIn) => signIn.id);
    await closeCodes(db, ids, now);
  }

  /**
   * A session of the tenant that no code was verified for. Whatever this visit had with another session ends, and its
   * person is asked for a code (SRV-09). @throws AppError OTP_REQUIRED, NO_SESSION: always one of them.
   */
  async function askForCode(
    visit: Visit,
    signIn: SignIn,
    from: {
      readonly userId: number | null;
      readonly identity: ProviderIdentity;
      readonly ip: string;
    },
  ): Promise<never> {
    const { userId, identity, ip } = from;
    if (userId === null) {
      const details = { error: 'no_account' };
      await audit({ kind: 'signIn.refused', visitId: visit.id, ip, details });
      throw new AppError('NO_SESSION');
    }
    const proven = { ...sessionOf(identity), user_id: userId, stage: 'otp', amr: ['pwd'] } as const;
    const moved = await db
      .updateTable('sign_ins')
      .set({ ...proven, amr: ['pwd'], seen_at: clock.now() })
      .where('id', '=', signIn.id)
      .where('stage', '=', 'password')
      .where('ended_at', 'is', null)
      .returning('id')
      .executeTakeFirst();
    const { id } = moved ?? (await create(visit, signIn.entrance, { ...proven, amr: ['pwd'] }));
    await endOthers(visit, id);
    await audit({ kind: 'signIn.password', userId, visitId: visit.id, ip });
    throw new AppError('OTP_REQUIRED');
  }

  async function findByBearer(bearer: string | undefined, visit: Visit) {
    const token = /^Bearer ([\w-]{20,200})$/.exec(bearer ?? '')?.[1];
    if (!token) return undefined;
    return db
      .selectFrom('auth_tokens')
      .innerJoin('sign_ins', 'sign_ins.id', 'auth_tokens.sign_in_id')
      .selectAll('sign_ins')
      .select(['auth_tokens.expires_at', 'auth_tokens.token_hash'])
      .where('auth_tokens.token_hash', '=', hashToken(token))
      .where('sign_ins.visit_id', '=', visit.id)
      .where('sign_ins.stage', '=', 'complete')
      .where('sign_ins.ended_at', 'is', null)
      .executeTakeFirst();
  }

  return {
    current,
    loginOf,

    async begin(visit, { entrance, isFresh }) {
      const known = isFresh ? null : await current(visit);
      const signIn = known ?? (await create(visit, entrance));
      const begun = await exchange.begin();
      await db
        .insertInto('authorizations')
        .values({
          state: begun.state,
          sign_in_id: signIn.id,
          nonce: begun.nonce,
          code_verifier: begun.codeVerifier,
          expires_at: later(clock.now(), AUTHORIZATION_LIFE_MS),
          used_at: null,
        })
        .execute();
      return { appState: signIn.app_state, authorizeUrl: begun.authorizeUrl };
    },

    async acceptPassword(visit, state, userId) {
      const now = clock.now();
      const moved = await db
        .updateTable('sign_ins')
        .set({ stage: 'otp', user_id: userId, amr: ['pwd'], seen_at: now })
        .where('visit_id', '=', visit.id)
        .where('stage', '=', 'password')
        .where('id', 'in', (query) =>
          query
            .selectFrom('authorizations')
            .select('sign_in_id')
            .where('state', '=', state ?? ''),
        )
        .returning('id')
        .executeTakeFirst();
      if (!moved) return;
      await endOthers(visit, moved.id);
      await audit({ kind: 'signIn.password', userId, visitId: visit.id });
    },

    async acceptCode(transaction, signInId) {
      await transaction
        .updateTable('sign_ins')
        .set({ stage: 'verified', amr: ['pwd', 'otp'], verified_at: clock.now() })
        .where('id', '=', signInId)
        .where('stage', '=', 'otp')
        .execute();
    },

    async record(visit, { code, state }, ip) {
      const taken = await takeAuthorization(visit, state);
      const expected = { state, nonce: taken.nonce, codeVerifier: taken.code_verifier };
      const result = await exchange.exchange({ code, state, expected });
      if (result.kind === 'unavailable') throw new AppError('UNAVAILABLE');
      if (result.kind === 'refused') {
        await audit({
          kind: 'signIn.refused',
          visitId: visit.id,
          ip,
          details: { error: result.error },
        });
        throw new AppError('NO_SESSION', { messages: [result.message] });
      }
      const signIn = await db
        .selectFrom('sign_ins')
        .selectAll()
        .where('id', '=', taken.sign_in_id)
        .executeTakeFirstOrThrow();
      const { identity } = result;
      const userId = await identities.accountOf(identity);
      if (identities.isSessionFirst && !isSessionOf(signIn, userId, identity)) {
        await askForCode(visit, signIn, { userId, identity, ip });
      }
      const isVerified = signIn.stage === 'verified' || signIn.stage === 'complete';
      if (!isVerified) throw new AppError('OTP_REQUIRED');
      // Its time may have run out since the request was made.
      if (!(await isLiving(signIn))) throw new AppError('NO_SESSION');
      if (signIn.user_id !== userId) throw new AppError('NO_SESSION');
      const login = await loginOf(signIn);
      if (!login) throw new AppError('NO_SESSION');
      const authToken = await complete(signIn);
      await audit({ kind: 'signIn.complete', userId: login.loggedInUserId, visitId: visit.id, ip });
      return { ...login, authToken };
    },

    async authenticate(bearer, visit) {
      const row = await findByBearer(bearer, visit);
      const now = clock.now();
      if (!row || row.user_id === null || row.expires_at <= now) throw new AppError('NO_SESSION');
      if (!(await isLiving(row))) throw new AppError('NO_SESSION');
      if (now.getTime() - row.seen_at.getTime() > SLIDE_EVERY_MS) {
        await db
          .updateTable('auth_tokens')
          .set({ expires_at: later(now, TOKEN_LIFE_MS) })
          .where('token_hash', '=', row.token_hash)
          .execute();
        await db.updateTable('sign_ins').set({ seen_at: now }).where('id', '=', row.id).execute();
      }
      const { id, app_state, user_id, visit_id } = row;
      return { signInId: id, appState: app_state, userId: user_id, visitId: visit_id };
    },

    async completeLogin(signInId) {
      const signIn = await db
        .selectFrom('sign_ins')
        .selectAll()
        .where('id', '=', signInId)
        .where('stage', '=', 'complete')
        .executeTakeFirst();
      const login = signIn && (await loginOf(signIn));
      if (!login) return null;
      return { ...login, amr: signIn.amr, authTime: signIn.verified_at ?? signIn.created_at };
    },

    async endVisit(visit) {
      const now = clock.now();
      const ended = await db
        .updateTable('sign_ins')
        .set({ ended_at: now, stage: 'ended' })
        .where('visit_id', '=', visit.id)
        .where('ended_at', 'is', null)
        .returning(['id', 'user_id'])
        .execute();
      if (ended.length === 0) return;
      const ids = ended.map((signIn) => signIn.id);
      await db.deleteFrom('auth_tokens').where('sign_in_id', 'in', ids).execute();
      await closeCodes(db, ids, now);
      await audit({ kind: 'signOut', userId: ended[0]?.user_id ?? null, visitId: visit.id });
    },

    async end(bearer, visit) {
      const row = await findByBearer(bearer, visit);
      if (!row) return false;
      await db
        .updateTable('sign_ins')
        .set({ ended_at: clock.now(), stage: 'ended' })
        .where('id', '=', row.id)
        .execute();
      await db.deleteFrom('auth_tokens').where('sign_in_id', '=', row.id).execute();
      await audit({ kind: 'signOut', userId: row.user_id, visitId: visit.id });
      return true;
    },
  };
}

/** Whether a sign-in still counts: pending ones for half an hour, complete ones until idle or twelve hours old. */
function isAlive(signIn: SignIn, now: Date, roleIds: readonly number[] = []): boolean {
  const since = (moment: Date) => now.getTime() - moment.getTime();
  if (signIn.stage !== 'complete') return since(signIn.created_at) < PENDING_LIFE_MS;
  const isStaff = roleIds.some((id) => isRoleId(id) && roleOf(id).isStaff);
  const idleMs = isStaff ? STAFF_IDLE_MS : IDLE_MS;
  return since(signIn.seen_at) < idleMs && since(signIn.completed_at ?? now) < SESSION_LIFE_MS;
}
