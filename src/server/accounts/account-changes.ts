/** Changes of an account by its own person and by the sign-up; what operators do stands in `people/`. */

import { TRIAL_MS } from '#domain/proofs/activation.ts';
import { isAcademy } from '#domain/people/subtenants.ts';
import { canonicalEmail } from '#domain/typed/validation.ts';
import { later } from '../core/clock.ts';
import type { Db } from '../db/database.ts';
import { type Account, personalDataOf, updateAccount } from './account-store.ts';
import type { Registration } from './registration-store.ts';

/** What an activation knows of a person beside the form. */
export type Activation = Pick<
  Account,
  'password_hash' | 'email_proven_at' | 'phone_proven_at' | 'mail_codes_only'
>;

/** Activates an account with what its form says; in the academy the trial begins. */
export async function activateAccount(
  transaction: Db,
  id: number,
  form: Registration,
  activation: Activation,
  now: Date,
): Promise<void> {
  const person = personalDataOf(form);
  await updateAccount(transaction, id, {
    ...person,
    ...activation,
    email_canonical: canonicalEmail(person.email),
    subtenant_id: form.subtenant_id,
    status: 'active',
    activated_at: now,
    trial_ends_at: isAcademy(form.subtenant_id) ? later(now, TRIAL_MS) : null,
  });
}

/** Begins the trial of an account that had none. */
export async function beginTrial(transaction: Db, id: number, now: Date): Promise<void> {
  await transaction
    .updateTable('users')
    .set({ trial_ends_at: later(now, TRIAL_MS) })
    .where('id', '=', id)
    .where('trial_ends_at', 'is', null)
    .execute();
}

/** Replaces a password hash by a stronger one of the same password; a password that was set meanwhile stays. */
export async function replaceHash(
  db: Db,
  id: number,
  { old, stronger }: { readonly old: string; readonly stronger: string },
): Promise<void> {
  await db
    .updateTable('users')
    .set({ password_hash: stronger })
    .where('id', '=', id)
    .where('password_hash', '=', old)
    .execute();
}

/** Deletes an account whose mailbox refused it. @returns false when the address was proven meanwhile */
export async function deleteUnproven(db: Db, id: number): Promise<boolean> {
  const gone = await db
    .deleteFrom('users')
    .where('id', '=', id)
    .where('email_proven_at', 'is', null)
    .returning('id')
    .executeTakeFirst();
  return gone !== undefined;
}

/**
 * Deletes a pending account that no form belongs to any more. An account that another transaction holds stays, because
 * two visits may move to each other's address: the clean-up finds what is left.
 */
export async function deleteWithoutForm(transaction: Db, id: number): Promise<void> {
  // Locked first: a form that is being added holds the account, and would be deleted with it.
  const account = await transaction
    .selectFrom('users')
    .select('id')
    .where('id', '=', id)
    .where('status', '=', 'pending')
    .where('shadow_of', 'is', null)
    .forUpdate()
    .skipLocked()
    .executeTakeFirst();
  if (!account) return;
  await transaction
    .deleteFrom('users')
    .where('id', '=', id)
    .where(({ not, exists, selectFrom }) =>
      not(exists(selectFrom('registrations').select('id').where('user_id', '=', id))),
    )
    .execute();
}

/** Sets the moment at which the account is erased; `null` keeps it. */
export const setClosing = (db: Db, userId: number, at: Date | null): Promise<void> =>
  updateAccount(db, userId, { closing_at: at });

/** Stores how the account likes its pages, for the next browser. */
export const setDisplay = (db: Db, userId: number, display: string, now: Date): Promise<void> =>
  updateAccount(db, userId, { display, display_at: now });
