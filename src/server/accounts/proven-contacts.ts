import type { Contact, MailRule } from '#domain/proofs/otp.ts';
import type { Db } from '../db/database.ts';
import {
  type Account,
  findActiveAccount,
  isOnlyByOrganisation,
  insertAccounts,
  lockAccount,
  NAMES,
  newAccountId,
  personalDataOf,
  standInName,
  updateAccount,
} from './account-store.ts';
import { openChanges } from './contact-changes.ts';
import { closeOtps } from './registration-store.ts';

const NO_NAMES = Object.fromEntries(NAMES.map((name) => [name, '']));

/**
 * Returns whether an active account has no proof of its mailbox: such a proof by another person takes the address over
 * (PRF-02).
 */
export function isProvenByPhoneAlone(
  account: Pick<Account, 'status' | 'email_proven_at' | 'phone_proven_at'>,
): boolean {
  const { status, email_proven_at: email, phone_proven_at: phone } = account;
  return status === 'active' && email === null && phone !== null;
}

/** Returns `only` for an account without a phone, or with one that a stranger may have entered (PRF-02). */
export function mailRuleOf(account: Pick<Account, 'mail_codes_only' | 'mobile'>): MailRule {
  return account.mail_codes_only || account.mobile === '' ? 'only' : 'asked';
}

/**
 * Returns the contacts that are known to be the person's: proven, and not changed within 72 hours. A phone of an account
 * whose codes are only mailed may be a stranger's. Every other contact was only typed, and proves nothing (PRF-27).
 */
export async function ownContacts(
  db: Db,
  account: Account,
  now: Date,
): Promise<ReadonlySet<Contact>> {
  const own = new Set<Contact>();
  if (account.email_proven_at) own.add('email');
  if (account.phone_proven_at && !account.mail_codes_only) own.add('phone');
  for (const { contact } of await openChanges(db, account.id, now)) own.delete(contact);
  return own;
}

/**
 * Returns the contacts whose code opens the account without a password (PRF-27): none while the account is suspended,
 * closing or recovering from an undone change, and none of an account with an app code.
 */
export async function contactsThatOpen(
  db: Db,
  userId: number,
  now: Date,
): Promise<ReadonlySet<Contact>> {
  const account = await findActiveAccount(db, userId);
  const isOpen = account?.closing_at === null && account.recovery_since === null;
  // Operators have their rights by roles that no organisation gives.
  const isElsewhere = account !== null && isOnlyByOrganisation(account, []);
  return isOpen && !isElsewhere && !account.hasAppCode ? ownContacts(db, account, now) : new Set();
}

/** Returns whether a right code of this contact proves nothing new about an account. */
function hasNothingToProve(account: Account, contact: Contact | null): boolean {
  if (account.first_signed_in_at === null) return false;
  if (contact === 'email') return account.email_proven_at !== null && !account.mail_codes_only;
  return contact === null || account.phone_proven_at !== null;
}

/**
 * Stores the proof of a right code at sign-in, with its time. `contact` is `null` for a code that needed no password: it
 * proves no contact, because it was sent to one that is proven already (PRF-27). A mailed code with the right password
 * proves ownership: from then on codes are sent as the account says.
 * @returns the account at its first sign-in
 */
export async function recordSignIn(
  transaction: Db,
  userId: number,
  read: { readonly contact: Contact | null; readonly isPasswordKnown: boolean },
  now: Date,
): Promise<Account | null> {
  const account = await lockAccount(transaction, userId);
  const { contact, isPasswordKnown } = read;
  if (!account || hasNothingToProve(account, contact)) return null;
  const isOwner = contact === 'email' && isPasswordKnown;
  await updateAccount(transaction, userId, {
    first_signed_in_at: account.first_signed_in_at ?? now,
    ...(contact === 'email' && { email_proven_at: account.email_proven_at ?? now }),
    ...(contact === 'phone' && { phone_proven_at: account.phone_proven_at ?? now }),
    ...(isOwner && { mail_codes_only: false }),
  });
  if (contact === 'email' && !account.email_proven_at) {
    await endStandInForms(transaction, userId, now);
  }
  return account.first_signed_in_at ? null : account;
}

/**
 * Stores the confirmation of a mailed link. Its reader may not be the author of password and phone, so codes are only
 * mailed until the reader shows to know the password.
 */
