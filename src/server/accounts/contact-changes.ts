/** Changes of email and phone by the person, and their undo (decision 170). */

import { type Selectable, sql } from 'kysely';
import { canonicalEmail } from '#domain/typed/validation.ts';
import { HOUR_MS } from '#domain/text/duration.ts';
import { spellingsOf } from './addresses.ts';
import { later } from '../core/clock.ts';
import { hashToken, randomId } from '../crypto/secret-box.ts';
import type { Db } from '../db/database.ts';
import type { Tables } from '../db/schema.ts';
import { type Account, standInName, updateAccount } from './account-store.ts';
import { closeOtps } from './registration-store.ts';

export type ContactChange = Selectable<Tables['contact_changes']>;

/** For so long a change can be undone, and its old address stays reserved, in milliseconds (ACC-04). */
const UNDO_MS = 72 * HOUR_MS;
/** For so long a wanted contact is kept to be asked for again, in milliseconds. */
const WAIT_MS = HOUR_MS;

/** The new contact. An empty phone removes the number. */
export type WantedContact =
  | { readonly contact: 'email'; readonly email: string }
  | { readonly contact: 'phone'; readonly dial_code: string; readonly mobile: string };

/** Stores the contact that a session wants, in place of its earlier wanted contact of either kind. */
export async function askForContact(
  transaction: Db,
  account: Pick<Account, 'id' | 'email' | 'dial_code' | 'mobile'>,
  signInId: string,
  wanted: WantedContact,
  now: Date,
): Promise<ContactChange> {
  await cancelWaiting(transaction, signInId, now);
  const { email, dial_code, mobile } = { ...account, ...wanted };
  return transaction
    .insertInto('contact_changes')
    .values({
      id: randomId(),
      user_id: account.id,
      sign_in_id: signInId,
      contact: wanted.contact,
      email,
      dial_code,
      mobile,
      asked_at: now,
    })
    .returningAll()
    .executeTakeFirstOrThrow();
}

/** Gives up what a session wants to change to, and closes the code that went there. */
export async function cancelWaiting(db: Db, signInId: string, now: Date): Promise<void> {
  await db
    .updateTable('contact_changes')
    .set({ closed_at: now })
    .where('sign_in_id', '=', signInId)
    .where('changed_at', 'is', null)
    .where('closed_at', 'is', null)
    .execute();
  await closeOtps(db, { sign_in_id: signInId, type: 'NEW_CONTACT' }, now);
}

/** Returns what a session last asked to change to, and has no right code for yet. */
export async function findWaiting(db: Db, signInId: string, now: Date) {
  return db
    .selectFrom('contact_changes')
    .selectAll()
    .where('sign_in_id', '=', signInId)
    .where('changed_at', 'is', null)
    .where('closed_at', 'is', null)
    .where('asked_at', '>', later(now, -WAIT_MS))
    .orderBy('asked_at', 'desc')
    .executeTakeFirst();
}

/** Returns the changes that can still be undone, the oldest first. */
export async function openChanges(db: Db, userId: number, now: Date) {
  return db
    .selectFrom('contact_changes')
    .selectAll()
    .where('user_id', '=', userId)
    .where('changed_at', 'is not', null)
    .where('closed_at', 'is', null)
    .where('undo_until', '>', now)
    .orderBy('changed_at')
    .orderBy('id')
    .execute();
}

/** Returns whether another account had this address in the last 72 hours: nobody else becomes active with it. */
export async function isReserved(db: Db, email: string, exceptId: number | null, now: Date) {
  const row = await db
    .selectFrom('contact_changes')
    .select('id')
    .where('old_email_canonical', 'in', spellingsOf(email))
    .where('contact', '=', 'email')
    .where('changed_at', 'is not', null)
    .where('closed_at', 'is', null)
    .where('undo_until', '>', now)
    .$if(exceptId !== null, (query) => query.where('user_id', '!=', exceptId ?? 0))
    .executeTakeFirst();
  return row !== undefined;
}

/**
 * Makes the wanted contact the account's, and keeps the previous contacts in its row. The caller holds the account's
 * lock, and has checked that the address is free.
 * @returns the end of the time in which the change can be undone
 */
