import { sql } from 'kysely';
import { maskEmail } from '#domain/otp.ts';
import { isPasswordAcceptable } from '#domain/password-policy.ts';
import { canonicalEmail } from '#domain/validation.ts';
import { lockAccount, lockAccountByEmail } from '../accounts/account-store.ts';
import { proveByNewPassword } from '../accounts/proof.ts';
import { later } from '../clock.ts';
import type { Db } from '../db/database.ts';
import type { JobDefinition } from '../jobs/outbox.ts';
import type { Passwords } from '../identity-provider/port.ts';
import { AppError } from '../http/app-error.ts';
import type { Caller, Visit } from '../http/visit-cookie.ts';
import type { MailRecipient } from '../notifications/notifications.ts';
import type { ServerContext } from '../context.ts';
import { RATE_LIMITS } from '../config/limits.ts';
import { hashToken, randomId, randomToken } from '../crypto/secret-box.ts';
import type { IsGuessable } from './guessable-password.ts';

export type AskAnswer =
  /** `sentAt`: no mail was sent now, the newest one went then, and its link works. */
  | { readonly kind: 'sent'; readonly sentAt: Date | null }
  | { readonly kind: 'unknown' | 'notActive' };

/** The application that a person came from who forgot a password. */
export type WayBack = {
  readonly clientId: string;
  /** Its request that waits, of the visit that asked. */
  readonly request: string | null;
  /** An address of the application that is not its sign-in. */
  readonly resultUrl: string | null;
};

export type ResetUser = {
  readonly userId: number;
  readonly userName: string;
  readonly hostedUserId: string;
  readonly forgotPasswordId: string;
  readonly subtenantId: number;
  /** The account has no password yet: it was invited. */
  readonly isFirst: boolean;
  /** Handle of the request by which the visit goes back to the application it came from. */
  readonly request: string | null;
};

export type Ticket = {
  readonly userId: number;
  readonly lifeMs: number;
  /** Whether who used it has read the mailbox: the program mails it. */
  readonly isMailed: boolean;
  readonly from: WayBack | null;
};

/** The program that asked. */
type Actor = { readonly clientId: string; readonly ip: string };

type Update = {
  readonly forgotPasswordId: string;
  readonly userId: number;
  readonly userName: string;
  readonly hostedUserId: string | null;
  readonly password: string;
};

export type Resets = {
  /** Queues a link to the stored address; the work is the same for known and unknown (security D6). */
  ask(email: string, isTruthful: boolean, caller: Caller, from: WayBack | null): Promise<AskAnswer>;
  /** What is left of `ask` where nothing may be told: all that looks at an account comes after the answer. */
  readonly askJob: JobDefinition;
  /**
   * A link that a program passes on by itself; the account's other links end. @returns its address; `null` for an account
   * that is not active.
   */
  ticket(ticket: Ticket, actor: Actor): Promise<string | null>;
  /** Whose password a link may set; opening does not use it up. `null` when there is no such link, or it has expired. */
  open(key: string, caller: Caller): Promise<ResetUser | null>;
  /** Whether this visit tried one of its living links and failed. */
  hasFailed(visit: Visit): Promise<boolean>;
  /** Sets the password, once. @throws AppError RESET_REFUSED, RESET_UNKNOWN, RESET_UNAUTHORIZED, SAME_PASSWORD, PASSWORD_GUESSABLE */
  update(update: Update, caller: Caller): Promise<void>;
};

type Ports = {
  readonly passwords: Passwords;
  readonly isGuessable: IsGuessable;
  readonly queueLink: (db: Db, to: MailRecipient, url: string, cause: string) => Promise<void>;
  readonly queueNotice: (db: Db, to: MailRecipient, cause: string) => Promise<void>;
  /** Enumeration `strict`: what the page does not say, the mail does. */
  readonly queueHelp: (
    db: Db,
    asked: { readonly email: string; readonly pendingUserId: number | null },
    visit: Visit,
  ) => Promise<void>;
  /** Tells the owner of a suspended account whom to call. */
  readonly queueSuspended: (db: Db, to: MailRecipient, cause: string) => Promise<void>;
  /** Ends every session, OTP, token and reset link of an account here. */
  readonly endAccess: (db: Db, userId: number, now: Date) => Promise<void>;
  /** Ends the hosted login's sessions and tokens of an account. */
  readonly endProviderSessions: (userId: number) => Promise<void>;
  /** Forgets the wrong passwords of before: the owner has just proved the mailbox and need not wait. */
  readonly resetFailures: (email: string, from: Caller) => Promise<void>;
  /** The visit's request that leads back to an application; `null` for one that is not registered any more. */
  readonly wayBack: (visit: Visit, from: WayBack) => Promise<string | null>;
};

const ASK_JOB = 'resetAsked';
/** A mail takes its time: a new one may go before the newest link ends. */
const BEFORE_END_MS = 5 * 60 * 1000;
const TRIES = 5;

