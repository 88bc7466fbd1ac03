import { sql } from 'kysely';
import type {
  Actor,
  ManagedUser,
  Metadata,
  NewUser,
  UserChange,
  UserDirectory,
  UserEvent,
  UserOutcome,
} from '#openid-provider/user-directory.ts';
import { isPasswordAcceptable } from '#domain/password-policy.ts';
import { MEMBER_ROLE } from '#domain/roles.ts';
import { DEFAULT_SUBTENANT_ID } from '#domain/subtenants.ts';
import { canonicalEmail, isEmail } from '#domain/validation.ts';
import {
  findActiveAccount,
  grantRoles,
  insertAccounts,
  personalDataOf,
} from '../../accounts/account-store.ts';
import { insertRegistration } from '../../accounts/registration-store.ts';
import type { Audit } from '../../audit/audit.ts';
import type { Db } from '../../db/database.ts';
import { AppError } from '../../http/app-error.ts';
import type { ServerContext } from '../../context.ts';
import type { IsGuessable } from '../../password/guessable-password.ts';
import { RATE_LIMITS } from '../../config/limits.ts';
import { later } from '../../clock.ts';
import type { Client, ClientRegistry } from '../../oauth-clients/registry.ts';
import type { Resets, WayBack } from '../../password/reset-ports.ts';

type Ports = {
  readonly hash: (password: string) => Promise<string>;
  readonly isGuessable: IsGuessable;
  /** Sets a password and ends what the old one had opened. @throws AppError */
  readonly setPassword: (userId: number, password: string) => Promise<void>;
  readonly endAccess: (userId: number) => Promise<void>;
  /** Switches an account off or on, with its event; one that is not active yet stays so. */
  readonly setSuspended: (transaction: Db, userId: number, to: boolean, by: Actor) => Promise<void>;
  /** Ends the portal's sessions that began with a session of the provider. */
  readonly endByProvider: (userId: number, hostedUid: string) => Promise<void>;
  readonly passwordTicket: Resets['ticket'];
  readonly activationTicket: (userId: number, lifeMs: number) => Promise<string | null>;
  readonly clients: Pick<ClientRegistry, 'list'>;
  /** Whether an address is registered with a client. */
  readonly isAddressOf: (client: Client, address: string) => boolean;
  /** Deletes everything that is kept about a person; false when there is nobody. */
  readonly erase: (transaction: Db, userId: number, by: Actor) => Promise<boolean>;
};

/** Names the program that asked in each entry of the audit log. */
export const auditBy =
  (audit: Audit) =>
  ({ clientId, ip }: Actor): Audit =>
  (event, db) =>
    audit(
      { ip, actor: `client:${clientId}`, ...event, details: { clientId, ...event.details } },
      db,
    );

const UNKNOWN = { kind: 'unknown' } as const;
const INVALID = { kind: 'invalid' } as const;
const GUESSABLE = { kind: 'guessablePassword' } as const;