export async function recordMailRead(
  transaction: Db,
  userId: number,
  { isPasswordKnown }: { readonly isPasswordKnown: boolean },
  now: Date,
): Promise<void> {
  await updateAccount(transaction, userId, {
    email_proven_at: now,
    mail_codes_only: !isPasswordKnown,
  });
  await endStandInForms(transaction, userId, now);
}

/**
 * Treats a password that was set by mail as the owner's. Deletes what was entered by a visitor who never proved the
 * mailbox: name, phone, survey answers, known browsers, linked accounts, and consents. A name from an operator stays:
 * such an account has no password yet, or was imported.
 * @returns the remaining first name
 */
export async function proveByNewPassword(
  transaction: Db,
  account: Account,
  now: Date,
): Promise<Pick<Account, 'first_name'>> {
  const { id, mail_codes_only: isMailOnly, email_proven_at: provenAt } = account;
  const isTrusted = !isMailOnly && provenAt !== null;
  const isNamedByOperator = account.password_hash === null || account.imported_at !== null;
  const kept = await transaction
    .updateTable('users')
    .set({
      email_proven_at: provenAt ?? now,
      mail_codes_only: false,
      ...(!isTrusted && { dial_code: '', mobile: '', phone_proven_at: null }),
      ...(!isTrusted && !isNamedByOperator && NO_NAMES),
    })
    .where('id', '=', id)
    .returning('first_name')
    .executeTakeFirstOrThrow();
  if (isTrusted) return kept;
  await transaction.deleteFrom('known_devices').where('user_id', '=', id).execute();
  await transaction.deleteFrom('consents').where('user_id', '=', id).execute();
  await transaction.deleteFrom('survey_answers').where('user_id', '=', id).execute();
  await transaction
    .deleteFrom('linked_accounts')
    .where((eb) => eb.or([eb('user_id', '=', id), eb('primary_id', '=', id)]))
    .execute();
  if (provenAt === null) await endStandInForms(transaction, id, now);
  return kept;
}

/** Records that a client of the Management API knows the mailbox to be the person's. @returns whether that activated the account */
export async function proveByClient(transaction: Db, id: number, now: Date): Promise<boolean> {
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

/**
 * Moves an account that a text activates away from the address: the known row stays as the decoy for other visitors'
 * forms.
 * @returns the row that has the address
 */
export async function moveToNewAccount(
  transaction: Db,
  pending: Account,
  id = newAccountId(),
): Promise<Account> {
  // An operator's program knows this one by its id.
  if (pending.password_hash !== null) return pending;
  await updateAccount(transaction, pending.id, {
    email_canonical: standInName(`${pending.id}:moving`),
  });
  const { created_at, sign_up_platform, subtenant_id } = pending;
  const rest = { id, created_at, sign_up_platform, subtenant_id };
  const [account] = await insertAccounts(transaction, [{ ...personalDataOf(pending), ...rest }]);
  if (!account) throw new Error('The address is locked by this transaction and taken all the same');
  await updateAccount(transaction, pending.id, {
    email_canonical: standInName(account.id),
    shadow_of: account.id,
  });
  return account;
}

/**
 * Frees the address of an account without a proof by mail, for its decoy row: deletes the account with its password,
 * phone, sessions, links and roles. Its id is never reused.
 */
export async function releaseAddress(transaction: Db, account: Account, standIn: Account) {
  await updateAccount(transaction, standIn.id, { shadow_of: null });
  await transaction.deleteFrom('users').where('id', '=', account.id).execute();
}

/** Closes other visitors' forms of an address when it is proven by mail, with their codes (security D27). */
export async function endForms(transaction: Db, userId: number, now: Date): Promise<void> {
  await transaction
    .updateTable('registrations')
    .set({ completed_at: now, password_hash: null })
    .where('user_id', '=', userId)
    .where('completed_at', 'is', null)
    .execute();
  await closeOtps(transaction, { user_id: userId }, now);
}

async function endStandInForms(transaction: Db, userId: number, now: Date): Promise<void> {
  const standIn = await transaction
    .selectFrom('users')
    .select('id')
    .where('shadow_of', '=', userId)
    .executeTakeFirst();
  if (standIn) await endForms(transaction, standIn.id, now);
}
