import { hasAddress } from '../../accounts/addresses.ts';
import { forgetPassword, linkHostedUser, setHostedJob } from '../../accounts/hosted-users.ts';
import type { Account } from '../../accounts/account-store.ts';
import type { Db } from '../../db/database.ts';
import { type JobDefinition, RetryLater } from '../../jobs/job.ts';
import type { ServerContext } from '../../core/context.ts';
import { randomId } from '../../crypto/secret-box.ts';
import type { IdentityProviderAccounts } from '../port.ts';
import { TenantError } from './api.ts';
import type { TenantUsers } from './users.ts';

const USER_JOB = 'hostedUser';
const SESSIONS_JOB = 'hostedSessions';
/** Sent to the tenant as argon2. A hash of another system (decision 114) is not: its person sets a new password there. */
const OWN_HASH = '$argon2%';
/** Ids of users of database connections; users of social connections have no password that we could set. */
const DATABASE_USER = /^auth0\|/;

export type TenantAccounts = ReturnType<typeof createTenantAccounts>;

/** Links our accounts to the users of the tenant, which holds their passwords (decisions 045, 046). */
export function createTenantAccounts(context: ServerContext, users: TenantUsers) {
  const { db, audit, outbox } = context;

  /** Links an account to its tenant user and deletes our password hash. */
  async function link(source: Db, userId: number, tenantUserId: string): Promise<void> {
    await linkHostedUser(source, userId, tenantUserId);
    await audit({ kind: 'hosted.linked', userId }, source);
  }

  type Waiting = Pick<Account, 'id' | 'email' | 'hosted_job_id'> & {
    readonly password_hash: string;
  };

  /** Takes one step and throws RetryLater: an import may take long, and other jobs do not wait for it. */
  async function makeUser(user: Waiting): Promise<void> {
    const found = await users.find(user.email);
    if (found?.isVerified) return link(db, user.id, found.id);
    if (found) {
      // Its creator never verified the address, so it is not linked. A password reset takes it over.
      await audit({ kind: 'hosted.unproven', userId: user.id });
      return forgetPassword(db, user.id);
    }
    const state = user.hosted_job_id ? await stateOf(user.hosted_job_id) : null;
    if (state === 'running') throw new RetryLater('the tenant is making the user');
    if (state === null) {
      await setHostedJob(db, user.id, await users.startImport(user.email, user.password_hash));
      throw new RetryLater('the tenant was asked to make the user');
    }
    // The import may have finished since the first look.
    const made = state === 'done' ? await users.find(user.email) : null;
    if (made?.isVerified) return link(db, user.id, made.id);
    await setHostedJob(db, user.id, null);
    throw new Error(`The tenant's import ended (${state}) and made no user`);
  }

  async function stateOf(jobId: string) {
    try {
      return await users.importState(jobId);
    } catch (error) {
      if (error instanceof TenantError && error.status === 404) return null;
      throw error;
    }
  }

  const findUnlinked = (email: string) =>
    db
      .selectFrom('users')
      .select('id')
      .where(hasAddress(email))
      .where('status', '=', 'active')
      .where('hosted_user_id', 'is', null)
      .executeTakeFirst();

  const jobFor = (userId: number) => ({
    kind: USER_JOB,
    payload: { userId },
    idempotencyKey: `${userId}:hosted-user`,
  });

  const provided: IdentityProviderAccounts = {
    isSessionFirst: true,

    // Linked once, by an address that is verified on both sides (decision 046).
    async accountOf({ sub, email, isEmailVerified }) {
      const linked = await db
        .selectFrom('users')
        .select('id')
        .where('hosted_user_id', '=', sub)
        .executeTakeFirst();
      if (linked) return linked.id;
      if (!email || !isEmailVerified || !DATABASE_USER.test(sub)) return null;
      const own = await findUnlinked(email);
      if (!own) return null;
      await link(db, own.id, sub);
      return own.id;
    },

    activated: (transaction, userId) => outbox.add(transaction, jobFor(userId)),

    // `false` while the tenant does not answer: an activation continues without it.
    async hasPassword(email) {
      const found = await users.find(email).catch(() => null);
      return found?.isVerified ?? false;
    },

    async isBeingMade(email) {
      const row = await findUnlinked(email);
      if (!row) return false;
      const job = await db
        .selectFrom('outbox')
        .select('id')
        .where('idempotency_key', '=', jobFor(row.id).idempotencyKey)
        .where('done_at', 'is', null)
        .where('dead_at', 'is', null)
        .executeTakeFirst();
      return job !== undefined;
    },
  };

  return {
    ...provided,
    link,

    /** Queues the end of all sessions of a user at the tenant. */
    async endSessions(userId: number) {
      const payload = { userId };
      await outbox.add(db, { kind: SESSIONS_JOB, payload, idempotencyKey: randomId() });
    },

    /** Queues the creation of tenant users for accounts that are older than the tenant. */
    async catchUp() {
      const waiting = await db
        .selectFrom('users')
        .select('id')
        .where('status', '=', 'active')
        .where('hosted_user_id', 'is', null)
        .where('password_hash', 'like', OWN_HASH)
        .execute();
      for (const { id } of waiting) await outbox.add(db, jobFor(id));
      outbox.wake();
    },

    jobs: [
      {
        kind: USER_JOB,
        async deliver({ userId }) {
          const user = await db
            .selectFrom('users')
            .select(['id', 'email', 'password_hash', 'hosted_job_id'])
            .where('id', '=', Number(userId))
            .where('status', '=', 'active')
            .where('hosted_user_id', 'is', null)
            .where('password_hash', 'like', OWN_HASH)
            .executeTakeFirst();
          if (user?.password_hash) {
            await makeUser({ ...user, password_hash: user.password_hash });
          }
        },
      },
      {
        kind: SESSIONS_JOB,
        async deliver({ userId }) {
          const user = await db
            .selectFrom('users')
            .select('hosted_user_id')
            .where('id', '=', Number(userId))
            .executeTakeFirst();
          if (!user?.hosted_user_id) return;
          try {
            await users.endSessions(user.hosted_user_id);
          } catch (error) {
            // Not every Auth0 plan has these endpoints; a retry would not help.
            const isRefusal =
              error instanceof TenantError && error.status >= 400 && error.status < 429;
            if (!isRefusal) throw error;
            const details = { status: error.status };
            await audit({ kind: 'hosted.sessionsKept', userId: Number(userId), details });
          }
        },
      },
    ] satisfies readonly JobDefinition[],
  };
}