/** Accounts as the hosted login's management calls see them; every change is audited with who asked. */
export function createManagedUsers(context: ServerContext, ports: Ports): UserDirectory {
  const { db, clock, rateLimits, outbox } = context;
  const noteBy = auditBy(context.audit);

  async function find(userId: string): Promise<ManagedUser | null> {
    const id = idOf(userId);
    if (id === null) return null;
    const row = await select(db).where('users.id', '=', id).executeTakeFirst();
    return row ? toManaged(row, await linkedTo([id])) : null;
  }

  async function linkedTo(ids: readonly number[]) {
    if (ids.length === 0) return [];
    return db
      .selectFrom('linked_accounts')
      .innerJoin('users', 'users.id', 'linked_accounts.user_id')
      .select(['linked_accounts.primary_id', 'users.id', 'users.email'])
      .where('linked_accounts.primary_id', 'in', ids)
      .orderBy('linked_accounts.linked_at')
      .execute();
  }

  const note = (kind: string, userId: number, by: Actor, details: object = {}, source: Db = db) =>
    noteBy(by)({ kind, userId, details: { ...details } }, source);

  async function idByEmail(email: string): Promise<number | null> {
    const row = await select(db)
      .where('users.email_canonical', '=', canonicalEmail(email))
      .executeTakeFirst();
    return row?.id ?? null;
  }

  /** The client that a ticket leads to; `undefined` for one, or an address, that is not registered. */
  async function wayTo(clientId: string | null, resultUrl: string | null) {
    const all = await ports.clients.list();
    const client = all.find((each) =>
      resultUrl === null ? each.clientId === clientId : ports.isAddressOf(each, resultUrl),
    );
    if (!client) return undefined;
    return { clientId: client.clientId, request: null, resultUrl } satisfies WayBack;
  }

  async function done(userId: string): Promise<UserOutcome> {
    const user = await find(userId);
    return user ? { kind: 'done', user } : UNKNOWN;
  }

  /** Only what is named changes; in metadata a null takes a member away, as at Auth0. */
  async function change(
    transaction: Db,
    id: number,
    asked: UserChange,
    by: Actor,
  ): Promise<boolean> {
    const { givenName, familyName, isBlocked, isEmailVerified, userMetadata, appMetadata } = asked;
    const updated = await transaction
      .updateTable('users')
      .set({
        updated_at: clock.now(),
        ...(givenName !== undefined && { first_name: givenName }),
        ...(familyName !== undefined && { last_name: familyName }),
        ...(userMetadata && { user_metadata: merged('user_metadata', userMetadata) }),
        ...(appMetadata && { app_metadata: merged('app_metadata', appMetadata) }),
      })
      .where('id', '=', id)
      .returning('id')
      .executeTakeFirst();
    if (!updated) return false;
    if (isBlocked !== undefined) await ports.setSuspended(transaction, id, isBlocked, by);
    if (isEmailVerified && (await vouch(transaction, id))) {
      await note('account.activated', id, by, {}, transaction);
    }
    return true;
  }

  /** An operator's program knows the mailbox: as good as a proof. @returns whether it activated the account */
  async function vouch(transaction: Db, id: number): Promise<boolean> {
    const now = clock.now();
    await transaction
      .updateTable('users')
      .set({ email_proven_at: now })
      .where('id', '=', id)
      .where('email_proven_at', 'is', null)
      .execute();
    const activated = await transaction
      .updateTable('users')
      .set({ status: 'active', activated_at: now })
      .where('id', '=', id)
      .where('status', '=', 'pending')
      .where('password_hash', 'is not', null)
      .returning('id')
      .executeTakeFirst();
    return activated !== undefined;
  }

  /** Adds a member. One whose address is not proven yet gets an open form and finds the way by 'Verify here.' */
  async function insert(
    transaction: Db,
    user: NewUser,
    passwordHash: string,
  ): Promise<number | null> {
    const created_at = clock.now();
    const [account] = await insertAccounts(transaction, [
      {
        ...formOf(user),
        password_hash: passwordHash,
        created_at,
        ...(user.isEmailVerified && {
          status: 'active',
          activated_at: created_at,
          email_proven_at: created_at,
        }),
        user_metadata: JSON.stringify(user.userMetadata),
        app_metadata: JSON.stringify(user.appMetadata),
      },
    ]);
    if (!account) return null;
    const { id, subtenant_id } = account;
    if (user.isEmailVerified) {
      await grantRoles(transaction, id, [MEMBER_ROLE]);
      return id;
    }
    await insertRegistration(transaction, {
      ...personalDataOf(account),
      user_id: id,
      visit_id: null,
      password_hash: passwordHash,
      role_id: MEMBER_ROLE,
      subtenant_id,
      promo_code: null,
      mode: 'VERIFY_OTP',
      created_at,
      completed_at: null,
    });
    return id;
  }

  return {
    find,

    async list({ email, page, perPage, isNewestFirst }) {
      const rows = await select(db)
        .$if(email !== null, (query) =>
          query.where('users.email_canonical', '=', canonicalEmail(email ?? '')),
        )
        .orderBy('users.created_at', isNewestFirst ? 'desc' : 'asc')
        .orderBy('users.id')
        .limit(perPage)
        .offset(page * perPage)
        .execute();
      const { total } = await db
        .selectFrom('users')
        .select((eb) => eb.fn.countAll<number>().as('total'))
        .where('shadow_of', 'is', null)
        .$if(email !== null, (query) =>
          query.where('email_canonical', '=', canonicalEmail(email ?? '')),
        )
        .executeTakeFirstOrThrow();
      const linked = await linkedTo(rows.map((row) => row.id));
      return { users: rows.map((row) => toManaged(row, linked)), total: Number(total) };
    },

    async create(user, by) {
      if (!isEmail(user.email)) return INVALID;
      if (!isPasswordAcceptable(user.password)) return { kind: 'weakPassword' };
      if (await ports.isGuessable(user.password, formOf(user))) return GUESSABLE;
      const passwordHash = await ports.hash(user.password);
      const id = await db.transaction().execute(async (transaction) => {
        const made = await insert(transaction, user, passwordHash);
        if (made !== null) await note('account.createdByClient', made, by, {}, transaction);
        return made;
      });
      if (id === null) return { kind: 'exists' };
      return done(String(id));
    },

    async update(userId, asked, by) {
      const id = idOf(userId);
      if (id === null) return UNKNOWN;
      if (asked.password !== undefined) {
        const refusal = await ports.setPassword(id, asked.password).then(() => null, toOutcome);
        if (refusal) return refusal;
      }
      try {
        const isKnown = await db
          .transaction()
          .execute((transaction) => change(transaction, id, asked, by));
        if (!isKnown) return UNKNOWN;
      } catch (error) {
        if ((error as { code?: string }).code !== CHECK_VIOLATION) throw error;
        return INVALID;
      }
      if (asked.isBlocked) outbox.wake();
      const names = Object.entries(asked).flatMap(([name, value]) =>
        value === undefined ? [] : [name],
      );
      await note('account.changedByClient', id, by, { changed: names, own: by.accountId !== null });
      return done(userId);
    },

    async link(userId, otherId, by) {
      const [id, other] = [idOf(userId), idOf(otherId)];
      if (id === null || other === null) return UNKNOWN;
      if (id === other) return INVALID;
      const isKnown = (await findActiveAccount(db, id)) && (await findActiveAccount(db, other));
      if (!isKnown) return UNKNOWN;
      const linked = await db
        .insertInto('linked_accounts')
        .values({ user_id: other, primary_id: id, linked_at: clock.now() })
        .onConflict((conflict) => conflict.column('user_id').doNothing())
        .returning('user_id')
        .executeTakeFirst();
      if (!linked) return { kind: 'exists' };
      await note('account.linked', id, by, { otherId: other });
      return done(userId);
    },

    async unlink(userId, otherId, by) {
      const [id, other] = [idOf(userId), idOf(otherId)];
      if (id === null || other === null) return UNKNOWN;
      const gone = await db
        .deleteFrom('linked_accounts')
        .where('user_id', '=', other)
        .where('primary_id', '=', id)
        .returning('user_id')
        .executeTakeFirst();
      if (!gone) return UNKNOWN;
      await note('account.unlinked', id, by, { otherId: other });
      return done(userId);
    },

    async remove(userId, by) {
      const user = await find(userId);
      if (!user) return false;
      const isErased = await db.transaction().execute(async (transaction) => {
        if (!(await ports.erase(transaction, Number(user.userId), by))) return false;
        // Names nobody: who it was is gone.
        await noteBy(by)({ kind: 'account.deletedByClient' }, transaction);
        return true;
      });
      outbox.wake();
      return isErased;
    },

    async endSessions(userId, by) {
      const user = await find(userId);
      if (!user) return false;
      const id = Number(user.userId);
      await ports.endAccess(id);
      await note('account.sessionsEndedByClient', id, by);
      return true;
    },

    async endSession(userId, sessionId, by) {
      const id = Number(userId);
      await ports.endByProvider(id, sessionId);
      await note('account.sessionEndedByClient', id, by);
    },

    async createTicket({ kind, user, lifeSeconds, isMailed, clientId, resultUrl }, by) {
      const id = 'userId' in user ? idOf(user.userId) : await idByEmail(user.email);
      const account = id === null ? null : await find(String(id));
      if (id === null || !account) return UNKNOWN;
      const from = clientId || resultUrl ? await wayTo(clientId, resultUrl) : null;
      if (from === undefined) return { kind: 'unregistered' };
      const lifeMs = lifeSeconds * 1000;
      const ticket = { userId: id, lifeMs, isMailed, from };
      const url =
        kind === 'password'
          ? await ports.passwordTicket(ticket, by)
          : await ports.activationTicket(id, lifeMs);
      if (url === null) return { kind: 'nothingToDo' };
      if (kind === 'email') await note('activation.ticket', id, by);
      return { kind: 'made', url };
    },

    async allEvents(query) {
      const all = selectEvents(db);
      if ('after' in query) {
        const after = idOf(query.after);
        if (after === null) return { events: [], total: 0 };
        const rows = await all
          .where('id', '>', after)
          // Numbers are given before rows are there: who reads on from the last one must miss none.
          .where('at', '<', later(clock.now(), -SETTLED_MS))
          .orderBy('id')
          .limit(query.take)
          .execute();
        return { events: rows.map(toEvent), total: rows.length };
      }
      const { page, perPage, isCounted } = query;
      if (page * perPage >= MOST_BY_PAGES) return { events: [], total: MOST_BY_PAGES };
      const rows = await all
        .orderBy('id', 'desc')
        .limit(Math.min(perPage, MOST_BY_PAGES - page * perPage))
        .offset(page * perPage)
        .execute();
      const first = db.selectFrom('audit_events').select('id').limit(MOST_BY_PAGES).as('first');
      const total = isCounted
        ? Number(
            (
              await db
                .selectFrom(first)
                .select((eb) => eb.fn.countAll<number>().as('total'))
                .executeTakeFirstOrThrow()
            ).total,
          )
        : rows.length;
      return { events: rows.map(toEvent), total };
    },

    async findEvent(eventId) {
      const id = idOf(eventId);
      if (id === null) return null;
      const row = await selectEvents(db).where('id', '=', id).executeTakeFirst();
      return row ? toEvent(row) : null;
    },

    async events(userId, { page, perPage }) {
      const id = idOf(userId);
      if (id === null) return { events: [], total: 0 };
      const ofUser = db.selectFrom('audit_events').where('user_id', '=', id);
      const rows = await selectEvents(db)
        .where('user_id', '=', id)
        .orderBy('id', 'desc')
        .limit(perPage)
        .offset(page * perPage)
        .execute();
      const { total } = await ofUser
        .select((eb) => eb.fn.countAll<number>().as('total'))
        .executeTakeFirstOrThrow();
      return { events: rows.map(toEvent), total: Number(total) };
    },

    async countCall({ clientId, accountId }) {
      const rule = accountId ? RATE_LIMITS.managementPerPerson : RATE_LIMITS.managementPerClient;
      const key = accountId ? `${clientId}|${accountId}` : clientId;
      try {
        await rateLimits.take([rule, key]);
        return 0;
      } catch (error) {
        if (!(error instanceof AppError) || error.code !== 'TOO_MANY') throw error;
        return Math.ceil((error.details.retryAfterMs ?? 0) / 1000);
      }
    },
  };
}

