import { sql } from 'kysely';
import { maskEmail } from '#domain/proofs/otp.ts';
import { isPasswordAcceptable } from '#domain/proofs/password-policy.ts';
import { canonicalEmail } from '#domain/typed/validation.ts';
import { lockAccount, PERSONAL_DATA } from '../../accounts/account-store.ts';
import { endRecovery } from '../../accounts/contact-changes.ts';
import { waysOf } from '../../accounts/organisation-links.ts';
import { proveByNewPassword } from '../../accounts/proven-contacts.ts';
import { isChangeAgreed } from '../../accounts/staff-change-store.ts';
import { RATE_LIMITS } from '../../config/limits.ts';
import type { ServerContext } from '../../core/context.ts';
import { hashToken, randomId } from '../../crypto/secret-box.ts';
import type { Db } from '../../db/database.ts';
import { AppError } from '../../http/app-error.ts';
import type { Caller, Visit } from '../../http/visit-cookie.ts';
import type { ResetPorts, Update } from './reset-ports.ts';

const TRIES = 5;

/** Creates the use of reset links: opening them, and setting the new password. */
export function createUseReset(
  { db, clock, rateLimits, audit, outbox }: ServerContext,
  ports: Omit<ResetPorts, 'queueHelp'>,
) {
  async function findLink(key: string) {
    return db
      .selectFrom('reset_links')
      .innerJoin('users', 'users.id', 'reset_links.user_id')
      .select([
        'reset_links.id',
        'reset_links.subtenant_id',
        'reset_links.client_id',
        'reset_links.request_id',
        'reset_links.result_url',
        'users.id as userId',
        'users.email',
        'users.password_hash',
        'users.hosted_user_id',
      ])
      .where('reset_links.key_hash', '=', hashToken(key))
      .where('reset_links.used_at', 'is', null)
      .where('reset_links.expires_at', '>', clock.now())
      .where('users.status', '=', 'active')
      .executeTakeFirst();
  }

  async function findHandle(update: Update, visit: Visit) {
    return db
      .updateTable('reset_handles')
      .set({ tries: sql`tries + 1` })
      .from('reset_links')
      .innerJoin('users', 'users.id', 'reset_links.user_id')
      .whereRef('reset_links.id', '=', 'reset_handles.link_id')
      .where('reset_handles.id', '=', update.forgotPasswordId)
      .where('reset_handles.visit_id', '=', visit.id)
      .returning([
        'reset_handles.tries',
        'reset_links.id as linkId',
        'reset_links.expires_at',
        'reset_links.used_at',
        'reset_links.subtenant_id',
        'reset_links.proves_mail',
        'reset_links.older_proof_at',
        'users.recovery_since',
        'users.id as userId',
        ...PERSONAL_DATA.map((column) => `users.${column}` as const),
        'users.status',
        'users.password_hash',
        'users.hosted_user_id',
      ])
      .executeTakeFirst();
  }

  /** Of parallel tries, one succeeds. */
  async function useUp(transaction: Db, linkId: string, now: Date): Promise<void> {
    const used = await transaction
      .updateTable('reset_links')
      .set({ used_at: now })
      .where('id', '=', linkId)
      .where('used_at', 'is', null)
      .where('expires_at', '>', now)
      .returning('id')
      .executeTakeFirst();
    if (!used) throw new AppError('RESET_UNAUTHORIZED');
  }

  return {
    /** Returns the account whose password a link may set, without using it up; `null` for an unknown or expired link. */
    async open(key: string, { visit, ip }: Caller) {
      await rateLimits.check([RATE_LIMITS.wrongLinkPerIp, ip]);
      const link = await findLink(key);
      if (!link) {
        await rateLimits.isWithin([RATE_LIMITS.wrongLinkPerIp, ip]);
        await audit({ kind: 'reset.invalidLink', visitId: visit.id, ip });
        return null;
      }
      const forgotPasswordId = randomId();
      await db
        .insertInto('reset_handles')
        .values({
          id: forgotPasswordId,
          link_id: link.id,
          visit_id: visit.id,
          created_at: clock.now(),
        })
        .execute();
      const by = await ports.organisationOfInvitation(forgotPasswordId, visit);
      return {
        userId: link.userId,
        userName: maskEmail(link.email),
        // Password managers keep it as the name to sign in by; the holder of the link has its mailbox.
        email: link.email,
        hostedUserId: String(link.userId),
        forgotPasswordId,
        subtenantId: link.subtenant_id,
        isFirst: isWithoutPassword(link),
        ...(by && { organisations: [{ id: by.id, label: by.label, isOnly: false }] }),
        /** Handle of the request by which the visit returns to its application. */
        request:
          link.client_id && ports.requests
            ? await ports.requests.wayBack(visit, {
                clientId: link.client_id,
                request: link.request_id,
                resultUrl: link.result_url,
              })
            : null,
      };
    },

    /** Returns whether this visit has failed with one of its valid links. */
    async hasFailed(visit: Visit): Promise<boolean> {
      const failed = await db
        .selectFrom('reset_handles')
        .innerJoin('reset_links', 'reset_links.id', 'reset_handles.link_id')
        .select('reset_handles.id')
        .where('reset_handles.visit_id', '=', visit.id)
        .where('reset_handles.tries', '>', 0)
        .where('reset_links.used_at', 'is', null)
        .where('reset_links.expires_at', '>', clock.now())
        .executeTakeFirst();
      return failed !== undefined;
    },

    /** Sets the password, once. @throws AppError RESET_REFUSED, RESET_UNKNOWN, RESET_UNAUTHORIZED, SAME_PASSWORD, PASSWORD_GUESSABLE */
    async update(update: Update, caller: Caller): Promise<void> {
      const { visit, ip } = caller;
      const handle = await findHandle(update, visit);
      if (!handle) throw new AppError('RESET_REFUSED');
      const refusal = REFUSALS.find(({ holds }) => holds(handle, update, clock.now()));
      if (refusal) throw new AppError(refusal.code);
      const owner = { ...handle, id: handle.userId };
      if (await ports.passwords.isCurrent(owner, update.password, ip)) {
        throw new AppError('SAME_PASSWORD');
      }
      if (await ports.isGuessable(update.password, owner)) throw new AppError('PASSWORD_GUESSABLE');
      const setPassword = await ports.passwords.change(owner, update.password);
      await db.transaction().execute(async (transaction) => {
        // Read again, because rows may change during the hashing.
        const now = clock.now();
        const account = await lockAccount(transaction, handle.userId);
        if (account?.status !== 'active') throw new AppError('RESET_UNKNOWN');
        if ((await waysOf(transaction, account.id)).keptBy !== null)
          throw new AppError('KEPT_BY_ORGANISATION');
        if (lacksOlderProof(account.recovery_since, handle.older_proof_at)) {
          throw new AppError('RESET_UNAUTHORIZED');
        }
        if (await isChangeAgreed(transaction, account.id, now)) throw new AppError('RESET_WAITS');
        await useUp(transaction, handle.linkId, now);
        // After the link is used up, so that of parallel tries only one sets a password; before everything that a
        // failure rolls back.
        await setPassword(transaction);
        await endRecovery(transaction, handle.userId);
        const { first_name: firstName } = handle.proves_mail
          ? await proveByNewPassword(transaction, account, now)
          : account;
        await ports.endAccess(transaction, handle.userId, now);
        const to = { email: handle.email, firstName, subtenantId: handle.subtenant_id };
        const removed = await ports.removeNewWays(transaction, handle.userId, now);
        const what = { removed, isFirst: isWithoutPassword(handle) };
        await ports.notifications.passwordChanged(transaction, to, handle.linkId, what);
        await audit(
          { kind: 'reset.done', userId: handle.userId, visitId: visit.id, ip },
          transaction,
        );
      });
      await ports.endProviderSessions(handle.userId);
      await ports.passwordCheck.resetFailures(handle.email, caller);
      // The earlier links ended with it: a person who forgets this password, too, needs a mail.
      const email = canonicalEmail(handle.email);
      await rateLimits.clear(
        [RATE_LIMITS.resetPerAccount, email],
        [RATE_LIMITS.resetAgainPerAccount, email],
      );
      outbox.wake();
    },
  };
}

