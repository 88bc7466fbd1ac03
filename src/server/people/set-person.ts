import { canonicalEmail } from '#domain/typed/validation.ts';
import { hasAddress } from '../accounts/addresses.ts';
import { lockAccount, updateAccount } from '../accounts/account-store.ts';
import { isReserved } from '../accounts/contact-changes.ts';
import { closeOtps } from '../accounts/registration-store.ts';
import { endResetLinks } from '../accounts/reset-links.ts';
import type { Db } from '../db/database.ts';
import type { DeedContext } from '../access/context.ts';
import { inTransaction } from '../db/in-transaction.ts';
import { keepOperator } from '../access/last-operator.ts';
import { wholeNumber } from '../accounts/phone-text.ts';
import { removeAdministrator } from './remove-administrator.ts';
import { settleLinkAfter } from './settle-link.ts';

/** The fields to set; a missing one stays. */
export type PersonChange = {
  readonly firstName?: string;
  readonly lastName?: string;
  readonly email?: string;
  /** With its dial code; '' for none. */
  readonly phone?: string;
  readonly subtenantId?: number;
};

export type SetOutcome =
  /** The names of changed fields; empty when all had these values. */
  | { readonly kind: 'done'; readonly changed: readonly (keyof PersonChange)[] }
  /**
   * `pending`: the sign-up is unfinished, and its form has the address. `atTenant`: the address is the Auth0 tenant's.
   */
  | { readonly kind: 'unknown' | 'taken' | 'pending' | 'atTenant' };

/**
 * Sets the name, the contact or the subtenant of an account, in one transaction with its audit event. A new address or
 * number has to be proven again, and codes and links that went to the old one end.
 * @throws AppError LAST_OPERATOR
 */
export async function setPerson(
  context: DeedContext,
  id: number,
  asked: PersonChange,
): Promise<SetOutcome> {
  const { audit } = context;
  const now = context.clock.now();
  // Only a move to another subtenant can take the console away.
  return asked.subtenantId === undefined
    ? inTransaction(context.db, work)
    : keepOperator(context, work);

  async function work(transaction: Db): Promise<SetOutcome> {
    const account = await lockAccount(transaction, id);
    if (!account || account.shadow_of !== null) return { kind: 'unknown' };
    if (account.status === 'pending') return { kind: 'pending' };
    const before: Required<PersonChange> = {
      firstName: account.first_name,
      lastName: account.last_name,
      email: account.email,
      phone: wholeNumber(account),
      subtenantId: account.subtenant_id,
    };
    const names = Object.keys(before) as (keyof PersonChange)[];
    const changed = names.filter((key) => asked[key] !== undefined && asked[key] !== before[key]);
    if (changed.length === 0) return { kind: 'done', changed };
    const next = { ...before, ...asked };
    const email_canonical = canonicalEmail(next.email);
    const isOtherMailbox = email_canonical !== canonicalEmail(account.email_canonical);
    if (isOtherMailbox && account.hosted_user_id !== null) return { kind: 'atTenant' };
    const isOtherPhone = changed.includes('phone');
    if (isOtherMailbox && (await isTaken(transaction, next.email, id, now))) {
      return { kind: 'taken' };
    }
    // The database ends the right at a move by any release (migration 0053); here it is an event, too.
    const own = { ...context, db: transaction };
    await removeAdministrator(own, id, next.subtenantId);
    const row = {
      first_name: next.firstName,
      last_name: next.lastName,
      email: next.email,
      ...(isOtherMailbox && { email_canonical }),
      subtenant_id: next.subtenantId,
      updated_at: now,
      ...(isOtherMailbox && { email_proven_at: null }),
      // A full phone number; it does not say where the dial code ends.
      ...(isOtherPhone && { dial_code: '', mobile: next.phone, phone_proven_at: null }),
    };
    await settleLinkAfter(own, id, async () => {
      await updateAccount(transaction, id, row);
      // Only a move is a change to the link.
      return changed.includes('subtenantId');
    });
    if (isOtherMailbox || isOtherPhone) await closeOtps(transaction, { user_id: id }, now);
    if (isOtherMailbox) {
      await endResetLinks(transaction, id, now);
    }
    await audit({ kind: 'account.changed', userId: id, details: { changed } }, transaction);
    return { kind: 'done', changed };
  }
}

/** Whether another account has a mailbox, or waits for it. */
async function isTaken(db: Db, email: string, id: number, now: Date): Promise<boolean> {
  const other = await db
    .selectFrom('users')
    .select('id')
    .where(hasAddress(email))
    .where('id', '!=', id)
    .executeTakeFirst();
  return other !== undefined || isReserved(db, email, id, now);
}