/** As far as pages lead, and totals count, as at Auth0. */
const MOST_BY_PAGES = 1000;
const SETTLED_MS = 10_000;

const selectEvents = (db: Db) =>
  db
    .selectFrom('audit_events')
    .select(['id', 'at', 'kind', 'outcome', 'reason', 'ip', 'details', 'user_id']);

type EventRow = Awaited<ReturnType<ReturnType<typeof selectEvents>['execute']>>[number];

function toEvent({ id, at, kind, outcome, reason, ip, details, user_id }: EventRow): UserEvent {
  const { clientId } = details as { readonly clientId?: unknown };
  return {
    id: String(id),
    at,
    userId: user_id === null ? null : String(user_id),
    kind,
    isFailure: outcome === 'failure',
    reason,
    ip,
    clientId: typeof clientId === 'string' ? clientId : null,
  };
}

const formOf = (user: NewUser) => ({
  email: user.email,
  first_name: user.givenName,
  last_name: user.familyName,
  // One number, dial code and all: where it ends nobody said.
  dial_code: '',
  mobile: user.phone ?? '',
  subtenant_id: DEFAULT_SUBTENANT_ID,
});

/** People only: a row that stands in for one (enumeration `strict`) is nobody. */
const select = (db: Db) =>
  db
    .selectFrom('users')
    .where('users.shadow_of', 'is', null)
    .select([
      'users.id',
      'email',
      'first_name',
      'last_name',
      'dial_code',
      'mobile',
      'email_proven_at',
      'phone_proven_at',
      'status',
      'user_metadata',
      'app_metadata',
      'created_at',
      'updated_at',
    ]);

