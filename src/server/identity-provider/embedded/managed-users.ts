import type { EventKind } from '#locales/operator/events.ts';
import type {
  Actor,
  ManagedUser,
  UserChange,
  UserDirectory,
  UserOutcome,
} from '#openid-provider/user-directory.ts';
import { isPasswordAcceptable } from '#domain/proofs/password-policy.ts';
import { isEmail } from '#domain/typed/validation.ts';
import { hasAddress } from '../../accounts/addresses.ts';
import { findActiveAccount } from '../../accounts/account-store.ts';
import { changeNamesAndMetadata } from '../../accounts/metadata.ts';
import { linkOf } from '../../accounts/organisation-links.ts';
import { readWholePhone } from '../../accounts/phone-number.ts';
import { proveByClient } from '../../accounts/proven-contacts.ts';
import type { Audit } from '../../audit/audit.ts';
import type { Db } from '../../db/database.ts';
import { AppError } from '../../http/app-error.ts';
import type { ServerContext } from '../../core/context.ts';
import type { GivenPasswords } from '../../proofs/password/given-password.ts';
import type { IsGuessable } from '../../proofs/password/guessable-password.ts';
import type { Hashing } from '../../proofs/password/hashing.ts';
import { RATE_LIMITS } from '../../config/limits.ts';
import type { ProviderCredentials } from '../port.ts';
import { managedUserId, selectUsers, toManaged } from './managed-user-rows.ts';
import { managedUserColumns, insertManagedUser } from './insert-managed-user.ts';
import { createManagedUserTickets, type TicketPorts } from './managed-user-tickets.ts';
import { createUserLog } from './user-log.ts';

export type { Actor };

/** The operations on a person that a program asks for; each names the program in its audit event. */
export type ClientOperations = {
  /** Switches an account off or on, with its event; one that is not active yet stays so. */
  readonly setSuspended: (transaction: Db, userId: number, to: boolean, by: Actor) => Promise<void>;
  /** Ends one session of an account, or all of them for `null`, with its event. */
  readonly endSessions: (userId: number, sessionId: string | null, by: Actor) => Promise<void>;
  /** Deletes all data of a person; false for an unknown id. */
  readonly erase: (transaction: Db, userId: number, by: Actor) => Promise<boolean>;
};