export async function applyChange(
  transaction: Db,
  account: Account,
  change: ContactChange,
  { undoKey, now }: { readonly undoKey: string; readonly now: Date },
): Promise<Date> {
  const undoUntil = later(now, UNDO_MS);
  const { email, dial_code, mobile } = change;
  await updateAccount(transaction, account.id, {
    updated_at: now,
    ...(change.contact === 'email'
      ? { email, email_canonical: canonicalEmail(email), email_proven_at: now }
      : { dial_code, mobile, phone_proven_at: mobile === '' ? null : now }),
  });
  await transaction
    .updateTable('contact_changes')
    .set({
      changed_at: now,
      undo_until: undoUntil,
      undo_key_hash: hashToken(undoKey),
      old_email: account.email,
      old_email_canonical: account.email_canonical,
      old_email_proven_at: account.email_proven_at,
      old_dial_code: account.dial_code,
      old_mobile: account.mobile,
      old_phone_proven_at: account.phone_proven_at,
      old_mail_codes_only: account.mail_codes_only,
    })
    .where('id', '=', change.id)
    .execute();
  return undoUntil;
}

/** Matches changes whose old address is like one of these patterns, while it can be had back. */
export const hadAddress = (patterns: readonly string[], now: Date) =>
  sql<boolean>`contact = 'email' and changed_at is not null and closed_at is null
    and undo_until > ${now}::timestamptz and old_email_canonical like any (${[...patterns]}::text[])`;

/** Gives the open changes of an account one undo link, in place of those that were mailed. The time stays. */
export async function replaceUndoKey(
  transaction: Db,
  changes: readonly ContactChange[],
  key: string,
): Promise<void> {
  for (const [index, { id }] of changes.entries()) {
    await transaction
      .updateTable('contact_changes')
      .set({ undo_key_hash: index === 0 ? hashToken(key) : null })
      .where('id', '=', id)
      .execute();
  }
}

/** Returns the change of an undo link; `undefined` for an unknown key. */
export async function findByUndoKey(db: Db, key: string): Promise<ContactChange | undefined> {
  return db
    .selectFrom('contact_changes')
    .selectAll()
    .where('undo_key_hash', '=', hashToken(key))
    .executeTakeFirst();
}

/**
 * Restores the contacts before a change, and removes the password, which may be a thief's. A pending sign-up that has
 * the address meanwhile loses it. The caller holds the account's lock.
 */
export async function restoreContacts(transaction: Db, before: ContactChange, now: Date) {
  await transaction
    .updateTable('users')
    .set({ email_canonical: sql<string>`${standInName('moved:')}::text || id::text` })
    .where('email_canonical', 'in', spellingsOf(before.old_email_canonical))
    .where('status', '=', 'pending')
    .where('id', '!=', before.user_id)
    .execute();
  await updateAccount(transaction, before.user_id, {
    email: before.old_email,
    email_canonical: before.old_email_canonical,
    email_proven_at: before.old_email_proven_at,
    dial_code: before.old_dial_code,
    mobile: before.old_mobile,
    phone_proven_at: before.old_phone_proven_at,
    mail_codes_only: before.old_mail_codes_only,
    password_hash: null,
    recovery_since: before.changed_at,
    updated_at: now,
  });
  await transaction
    .updateTable('contact_changes')
    .set({ closed_at: now })
    .where('user_id', '=', before.user_id)
    .where('closed_at', 'is', null)
    .execute();
}

/**
 * Records that the reader of a link for a new password has proven something older than the undone change.
 * @returns whether the link still works
 */
export async function recordOlderProof(db: Db, linkId: string, now: Date): Promise<boolean> {
  const link = await db
    .updateTable('reset_links')
    .set({ older_proof_at: now })
    .where('id', '=', linkId)
    .where('used_at', 'is', null)
    .where('expires_at', '>', now)
    .returning('id')
    .executeTakeFirst();
  return link !== undefined;
}

/** Ends the recovery after an undo: a new password was set with an older proof, or an operator vouches. */
export async function endRecovery(db: Db, userId: number): Promise<void> {
  await db
    .updateTable('users')
    .set({ recovery_since: null })
    .where('id', '=', userId)
    .where('recovery_since', 'is not', null)
    .execute();
}
