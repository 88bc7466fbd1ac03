import { type ActivationMode, REGISTRATION_LIFE_MS } from '#domain/activation.ts';
import {
  insertRegistration,
  type Registration,
  type SignUpForm,
} from '../accounts/registration-store.ts';
import { later } from '../clock.ts';
import type { Db } from '../db/database.ts';

/** The form that this visit filled in and waits with for its OTP, locked. */
export async function lockWaitingForm(
  transaction: Db,
  claim: { readonly otpId: string; readonly userId: number; readonly visitId: string },
  now: Date,
): Promise<Registration | undefined> {
  return transaction
    .selectFrom('registrations')
    .selectAll('registrations')
    .where('registrations.visit_id', '=', claim.visitId)
    .where('registrations.user_id', '=', claim.userId)
    .where('completed_at', 'is', null)
    .where('registrations.created_at', '>', later(now, -REGISTRATION_LIFE_MS))
    .where('registrations.id', 'in', (query) =>
      query
        .selectFrom('otp_codes')
        .select('otp_codes.registration_id')
        .where('otp_codes.id', '=', claim.otpId)
        .where('otp_codes.visit_id', '=', claim.visitId)
        .$narrowType<{ registration_id: string }>(),
    )
    .forUpdate()
    .executeTakeFirst();
}

/** Saves a form. A visit has one open form for an account: typing again, a double click or a retry changes it. */
export async function saveForm(
  transaction: Db,
  form: SignUpForm,
  owner: { readonly userId: number; readonly visitId: string; readonly mode: ActivationMode },
  now: Date,
): Promise<string> {
  const { userId, visitId, mode } = owner;
  const open = await transaction
    .updateTable('registrations')
    .set({ ...form, mode, created_at: now })
    .where('visit_id', '=', visitId)
    .where('user_id', '=', userId)
    .where('completed_at', 'is', null)
    .where('created_at', '>', later(now, -REGISTRATION_LIFE_MS))
    .returning('id')
    .executeTakeFirst();
  if (open) return open.id;
  return insertRegistration(transaction, {
    ...form,
    visit_id: visitId,
    user_id: userId,
    mode,
    created_at: now,
    completed_at: mode === 'ROLE_MAPPED' ? now : null,
  });
}

/** Forms of today that added a role to an account. */
export const mappedForms = (db: Db, userId: number, now: Date) =>
  db
    .selectFrom('registrations')
    .select('id')
    .where('user_id', '=', userId)
    .where('mode', '=', 'ROLE_MAPPED')
    .where('created_at', '>', later(now, -REGISTRATION_LIFE_MS));

/** Deletes the form of a wrong address with its OTPs and links, and its account unless somebody else asked for it. */
export async function discardForm(
  transaction: Db,
  form: Registration,
  newUserId: number,
): Promise<void> {
  const { id, user_id: userId } = form;
  await transaction.deleteFrom('registrations').where('id', '=', id).execute();
  const isWanted = await transaction
    .selectFrom('registrations')
    .select('id')
    .where('user_id', '=', userId)
    .executeTakeFirst();
  if (isWanted) return;
  const answers = await transaction
    .selectFrom('survey_answers')
    .selectAll()
    .where('user_id', '=', userId)
    .execute();
  if (answers.length > 0) {
    await transaction.deleteFrom('survey_answers').where('user_id', '=', userId).execute();
    await transaction
      .insertInto('survey_answers')
      .values(answers.map((answer) => ({ ...answer, user_id: newUserId })))
      .onConflict((conflict) => conflict.doNothing())
      .execute();
  }
  await transaction
    .deleteFrom('users')
    .where('id', '=', userId)
    .where('status', '=', 'pending')
    .execute();
}