/** Forgotten passwords: links of 256 bits; the newest alone works, and only a new password uses it up. */
export function createResets(context: ServerContext, ports: Ports): Resets {
  const { db, clock, config, rateLimits, audit, outbox } = context;
  const { resetLinkMs } = config.timers;
  /** Whom no second mail is sent has a link that works. */
  const whileNewestWorks = {
    ...RATE_LIMITS.resetAgainPerAccount,
    windowMs: Math.min(RATE_LIMITS.resetAgainPerAccount.windowMs, resetLinkMs - BEFORE_END_MS),
  };

  async function queue(
    email: string,
    { isTruthful, isHeldBack }: { readonly isTruthful: boolean; readonly isHeldBack: boolean },
    caller: Caller,
    from: WayBack | null,
  ): Promise<AskAnswer['kind']> {
    const now = clock.now();
    return db.transaction().execute(async (transaction) => {
      // Locked, because the newest link has to be the only one: links of one account are made one after another.
      const user = await lockAccountByEmail(transaction, email);
      await audit(
        { kind: 'reset.asked', userId: user?.id ?? null, visitId: caller.visit.id, ip: caller.ip },
        transaction,
      );
      // Nobody floods a mailbox: nothing is sent, and the newest link keeps its time.
      if (isHeldBack && user?.status !== 'pending') return user ? 'sent' : 'unknown';
      if (user?.status === 'inactive') {
        // The page says what it says to the owner of any account; whom to call stands in the mail (PRF-09).
        const subtenantId = caller.visit.subtenantId ?? user.subtenant_id;
        const to = { email: user.email, firstName: user.first_name, subtenantId };
        await ports.queueSuspended(transaction, to, `${user.id}:${now.toISOString().slice(0, 10)}`);
        return 'sent';
      }
      if (user?.status !== 'active' && config.enumerationProtection === 'strict') {
        const isPending = user?.status === 'pending';
        const pendingUserId = isPending ? user.id : null;
        await ports.queueHelp(transaction, { email, pendingUserId }, caller.visit);
        return 'sent';
      }
      if (!user) return 'unknown';
      if (user.status === 'pending') {
        // A visitor who may not be told is not offered 'Verify here.' either.
        if (!isTruthful) return 'notActive';
        await transaction
          .updateTable('visits')
          .set({ unverified_user_id: user.id })
          .where('id', '=', caller.visit.id)
          .execute();
        return 'notActive';
      }
      const subtenantId = caller.visit.subtenantId ?? user.subtenant_id;
      const link = { userId: user.id, subtenantId, lifeMs: resetLinkMs, isMailed: true, from };
      const { id, url } = await write(transaction, link);
      const to = { email: user.email, firstName: user.first_name, subtenantId };
      await ports.queueLink(transaction, to, url, id);
      return 'sent';
    });
  }

  /** The newest link is the only one: older mails lead to a clear page, not to a second way in. */
  async function write(transaction: Db, link: Ticket & { readonly subtenantId: number }) {
    const [key, id, now] = [randomToken(), randomId(), clock.now()];
    const { userId, subtenantId, lifeMs, isMailed, from } = link;
    await transaction
      .updateTable('reset_links')
      .set({ expires_at: now })
      .where('user_id', '=', userId)
      .where('used_at', 'is', null)
      .execute();
    await transaction
      .insertInto('reset_links')
      .values({
        id,
        key_hash: hashToken(key),
        user_id: userId,
        subtenant_id: subtenantId,
        created_at: now,
        expires_at: later(now, lifeMs),
        used_at: null,
        client_id: from?.clientId ?? null,
        request_id: from?.request ?? null,
        result_url: from?.resultUrl ?? null,
        proves_mail: isMailed,
      })
      .execute();
    return { id, url: `${config.publicUrl}/account/resetPassword?resetLinkKey=${key}` };
  }

  /**
   * Counts a request for a link. Past the limit of an address no second mail goes out while the newest link works:
   * @returns when that went out; `null` when one goes now. The address alone decides, whether it has an account or not.
   */
  async function heldBackSince(email: string): Promise<Date | null> {
    const newest = [whileNewestWorks, email] as const;
    if (await rateLimits.isWithin([RATE_LIMITS.resetPerAccount, email])) {
      await rateLimits.restart(newest);
      return null;
    }
    // Of many at once, one sends; it begins the window that the others read.
    if (await rateLimits.isWithin(newest)) return null;
    return rateLimits.begunAt(newest);
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
        'users.id as userId',
        'users.email',
        'users.first_name',
        'users.last_name',
        'users.dial_code',
        'users.mobile',
        'users.status',
        'users.password_hash',
        'users.hosted_user_id',
      ])
      .executeTakeFirst();
  }

  return {
    askJob: {
      kind: ASK_JOB,
      async deliver(payload) {
        // A job of the release before names no application.
        const {
          email,
          from = null,
          ...caller
        } = payload as Caller & {
          readonly email: string;
          readonly from?: WayBack | null;
        };
        await queue(email, { isTruthful: false, isHeldBack: false }, caller, from);
        outbox.wake();
      },
    },

    async ask(email, isTruthful, caller, from) {
      await rateLimits.take([RATE_LIMITS.resetPerIp, caller.ip]);
      const sentAt = await heldBackSince(canonicalEmail(email));
      if (sentAt !== null) {
        await audit({ kind: 'reset.heldBack', visitId: caller.visit.id, ip: caller.ip });
        if (!isTruthful) return { kind: 'sent', sentAt };
      }
      if (!isTruthful) {
        // No account is looked at before the answer: neither it nor its time tells of one (decision 118).
        const { visit, ip } = caller;
        const payload = { email, visit, ip, from };
        await outbox.add(db, { kind: ASK_JOB, payload, idempotencyKey: `reset:${randomId()}` });
        // The worker finds it within a second. Woken now it would do the work of a known address while the answer to a
        // form without script is still being drawn.
        return { kind: 'sent', sentAt };
      }
      const kind = await queue(email, { isTruthful, isHeldBack: sentAt !== null }, caller, from);
      outbox.wake();
      return kind === 'sent' ? { kind, sentAt } : { kind };
    },

    ticket: (ticket, { clientId, ip }) =>
      db.transaction().execute(async (transaction) => {
        const account = await lockAccount(transaction, ticket.userId);
        if (account?.status !== 'active') return null;
        const { url } = await write(transaction, { ...ticket, subtenantId: account.subtenant_id });
        const actor = `client:${clientId}`;
        const event = { kind: 'reset.ticket', userId: account.id, ip, actor };
        await audit({ ...event, details: { clientId } }, transaction);
        return url;
      }),

    async open(key, { visit, ip }) {
      await rateLimits.check([RATE_LIMITS.wrongLinkPerIp, ip]);
      const link = await db
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
      return {
        userId: link.userId,
        userName: maskEmail(link.email),
        hostedUserId: String(link.userId),
        forgotPasswordId,
        subtenantId: link.subtenant_id,
        // An Auth0 tenant keeps the passwords of its own users.
        isFirst: link.password_hash === null && link.hosted_user_id === null,
        request: link.client_id
          ? await ports.wayBack(visit, {
              clientId: link.client_id,
              request: link.request_id,
              resultUrl: link.result_url,
            })
          : null,
      };
    },

    async hasFailed(visit) {
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

    async update(update, caller) {
      const { visit, ip } = caller;
      const handle = await findHandle(update, visit);
      if (!handle) throw new AppError('RESET_REFUSED');
      const isOver = handle.used_at !== null || handle.expires_at <= clock.now();
      if (isOver || handle.tries > TRIES) throw new AppError('RESET_UNAUTHORIZED');
      if (handle.status !== 'active') throw new AppError('RESET_UNKNOWN');
      const isSamePerson =
        update.userId === handle.userId &&
        update.userName === maskEmail(handle.email) &&
        (update.hostedUserId === null || update.hostedUserId === String(handle.userId));
      if (!isSamePerson || !isPasswordAcceptable(update.password)) {
        throw new AppError('RESET_REFUSED');
      }
      const owner = { ...handle, id: handle.userId };
      if (await ports.passwords.isCurrent(owner, update.password, ip)) {
        throw new AppError('SAME_PASSWORD');
      }
      if (await ports.isGuessable(update.password, owner)) throw new AppError('PASSWORD_GUESSABLE');
      const setPassword = await ports.passwords.change(owner, update.password);
      await db.transaction().execute(async (transaction) => {
        // Read again, because hashing takes long enough for something to change.
        const now = clock.now();
        const account = await lockAccount(transaction, handle.userId);
        if (account?.status !== 'active') throw new AppError('RESET_UNKNOWN');
        await useUp(transaction, handle.linkId, now);
        // After the link is used up, so that of parallel tries only one sets anything; before all else that a failure undoes.
        await setPassword(transaction);
        const { first_name: firstName } = handle.proves_mail
          ? await proveByNewPassword(transaction, account, now)
          : account;
        await ports.endAccess(transaction, handle.userId, now);
        const to = {
          email: handle.email,
          firstName,
          subtenantId: handle.subtenant_id,
        };
        await ports.queueNotice(transaction, to, handle.linkId);
        await audit(
          { kind: 'reset.done', userId: handle.userId, visitId: visit.id, ip },
          transaction,
        );
      });
      await ports.endProviderSessions(handle.userId);
      await ports.resetFailures(handle.email, caller);
      // The links of before are over with it: who forgets this one, too, gets a mail.
      const email = canonicalEmail(handle.email);
      await rateLimits.clear(
        [RATE_LIMITS.resetPerAccount, email],
        [RATE_LIMITS.resetAgainPerAccount, email],
      );
      outbox.wake();
    },
  };

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
}