type Handle = {
  readonly userId: number;
  readonly email: string;
  readonly status: string;
  readonly tries: number;
  readonly used_at: Date | null;
  readonly expires_at: Date;
  readonly recovery_since: Date | null;
  readonly older_proof_at: Date | null;
};

type Refusal = {
  readonly code: 'RESET_UNAUTHORIZED' | 'RESET_UNKNOWN' | 'RESET_REFUSED';
  readonly holds: (handle: Handle, update: Update, now: Date) => boolean;
};

/** Why a handle sets no password, whatever the account's own password is; the first that holds is told. */
const REFUSALS: readonly Refusal[] = [
  {
    code: 'RESET_UNAUTHORIZED',
    holds: ({ used_at: usedAt, expires_at: until }, _, now) => usedAt !== null || until <= now,
  },
  { code: 'RESET_UNAUTHORIZED', holds: ({ tries }) => tries > TRIES },
  { code: 'RESET_UNKNOWN', holds: ({ status }) => status !== 'active' },
  // After an undo the mailbox alone sets no password: its holder may be the thief.
  {
    code: 'RESET_UNAUTHORIZED',
    holds: (handle) => lacksOlderProof(handle.recovery_since, handle.older_proof_at),
  },
  { code: 'RESET_REFUSED', holds: (handle, update) => !isSamePerson(handle, update) },
  { code: 'RESET_REFUSED', holds: (_, { password }) => !isPasswordAcceptable(password) },
];

const lacksOlderProof = (recoverySince: Date | null, olderProofAt: Date | null) =>
  recoverySince !== null && olderProofAt === null;

const isSamePerson = ({ userId, email }: Handle, update: Update) =>
  update.userId === userId &&
  update.userName === maskEmail(email) &&
  (update.hostedUserId === null || update.hostedUserId === String(userId));

type Holder = { readonly password_hash: string | null; readonly hosted_user_id: string | null };

/** An Auth0 tenant has the passwords of its own users. */
const isWithoutPassword = ({ password_hash: hash, hosted_user_id: hosted }: Holder): boolean =>
  hash === null && hosted === null;