export type ManagedUserPorts = TicketPorts &
  ClientOperations & {
    readonly hashing: Pick<Hashing, 'hash'>;
    readonly isGuessable: IsGuessable;
    readonly givenPasswords: GivenPasswords;
    readonly credentials: Pick<ProviderCredentials, 'endAccount'>;
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

/** Accounts as the hosted login's management calls see them; each change is audited with its caller. */
export function createManagedUsers(context: ServerContext, ports: ManagedUserPorts): UserDirectory {
  const { db, clock, rateLimits, outbox } = context;
  const recordBy = auditBy(context.audit);

  async function find(userId: string): Promise<ManagedUser | null> {
    const id = managedUserId(userId);
    if (id === null) return null;
    const row = await selectUsers(db).where('users.id', '=', id).executeTakeFirst();
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

  const note = (
    kind: EventKind,
    userId: number,
    by: Actor,
    details: object = {},
    source: Db = db,
  ) => recordBy(by)({ kind, userId, details: { ...details } }, source);

  async function done(userId: string): Promise<UserOutcome> {
    const user = await find(userId);
    return user ? { kind: 'done', user } : UNKNOWN;
  }

  /** Changes the given fields alone; a null in metadata deletes its member, as at Auth0. */
  async function change(transaction: Db, id: number, asked: UserChange, by: Actor) {
    const { givenName, familyName, isBlocked, isEmailVerified, userMetadata, appMetadata } = asked;
    const names = { givenName, familyName };
    const metadata = { user: userMetadata, app: appMetadata };
    const isKnown = await changeNamesAndMetadata(transaction, id, names, metadata, clock.now());
    if (!isKnown) return false;
    if (isBlocked !== undefined) await ports.setSuspended(transaction, id, isBlocked, by);
    if (isEmailVerified && (await proveByClient(transaction, id, clock.now()))) {
      await note('account.activated', id, by, {}, transaction);
    }
    return true;
  }

  return {
    ...createUserLog(context),
    ...createManagedUserTickets(db, ports, note),

    find,

    async list({ email, page, perPage, isNewestFirst }) {
      const rows = await selectUsers(db)
        .$if(email !== null, (query) => query.where(hasAddress(email ?? '')))
        .orderBy('users.created_at', isNewestFirst ? 'desc' : 'asc')
        .orderBy('users.id')
        .limit(perPage)
        .offset(page * perPage)
        .execute();
      const { total } = await db
        .selectFrom('users')
        .select((eb) => eb.fn.countAll<number>().as('total'))
        .where('shadow_of', 'is', null)
        .$if(email !== null, (query) => query.where(hasAddress(email ?? '')))
        .executeTakeFirstOrThrow();
      const linked = await linkedTo(rows.map((row) => row.id));
      return { users: rows.map((row) => toManaged(row, linked)), total: Number(total) };
    },

    async create(asked, by) {
      const phone = asked.phone && (await readWholePhone(asked.phone));
      if (!isEmail(asked.email) || (asked.phone && !phone)) return INVALID;
      const user = { ...asked, phone };
      if (!isPasswordAcceptable(user.password)) return { kind: 'weakPassword' };
      if (await ports.isGuessable(user.password, managedUserColumns(user))) return GUESSABLE;
      const passwordHash = await ports.hashing.hash(user.password);
      const id = await db.transaction().execute(async (transaction) => {
        const made = await insertManagedUser(transaction, user, passwordHash, clock.now());
        if (made !== null) await note('account.createdByClient', made, by, {}, transaction);
        return made;
      });
      if (id === null) return { kind: 'exists' };
      return done(String(id));
    },

    async update(userId, asked, by) {
      const id = managedUserId(userId);
      if (id === null) return UNKNOWN;
      const { password } = asked;
      const changed = Object.entries(asked).flatMap(([name, value]) =>
        value === undefined ? [] : [name],
      );
      const details = { changed, own: by.accountId !== null };
      try {
        const setPassword =
          password === undefined ? null : await ports.givenPasswords.prepare(id, password);
        const isKnown = await db.transaction().execute(async (transaction) => {
          await setPassword?.(transaction);
          if (!(await change(transaction, id, asked, by))) return false;
          await note('account.changedByClient', id, by, details, transaction);
          return true;
        });
        if (!isKnown) return UNKNOWN;
        if (setPassword) await ports.credentials.endAccount(id);
      } catch (error) {
        return toOutcome(error);
      }
      outbox.wake();
      return done(userId);
    },

    async link(userId, otherId, by) {
      const [id, other] = [managedUserId(userId), managedUserId(otherId)];
      if (id === null || other === null) return UNKNOWN;
      if (id === other) return INVALID;
      const isKnown = (await findActiveAccount(db, id)) && (await findActiveAccount(db, other));
      if (!isKnown) return UNKNOWN;
      // A person of an organisation has one account, and it joins no other (FED-06).
      if ((await linkOf(db, id)) || (await linkOf(db, other))) return INVALID;
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
      const [id, other] = [managedUserId(userId), managedUserId(otherId)];
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
        // Without a user id: the account is gone.
        await recordBy(by)({ kind: 'account.deletedByClient' }, transaction);
        return true;
      });
      outbox.wake();
      return isErased;
    },

    async endSessions(userId, by) {
      const user = await find(userId);
      if (!user) return false;
      await ports.endSessions(Number(user.userId), null, by);
      return true;
    },

    async endSession(userId, sessionId, by) {
      await ports.endSessions(Number(userId), sessionId, by);
    },

    async countCall({ clientId, accountId }) {
      const rule = accountId ? RATE_LIMITS.managementPerPerson : RATE_LIMITS.managementPerClient;
      const key = accountId ? `${clientId}|${accountId}` : clientId;
      try {
        await rateLimits.consume([rule, key]);
        return 0;
      } catch (error) {
        if (!(error instanceof AppError) || error.code !== 'TOO_MANY') throw error;
        return Math.ceil((error.details.retryAfterMs ?? 0) / 1000);
      }
    },
  };
}

/** What an organisation decides about its people, no program changes. */
const BY_ORGANISATION: ReadonlySet<string> = new Set([
  'KEPT_BY_ORGANISATION',
  'OFF_BY_ORGANISATION',
]);

/** The database bounds the size of metadata. */
const CHECK_VIOLATION = '23514';

/** Returns the outcome of a refused change. @throws the error, when it is not the caller's fault */
function toOutcome(error: unknown): UserOutcome {
  if ((error as { code?: string }).code === CHECK_VIOLATION) return INVALID;
  if (error instanceof AppError && error.code === 'BAD_REQUEST') return { kind: 'weakPassword' };
  if (error instanceof AppError && BY_ORGANISATION.has(error.code)) return INVALID;
  if (error instanceof AppError && error.code === 'PASSWORD_GUESSABLE') return GUESSABLE;
  if (error instanceof AppError && error.code === 'NOT_FOUND') return UNKNOWN;
  throw error;
}
