import { type ActivationMode, REGISTRATION_LIFE_MS } from '#domain/proofs/activation.ts';
import { deleteWithoutForm } from '../accounts/account-changes.ts';
import {
  closeOtps,
  insertRegistration,
  type Registration,
  type SignUpForm,
} from '../accounts/registration-store.ts';
import { later } from '../core/clock.ts';
import type { Db } from '../db/database.ts';

/** Returns the form of this visit that waits for its OTP, locked. */
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

/** Saves a form. A visit has one open form for an account: another submit, a double click or a retry updates it. */
export async function saveForm(
  transaction: Db,
  form: SignUpForm,
  owner: {
    readonly userId: number;
    readonly visitId: string;
    readonly mode: ActivationMode;
    /** Its code is only mailed, whatever was requested. */
    readonly isByMailOnly: boolean;
  },
  now: Date,
): Promise<string> {
  const { userId, visitId, mode, isByMailOnly: by_mail_only } = owner;
  const open = await transaction
    .selectFrom('registrations')
    .select(['id', 'dial_code', 'mobile'])
    .where('visit_id', '=', visitId)
    .where('user_id', '=', userId)
    .where('completed_at', 'is', null)
    .where('created_at', '>', later(now, -REGISTRATION_LIFE_MS))
    .forUpdate()
    .executeTakeFirst();
  if (open) {
    await transaction
      .updateTable('registrations')
      .set({ ...form, mode, by_mail_only, created_at: now })
      .where('id', '=', open.id)
      .execute();
    // A code on its way to the old number is closed.
    if (open.dial_code !== form.dial_code || open.mobile !== form.mobile) {
      await closeOtps(transaction, { registration_id: open.id }, now);
    }
    return open.id;
  }
  return insertRegistration(transaction, {
    ...form,
    visit_id: visitId,
    user_id: userId,
    mode,
    by_mail_only,
    created_at: now,
    ...(mode === 'ROLE_MAPPED' ? { completed_at: now, activated_at: now } : { completed_at: null }),
  });
}

/** Returns a form of today from this visit, waiting or mapped, that is equal except perhaps for the password. */
export async function findSameForm(
  db: Db,
  form: Omit<SignUpForm, 'password_hash'>,
  visitId: string,
  now: Date,
): Promise<Registration | undefined> {
  const { promo_code: promo, ...rest } = form;
  return db
    .selectFrom('registrations')
    .selectAll()
    .where((eb) => eb.and({ ...rest, visit_id: visitId }))
    .where('promo_code', promo === null ? 'is' : '=', promo)
    .where('created_at', '>', later(now, -REGISTRATION_LIFE_MS))
    .where((eb) => eb.or([eb('completed_at', 'is', null), eb('mode', '=', 'ROLE_MAPPED')]))
    .orderBy('created_at', 'desc')
    .executeTakeFirst();
}

/** Selects forms of today that added a role to an account. */
export const mappedForms = (db: Db, userId: number, now: Date) =>
  db
    .selectFrom('registrations')
    .select('id')
    .where('user_id', '=', userId)
    .where('mode', '=', 'ROLE_MAPPED')
    .where('created_at', '>', later(now, -REGISTRATION_LIFE_MS));

/**
 * Deletes the form of a wrong address with its OTPs and links, and its account unless another form uses it. Its survey
 * answers move to the new form.
 */
export async function discardForm(transaction: Db, form: Registration, newFormId: string) {
  const { id, user_id: userId } = form;
  await transaction
    .updateTable('survey_answers')
    .set({ registration_id: newFormId })
    .where('registration_id', '=', id)
    .execute();
  await transaction.deleteFrom('registrations').where('id', '=', id).execute();
  await deleteWithoutForm(transaction, userId);
}
