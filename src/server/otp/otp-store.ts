import type { Selectable } from 'kysely';
import { randomId } from '../crypto/secret-box.ts';
import type { Db } from '../db/database.ts';
import type { Tables } from '../db/schema.ts';
import type { OtpRecipient } from './recipients.ts';

/** An OTP as it is stored, without its digits. */
export type Otp = Selectable<Tables['otp_codes']>;

/** What a browser says of an OTP; compared with the visit's own, never believed. */
export type OtpClaim = { readonly id: string; readonly userId: number };

type NewOtp = Pick<
  Otp,
  | 'visit_id'
  | 'user_id'
  | 'registration_id'
  | 'sign_in_id'
  | 'type'
  | 'medium'
  | 'sent_at'
  | 'expires_at'
> &
  Partial<Pick<Otp, 'id' | 'code_hmac' | 'phone_code_hmac' | 'verified_at' | 'proven' | 'counted'>>;

/** Adds an OTP. Without digits it is right for nothing that anybody types. @returns its id */
export async function insertOtp(db: Db, otp: NewOtp): Promise<string> {
  const id = otp.id ?? randomId();
  await db
    .insertInto('otp_codes')
    .values({
      code_hmac: '',
      phone_code_hmac: '',
      verified_at: null,
      closed_at: null,
      ...otp,
      counted: JSON.stringify(otp.counted ?? []),
      id,
    })
    .execute();
  return id;
}

/** The OTP of a visit for exactly this purpose that waits for its digits. */
export async function findOpenOtp(
  db: Db,
  recipient: OtpRecipient,
  visitId: string,
): Promise<Otp | undefined> {
  return db
    .selectFrom('otp_codes')
    .selectAll()
    .where('visit_id', '=', visitId)
    .where('user_id', '=', recipient.userId)
    .where('type', '=', recipient.type)
    .where('registration_id', 'is not distinct from', recipient.registrationId)
    .where('sign_in_id', 'is not distinct from', recipient.signInId)
    .where('closed_at', 'is', null)
    .where('verified_at', 'is', null)
    .orderBy('sent_at', 'desc')
    .executeTakeFirst();
}

export async function findOtp(
  db: Db,
  { id, userId }: OtpClaim,
  visitId: string,
): Promise<Otp | undefined> {
  return db
    .selectFrom('otp_codes')
    .selectAll()
    .where('id', '=', id)
    .where('visit_id', '=', visitId)
    .where('user_id', '=', userId)
    .executeTakeFirst();
}

/** Only the newest counts: OTPs sent before for the same purpose end. At sign-up, other visits keep theirs. */
export async function closeOpenOtps(
  transaction: Db,
  { userId, type }: OtpRecipient,
  visitId: string,
  now: Date,
): Promise<void> {
  await transaction
    .updateTable('otp_codes')
    .set({ closed_at: now })
    .where('user_id', '=', userId)
    .where('type', '=', type)
    .$if(type === 'USER_ACTIVATION', (query) => query.where('visit_id', '=', visitId))
    .where('closed_at', 'is', null)
    .where('verified_at', 'is', null)
    .execute();
}
