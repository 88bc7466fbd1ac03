import { pathOf } from '#domain/flow/screens.ts';
import { canonicalEmail } from '#domain/typed/validation.ts';
import { MINUTE_MS } from '#domain/text/duration.ts';
import { type Account, lockAccount, lockAccountByEmail } from '../../accounts/account-store.ts';
import { waysOf } from '../../accounts/organisation-links.ts';
import { endResetLinks } from '../../accounts/reset-links.ts';
import { later } from '../../core/clock.ts';
import { RATE_LIMITS } from '../../config/limits.ts';
import type { ServerContext } from '../../core/context.ts';
import { hashToken, randomId, randomToken } from '../../crypto/secret-box.ts';
import type { Db } from '../../db/database.ts';
import type { Caller } from '../../http/visit-cookie.ts';
import type { JobDefinition } from '../../jobs/job.ts';
import type { AskAnswer, ResetPorts, Ticket, WayBack } from './reset-ports.ts';

const ASK_JOB = 'resetAsked';
/** Milliseconds, because a mail takes time: a new one may be sent before the newest link expires. */
const BEFORE_END_MS = 5 * MINUTE_MS;

/** Creates password reset links: for a visitor who asks for a mail, and for a program. */
export function createAskReset(
  { db, clock, config, rateLimits, audit, outbox }: ServerContext,
  ports: Pick<ResetPorts, 'notifications' | 'queueHelp'>,
) {
  const { resetLinkMs } = config.timers;
  /** While no second mail is sent, the earlier link stays valid. */
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
    return db.transaction().execute(async (transaction) => {
      // Locked, because only the newest link may be valid: links of one account are created one after another.
      const user = await lockAccountByEmail(transaction, email);
      const userId = user?.id ?? null;
      await audit(
        { kind: 'reset.asked', userId, visitId: caller.visit.id, ip: caller.ip },
        transaction,
      );
      // Prevents flooding of a mailbox: no mail is sent, and the newest link keeps its expiry.
      if (isHeldBack && user?.status !== 'pending') return user ? 'sent' : 'unknown';
      if (user?.status === 'inactive') return mailSuspended(transaction, user, caller);
      if (user?.status === 'active') {
        const { keptBy } = await waysOf(transaction, user.id);
        return keptBy === null
          ? mailLink(transaction, user, caller, from)
          : mailButton(transaction, user, keptBy, caller);
      }
      if (config.enumerationProtection === 'strict') {
        await ports.queueHelp(transaction, { email, pendingUserId: userId }, caller.visit);
        return 'sent';
      }
      if (!user) return 'unknown';
      // A visitor without disclosure does not get 'Verify here.' either.
      if (isTruthful) {
        await transaction
          .updateTable('visits')
          .set({ unverified_user_id: user.id })
          .where('id', '=', caller.visit.id)
          .execute();
      }
      return 'notActive';
    });
  }

  const mailTo = (user: Account, { visit }: Caller) => ({
    email: user.email,
    firstName: user.first_name,
    subtenantId: visit.subtenantId ?? user.subtenant_id,
  });

  const dayOf = () => clock.now().toISOString().slice(0, 10);

  /** The page answers as for any account; the mail has the help contacts (PRF-09). */
  async function mailSuspended(transaction: Db, user: Account, caller: Caller): Promise<'sent'> {
    await ports.notifications.suspended(transaction, mailTo(user, caller), `${user.id}:${dayOf()}`);
    return 'sent';
  }

  /** The page answers as for any account; the mail says which button signs in (FED-05). */
  async function mailButton(transaction: Db, user: Account, keptBy: string, caller: Caller) {
    const cause = `${user.id}:${dayOf()}`;
    await ports.notifications.byOrganisation(transaction, mailTo(user, caller), keptBy, cause);
    return 'sent' as const;
  }

  async function mailLink(
    transaction: Db,
    user: Account,
    caller: Caller,
    from: WayBack | null,
  ): Promise<'sent'> {
    const to = mailTo(user, caller);
    const { id, url } = await write(transaction, {
      userId: user.id,
      subtenantId: to.subtenantId,
      lifeMs: resetLinkMs,
      isMailed: true,
      from,
      isRecovery: user.recovery_since !== null,
    });
    await ports.notifications.resetLink(transaction, to, url, id);
    return 'sent';
  }

  /** Stores the newest link, the only valid one: older mails lead to a page that says so. */
  async function write(
    transaction: Db,
    link: Ticket & { readonly subtenantId: number; readonly isRecovery: boolean },
  ) {
    const [key, id, now] = [randomToken(), randomId(), clock.now()];
    const { userId, subtenantId, lifeMs, isMailed, from } = link;
    await endResetLinks(transaction, userId, now);
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
    // After an undo its page asks for an older proof first.
    const page = pathOf(link.isRecovery ? 'recovery' : 'resetPassword');
    return { id, url: `${config.publicUrl}${page}?resetLinkKey=${key}` };
  }

  /**
   * Counts a request for a link. Above the limit of an address no second mail is sent while the newest link is valid.
   * Depends only on the address, with or without an account.
   * @returns the time of the newest mail; `null` when one is sent now
   */
  async function heldBackSince(email: string): Promise<Date | null> {
    const newest = [whileNewestWorks, email] as const;
    if (await rateLimits.isWithin([RATE_LIMITS.resetPerAccount, email])) {
      await rateLimits.reset(newest);
      return null;
    }
    // Of many concurrent requests, one sends; it begins the window that the others read.
    if (await rateLimits.isWithin(newest)) return null;
    return rateLimits.startedAt(newest);
  }

  return {
    /** Does the part of `ask` that reads an account, after the answer, where disclosure is not allowed. */
    askJob: {
      kind: ASK_JOB,
      async deliver(payload) {
        const { email, from, ...caller } = payload as Caller & {
          readonly email: string;
          readonly from: WayBack | null;
        };
        await queue(email, { isTruthful: false, isHeldBack: false }, caller, from);
        outbox.wake();
      },
    } satisfies JobDefinition,

    /** Queues a link to the stored address; the work is the same for known and unknown addresses (security D6). */
    async ask(
      email: string,
      isTruthful: boolean,
      caller: Caller,
      from: WayBack | null,
    ): Promise<AskAnswer> {
      await rateLimits.consume([RATE_LIMITS.resetPerIp, caller.ip]);
      const sentAt = await heldBackSince(canonicalEmail(email));
      if (sentAt !== null) {
        await audit({ kind: 'reset.heldBack', visitId: caller.visit.id, ip: caller.ip });
        if (!isTruthful) return { kind: 'sent', sentAt };
      }
      if (!isTruthful) {
        // No account is read before the answer: neither the answer nor its time discloses one (decision 118).
        const { visit, ip } = caller;
        const payload = { email, visit, ip, from };
        await outbox.add(db, { kind: ASK_JOB, payload, idempotencyKey: `reset:${randomId()}` });
        // The worker finds it within a second. Waking it now would do a known address's work while the answer to a
        // no-JavaScript form is still being rendered.
        return { kind: 'sent', sentAt };
      }
      const kind = await queue(email, { isTruthful, isHeldBack: sentAt !== null }, caller, from);
      outbox.wake();
      return kind === 'sent' ? { kind, sentAt } : { kind };
    },

    /**
     * Creates a link that a program passes on by itself; the account's other links end.
     * @returns its address; `null` for an account that is not active, or that an organisation keeps
     */
    ticket: (
      ticket: Ticket,
      { clientId, ip }: { readonly clientId: string; readonly ip: string },
    ) =>
      db.transaction().execute(async (transaction) => {
        const account = await lockAccount(transaction, ticket.userId);
        if (account?.status !== 'active') return null;
        if ((await waysOf(transaction, account.id)).keptBy !== null) return null;
        const isRecovery = account.recovery_since !== null;
        const subtenantId = account.subtenant_id;
        const { url } = await write(transaction, { ...ticket, subtenantId, isRecovery });
        const actor = `client:${clientId}`;
        const event = { kind: 'reset.ticket', userId: account.id, ip, actor } as const;
        await audit({ ...event, details: { clientId } }, transaction);
        return url;
      }),
  };
}
