/** Trusted helpers (decision 186): named, accepted and ended. Each is one transaction with its event and its mails. */

import { canonicalEmail } from '#domain/typed/validation.ts';
import { ASK_LIFE_MS, endOfHelp, type HelperFields, MOST_HELPERS } from '#domain/people/helpers.ts';
import type { HelperProblem } from '#texts/helper-problems.ts';
import { type Account, lockAccount } from '../accounts/account-store.ts';
import { helpAsksTo, endHelp, type HelperRow, helpersOf } from '../accounts/helper-store.ts';
import { later } from '../core/clock.ts';
import { randomId } from '../crypto/secret-box.ts';
import type { Db } from '../db/database.ts';
import type { HelpEndedBy } from '../db/schema.ts';
import { plainName } from '../notifications/greeting.ts';
import type { Notifications } from '../notifications/notifications.ts';
import type { DeedContext } from '../access/context.ts';
import { inTransaction } from '../db/in-transaction.ts';

/** Returns the actor of what a helper does with another account: the row's id, which goes with either account. */
export const helperActor = (rowId: string) => `helper:${rowId}`;

/** Returns the name of a helper for a mail to the member; the typed address of one who has not answered. */
export const helperWords = ({ helperName, email }: Pick<HelperRow, 'helperName' | 'email'>) =>
  plainName(helperName) || email;

/**
 * Asks the person of an address to help a member, whose code was right. No account is looked up: the page and the mail
 * are the same for every address.
 * @returns `null`, or what prevents it
 */
export async function askHelper(
  context: DeedContext,
  memberId: number,
  named: HelperFields & { readonly isMailed: boolean },
): Promise<HelperProblem | null> {
  const { db, clock, audit, notifications } = context;
  const now = clock.now();
  const { helperEmail: email, relation } = named;
  const email_canonical = canonicalEmail(email);
  return inTransaction(db, async (transaction): Promise<HelperProblem | null> => {
    // Locked, so that of two forms at once both are counted.
    const member = await lockAccount(transaction, memberId);
    if (member?.status !== 'active') return 'helpersFull';
    if (canonicalEmail(member.email_canonical) === email_canonical) return 'helperIsYou';
    await closeOver(transaction, memberId, now);
    const open = (await helpersOf(transaction, memberId)).filter((row) => !row.removed_at);
    const isThere = open.some(
      (row) =>
        canonicalEmail(row.email_canonical) === email_canonical ||
        isMailboxOf(row, email_canonical),
    );
    if (isThere) return 'helperIsThere';
    if (open.length >= MOST_HELPERS) return 'helpersFull';
    const [id, ends_at] = [randomId(), later(now, ASK_LIFE_MS)];
    const row = { id, member_id: memberId, email, email_canonical, relation };
    await transaction
      .insertInto('helpers')
      .values({ ...row, asked_at: now, ends_at })
      .execute();
    const notice = { kind: 'helperNamed', words: { email } } as const;
    await notifications.accountNotice(transaction, member, notice, `helper:${id}`);
    if (named.isMailed) {
      const to = { email, firstName: '', subtenantId: member.subtenant_id };
      const written = { kind: 'asked', member: accountName(member), endsAt: null } as const;
      await notifications.helperMail(transaction, to, written, `${id}:asked`);
    }
    await audit({ kind: 'helper.asked', userId: memberId, details: { helper: id } }, transaction);
    return null;
  });
}

/** An address that a helper has since the ask is theirs, too. */
const isMailboxOf = ({ helperEmail }: HelperRow, email_canonical: string) =>
  helperEmail !== null && canonicalEmail(helperEmail) === email_canonical;

/** Closes rows whose time is over, so that the same person can be asked again. */
async function closeOver(transaction: Db, memberId: number, now: Date): Promise<void> {
  await transaction
    .updateTable('helpers')
    .set((eb) => ({ removed_at: eb.ref('ends_at') }))
    .where('member_id', '=', memberId)
    .where('removed_at', 'is', null)
    .where('ends_at', '<=', now)
    .execute();
}

/**
 * Accepts an ask, by the account whose proven mailbox was named and whose code was right. From now on it counts.
 * @returns false when there is no such open ask to this account
 */
