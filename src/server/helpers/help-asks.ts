import type { HelpAsk } from '#domain/people/helpers.ts';
import type { AccountChange } from '#texts/account-mails.ts';
import type { OtpMedium } from '#domain/proofs/otp.ts';
import { MINUTE_MS } from '#domain/text/duration.ts';
import type { Use } from '../abuse/rate-limits.ts';
import { type Account, findAccount } from '../accounts/account-store.ts';
import { findHelp, type HelperRow } from '../accounts/helper-store.ts';
import { hasResetLink } from '../accounts/reset-links.ts';
import { helperActor, helperWords } from './helpers.ts';
import { unlockSignIn } from '../access/unlock.ts';
import { later } from '../core/clock.ts';
import { RATE_LIMITS } from '../config/limits.ts';
import type { FullContext } from '../access/context.ts';
import { AppError } from '../http/app-error.ts';
import type { Caller } from '../http/visit-cookie.ts';
import type { Otps } from '../proofs/otp/otp-ports.ts';
import type { Recipients } from '../proofs/otp/recipients.ts';
import type { Resets } from '../proofs/password/resets.ts';

export type HelpAskPorts = {
  readonly otps: Pick<Otps, 'resend'>;
  readonly recipients: Recipients;
  readonly resets: Pick<Resets, 'ask'>;
};

/** Age of a code, in milliseconds, that its page may still wait for. */
const WAITING_MS = 30 * MINUTE_MS;

const NOTICES: Readonly<Record<HelpAsk, AccountChange>> = {
  reset: 'helpReset',
  resend: 'helpResend',
  unlock: 'helpUnlock',
};

type Asked = { readonly id: string; readonly helperId: number; readonly ask: HelpAsk };

/**
 * Creates what a helper may ask for. Each ask is counted, told to the member and written down before it is done; what it
 * does counts in the member's own limits. It returns nothing about the member.
 */
export function createHelpAsks(context: FullContext, ports: HelpAskPorts) {
  const { db, clock, rateLimits, audit, secretBox, outbox, notifications } = context;

  async function record({ id, helperId, ask }: Asked): Promise<Account | null> {
    return db.transaction().execute(async (transaction) => {
      // Locked: an end at the same moment is before this ask, or after it.
      const row = await findHelp(transaction, id, helperId, clock.now(), true);
      const member = row && (await findAccount(transaction, row.member_id));
      if (!row || !member) return null;
      const count = ask === 'unlock' ? await unlockSignIn(transaction, secretBox, member) : null;
      const notice = { kind: NOTICES[ask], words: { helper: helperWords(row) } };
      const cause = `help:${id}:${ask}:${clock.now().getTime()}`;
      await notifications.accountNotice(transaction, member, notice, cause);
      const details = { helper: id, ask, ...(count !== null && { count }) };
      const actor = helperActor(id);
      await audit({ kind: 'helper.used', userId: member.id, actor, details }, transaction);
      return member;
    });
  }

  /** Mails a link for a new password, as the member's own 'Forgot Password?' does. @returns false for one held back */
  async function reset(member: Account, { visit, ip }: Caller): Promise<boolean> {
    const from = { visit: { id: visit.id, subtenantId: member.subtenant_id }, ip };
    const answer = await ports.resets.ask(member.email, false, from, null);
    return answer.kind !== 'sent' || answer.sentAt === null;
  }

  /** Sends again what the member waits for: the code of a sign-in, else the link for a new password. */
  async function resend(member: Account, caller: Caller): Promise<boolean> {
    const code = await waitingCode(member.id);
    if (!code) {
      return (await hasResetLink(db, member.id, clock.now())) ? reset(member, caller) : true;
    }
    const visit = { id: code.visit_id, subtenantId: code.subtenant_id };
    const recipient = await ports.recipients.find('TWOFACTORAUTHENTICATION', member.id, visit);
    // The helper's address pays, and no cookie of the helper is looked at.
    await ports.otps.resend(recipient, code.medium as OtpMedium, { visit, ip: caller.ip });
    return true;
  }

  async function waitingCode(memberId: number) {
    return db
      .selectFrom('otp_codes')
      .innerJoin('sign_ins', 'sign_ins.id', 'otp_codes.sign_in_id')
      .innerJoin('visits', 'visits.id', 'otp_codes.visit_id')
      .select(['otp_codes.visit_id', 'otp_codes.medium', 'visits.subtenant_id'])
      .where('otp_codes.user_id', '=', memberId)
      .where('otp_codes.type', '=', 'TWOFACTORAUTHENTICATION')
      .where('otp_codes.closed_at', 'is', null)
      .where('otp_codes.verified_at', 'is', null)
      .where('otp_codes.sent_at', '>', later(clock.now(), -WAITING_MS))
      .where('sign_ins.stage', '=', 'otp')
      .where('sign_ins.ended_at', 'is', null)
      .orderBy('otp_codes.sent_at', 'desc')
      .executeTakeFirst();
  }

  /** @returns false when the limits of the member's helpers are used up */
  async function count({ member_id: member }: HelperRow, { id, ask }: Asked): Promise<boolean> {
    const uses: Use[] = [[RATE_LIMITS.helpPerMember, String(member)]];
    if (ask === 'unlock') uses.push([RATE_LIMITS.helpUnlockPerMember, String(member)]);
    try {
      await rateLimits.consume(...uses);
      return true;
    } catch (error) {
      if (!isRefusal(error)) throw error;
      const details = { helper: id, ask };
      await audit({ kind: 'helper.refused', userId: member, actor: helperActor(id), details });
      return false;
    }
  }

  /** @returns `over` for a row that does not count (any more), `notNow` when a limit is used up */
  return async (asked: Asked, caller: Caller): Promise<'done' | 'notNow' | 'over'> => {
    const row = await findHelp(db, asked.id, asked.helperId, clock.now());
    if (!row) return 'over';
    if (!(await count(row, asked))) return 'notNow';
    const member = await record(asked);
    if (!member) return 'over';
    outbox.wake();
    if (asked.ask === 'unlock') return 'done';
    try {
      const isDone = await (asked.ask === 'reset' ? reset : resend)(member, caller);
      return isDone ? 'done' : 'notNow';
    } catch (error) {
      if (!isRefusal(error)) throw error;
      // A code that is still on its way needs no second one.
      return error.code === 'TOO_MANY' ? 'notNow' : 'done';
    }
  };
}

const isRefusal = (error: unknown): error is AppError =>
  error instanceof AppError && ['TOO_MANY', 'TOO_SOON', 'FORBIDDEN'].includes(error.code);