type Row = Awaited<ReturnType<ReturnType<typeof select>['execute']>>[number];
type Linked = { readonly primary_id: number; readonly id: number; readonly email: string };

function toManaged(row: Row, linked: readonly Linked[]): ManagedUser {
  return {
    userId: String(row.id),
    email: row.email,
    emailVerified: row.email_proven_at !== null,
    givenName: row.first_name,
    familyName: row.last_name,
    phone: row.mobile ? `${row.dial_code}${row.mobile}` : null,
    phoneVerified: row.phone_proven_at !== null,
    isBlocked: row.status === 'inactive',
    userMetadata: row.user_metadata,
    appMetadata: row.app_metadata,
    createdAt: row.created_at,
    updatedAt: row.updated_at ?? row.created_at,
    linked: linked
      .filter((other) => other.primary_id === row.id)
      .map(({ id, email }) => ({ userId: String(id), email })),
  };
}

function merged(column: 'user_metadata' | 'app_metadata', change: Metadata) {
  const gone = Object.keys(change).filter((key) => change[key] === null);
  return sql<string>`(${sql.ref(column)} || ${JSON.stringify(change)}::text::jsonb)
    - array(select jsonb_array_elements_text(${JSON.stringify(gone)}::text::jsonb))`;
}

/** The database bounds what may pile up in metadata, call after call. */
const CHECK_VIOLATION = '23514';

/** Ids of ours are decimal numbers below 2^53; whatever else is asked for does not exist. */
function idOf(userId: string): number | null {
  return /^\d{1,15}$/.test(userId) ? Number(userId) : null;
}

function toOutcome(error: unknown): UserOutcome {
  if (error instanceof AppError && error.code === 'BAD_REQUEST') return { kind: 'weakPassword' };
  if (error instanceof AppError && error.code === 'PASSWORD_GUESSABLE') return GUESSABLE;
  if (error instanceof AppError && error.code === 'NOT_FOUND') return UNKNOWN;
  throw error;
}