export async function acceptHelp(
  context: DeedContext,
  helperId: number,
  rowId: string,
): Promise<boolean> {
  const { db, clock, audit, notifications } = context;
  const now = clock.now();
  return inTransaction(db, async (transaction) => {
    const helper = await lockAccount(transaction, helperId);
    if (helper?.status !== 'active') return false;
    const asked = (await helpAsksTo(transaction, helper, now)).find(({ id }) => id === rowId);
    if (!asked) return false;
    const endsAt = endOfHelp(now);
    // An end at the same time wins or waits: it changes the same row.
    const { numUpdatedRows } = await transaction
      .updateTable('helpers')
      .set({ helper_id: helperId, added_at: now, ends_at: endsAt })
      .where('id', '=', rowId)
      .where('added_at', 'is', null)
      .where('removed_at', 'is', null)
      .executeTakeFirst();
    if (numUpdatedRows === 0n) return false;
    const member = await memberOf(transaction, asked);
    const words = { helper: plainName(accountName(helper)) || helper.email, date: endsAt };
    const notice = { kind: 'helperAdded', words } as const;
    await notifications.accountNotice(transaction, member, notice, `helper:${rowId}:yes`);
    const written = { kind: 'started', member: asked.memberName, endsAt } as const;
    await notifications.helperMail(transaction, memberRecipient(helper), written, `${rowId}:yes`);
    const event = {
      kind: 'helper.accepted',
      userId: member.id,
      actor: helperActor(rowId),
    } as const;
    await audit({ ...event, details: { helper: rowId } }, transaction);
    return true;
  });
}

/** Ends rows with their event, and tells the member and the helper. @returns the number of ended rows */
export async function endHelpers(
  { clock, audit, notifications }: DeedContext,
  transaction: Db,
  end: {
    readonly ids: readonly string[];
    readonly by: HelpEndedBy;
    readonly actor?: string;
    /** An account that is not told, because it has ended. */
    readonly isGone?: number;
  },
): Promise<number> {
  const { ids, by, actor, isGone } = end;
  const ended = await endHelp(transaction, ids, by, clock.now());
  for (const row of ended) {
    const { id, member_id: userId, helper_id: helperId, memberName } = row;
    if (userId !== isGone) {
      const notice = { kind: 'helperEnded', words: { helper: helperWords(row) } } as const;
      const member = await memberOf(transaction, row);
      await notifications.accountNotice(transaction, member, notice, `helper:${id}:end`);
    }
    const { helperEmail: email, helperSubtenant: subtenantId } = row;
    if (helperId !== isGone && email !== null && subtenantId !== null) {
      const to = { email, firstName: row.helperFirstName ?? '', subtenantId };
      const written = { kind: 'ended', member: memberName, endsAt: null } as const;
      await notifications.helperMail(transaction, to, written, `${id}:end`);
    }
    const event = { kind: 'helper.ended', userId, details: { helper: id, by } } as const;
    await audit({ ...event, ...(actor !== undefined && { actor }) }, transaction);
  }
  return ended.length;
}

/** Ends the help of and for an account that ends: it is suspended, closed or erased. */
export async function endHelpOfAccount(
  context: DeedContext,
  transaction: Db,
  accountId: number,
): Promise<void> {
  const rows = await transaction
    .selectFrom('helpers')
    .select('id')
    .where((eb) => eb.or([eb('member_id', '=', accountId), eb('helper_id', '=', accountId)]))
    .where('removed_at', 'is', null)
    .execute();
  if (rows.length === 0) return;
  const end = { ids: rows.map(({ id }) => id), by: 'account', isGone: accountId } as const;
  await endHelpers(context, transaction, end);
}

/** Tells both that the year is nearly over. */
export async function remindOfEnd(
  notifications: Notifications,
  transaction: Db,
  row: HelperRow,
  member: Account,
): Promise<void> {
  const { id, ends_at: endsAt, helperEmail: email, helperSubtenant: subtenantId } = row;
  const words = { helper: helperWords(row), date: endsAt };
  const notice = { kind: 'helperEndsSoon', words } as const;
  await notifications.accountNotice(transaction, member, notice, `helper:${id}:soon`);
  if (email === null || subtenantId === null) return;
  const to = { email, firstName: row.helperFirstName ?? '', subtenantId };
  const written = { kind: 'endsSoon', member: row.memberName, endsAt } as const;
  await notifications.helperMail(transaction, to, written, `${id}:soon`);
}

const accountName = ({ first_name, last_name }: Pick<Account, 'first_name' | 'last_name'>) =>
  `${first_name} ${last_name}`.trim();

const memberRecipient = ({ email, first_name, subtenant_id }: Account) => ({
  email,
  firstName: first_name,
  subtenantId: subtenant_id,
});

const memberOf = (transaction: Db, { member_id: id }: Pick<HelperRow, 'member_id'>) =>
  transaction.selectFrom('users').selectAll().where('id', '=', id).executeTakeFirstOrThrow();
