import type { Insertable, Selectable } from 'kysely';
import { ACTIVATION_PROOF_LIFE_MS } from '#domain/proofs/activation.ts';
import type { CodeType } from '#domain/proofs/otp.ts';
import { later } from '../core/clock.ts';
import { hashToken, randomId } from '../crypto/secret-box.ts';
import type { Db } from '../db/database.ts';
import type { PersonColumns, Tables } from '../db/schema.ts';
import type { PersonalData } from './account-store.ts';

/** A filled-in sign-up form. */
export type Registration = Selectable<Tables['registrations']>;

/** The content of a sign-up form; a right OTP copies it into the account. */
export type SignUpForm = PersonalData &
  Pick<Registration, 'password_hash' | 'role_id' | 'subtenant_id' | 'promo_code'>;

/** Adds a form: one that waits for its code, without visit and promo code, unless it says otherwise. @returns its id */
export async function insertRegistration(
  db: Db,
  form: Insertable<PersonColumns> &
    Omit<SignUpForm, keyof PersonColumns | 'promo_code'> &
    Pick<Registration, 'user_id' | 'created_at'> &
    Partial<Registration>,
): Promise<string> {
  const id = randomId();
  await db
    .insertInto('registrations')
    .values({
      id,
      visit_id: null,
      promo_code: null,
      mode: 'VERIFY_OTP',
      completed_at: null,
      ...form,
    })
    .execute();
  return id;
}

/** Selects forms that wait for their OTP, with their pending accounts. */
export const openRegistrations = (db: Db) =>
  db
    .selectFrom('registrations')
    .innerJoin('users', 'users.id', 'registrations.user_id')
    .where('users.status', '=', 'pending')
    .where('registrations.completed_at', 'is', null);

/** Selects a visit's recent right activation OTPs, whose proof can still be used. */
export const activationProofs = (db: Db, visitId: string, now: Date) =>
  db
    .selectFrom('otp_codes')
    .where('otp_codes.visit_id', '=', visitId)
    .where('otp_codes.type', '=', 'USER_ACTIVATION')
    .where('otp_codes.verified_at', '>', later(now, -ACTIVATION_PROOF_LIFE_MS));

/** Returns what an activation code of a form proves: this form, with the contacts that it has now. */
export const subjectOfForm = (
  form: Pick<Registration, 'id' | 'email' | 'dial_code' | 'mobile'>,
): string => `${form.id}:${hashToken([form.email, form.dial_code, form.mobile].join(' '))}`;

/** Closes the open OTPs of an account, of one form, or of one purpose of a session. */
export async function closeOtps(
  db: Db,
  owner:
    | { readonly user_id: number }
    | { readonly registration_id: string }
    | { readonly sign_in_id: string; readonly type: CodeType },
  now: Date,
): Promise<void> {
  await db
    .updateTable('otp_codes')
    .set({ closed_at: now })
    .where((eb) => eb.and(owner))
    .where('closed_at', 'is', null)
    .execute();
}

/** Returns a form. */
export async function findRegistration(db: Db, id: string): Promise<Registration | undefined> {
  return db.selectFrom('registrations').selectAll().where('id', '=', id).executeTakeFirst();
}

/** Moves the form's survey answers to the account, in place of earlier ones to the same questions. */
export async function moveSurveyAnswers(transaction: Db, registrationId: string, userId: number) {
  const answers = await transaction
    .deleteFrom('survey_answers')
    .where('registration_id', '=', registrationId)
    .returningAll()
    .execute();
  if (answers.length === 0) return;
  await transaction
    .insertInto('survey_answers')
    .values(answers.map((each) => ({ ...each, user_id: userId, registration_id: null })))
    .onConflict((conflict) =>
      conflict.columns(['user_id', 'subject_id', 'response_id']).doUpdateSet((eb) => ({
        sealed_text: eb.ref('excluded.sealed_text'),
      })),
    )
    .execute();
}
