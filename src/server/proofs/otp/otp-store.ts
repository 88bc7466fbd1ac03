import { type ExpressionBuilder, type Selectable, sql } from 'kysely';
import { type CodeType, OTP_MEDIUM } from '#domain/proofs/otp.ts';
import { DAY_MS } from '#domain/text/duration.ts';
import { hasAppCode } from '../../accounts/account-store.ts';
import { later } from '../../core/clock.ts';
import { randomId } from '../../crypto/secret-box.ts';
import type { Db } from '../../db/database.ts';
import type { Tables } from '../../db/schema.ts';
import type { OtpRecipient } from './recipients.ts';

/** An OTP as it is stored, without its digits. */
export type Otp = Selectable<Tables['otp_codes']>;

/** A browser's claim about an OTP; compared with the visit's own rows, never trusted. */
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
  Partial<
    Pick<Otp, 'id' | 'code_hmac' | 'phone_code_hmac' | 'verified_at' | 'proven' | 'counted'>
  > & {
    readonly subject: string;
  };

/**
 * Stores an OTP. One without digits is never right.
 * @returns its id
 */
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

/** The purposes that prove who signs in. */
const SIGN_IN_TYPES: readonly CodeType[] = ['TWOFACTORAUTHENTICATION', 'STEP_UP', 'VERIFY_CONTACT'];

/**
 * Matches OTPs by the account's present way in: with an app code none that was mailed or texted opens anything, and
 * without one the app opens nothing.
 */
export const isOfWayIn = (eb: ExpressionBuilder<Tables, 'otp_codes'>) =>
  eb.or([
    eb('type', 'not in', SIGN_IN_TYPES),
    sql<boolean>`(medium = ${OTP_MEDIUM.app}) = ${hasAppCode('otp_codes.user_id')}`,
  ]);

/** Returns the visit's open OTP for exactly this purpose and subject. */
export async function findOpenOtp(
  db: Db,
  { userId, type, subject, registrationId, signInId, asksApp }: OtpRecipient,
  visitId: string,
): Promise<Otp | undefined> {
  return db
    .selectFrom('otp_codes')
    .selectAll()
    .where('visit_id', '=', visitId)
    .where('user_id', '=', userId)
    .where('type', '=', type)
    .where((eb) => eb.or([eb('subject', '=', subject), eb('subject', 'is', null)]))
    .where('registration_id', 'is not distinct from', registrationId)
    .where('sign_in_id', 'is not distinct from', signInId)
    .where('medium', asksApp ? '=' : '!=', OTP_MEDIUM.app)
    .where('closed_at', 'is', null)
    .where('verified_at', 'is', null)
    .orderBy('sent_at', 'desc')
    .executeTakeFirst();
}

/** Locks the visit for the rest of the transaction, so that its requests run one at a time. */
export async function lockVisit(transaction: Db, visitId: string): Promise<void> {
  await transaction
    .selectFrom('visits')
    .select('id')
    .where('id', '=', visitId)
    .forNoKeyUpdate()
    .execute();
}

/** Returns the OTP of a claim in this visit. */
export async function findOtp(db: Db, { id, userId }: OtpClaim, visitId: string) {
  return db
    .selectFrom('otp_codes')
    .selectAll()
    .where('id', '=', id)
    .where('visit_id', '=', visitId)
    .where('user_id', '=', userId)
    .executeTakeFirst();
}

/** The number of earlier codes that typed digits are compared with. */
const MOST_EARLIER = 5;
const EARLIER_MS = DAY_MS;

/** Returns the codes for the same purpose that a newer one has replaced, in this visit or for this account. */
export async function findReplaced(
  db: Db,
  otp: Pick<Otp, 'id' | 'visit_id' | 'user_id' | 'type'>,
  now: Date,
) {
  return (
    db
      .selectFrom('otp_codes')
      .select(['id', 'code_hmac', 'phone_code_hmac'])
      .where('type', '=', otp.type)
      .where('id', '!=', otp.id)
      // At sign-up, an account has forms of other visits, too.
      .where((eb) =>
        otp.type === 'USER_ACTIVATION'
          ? eb('visit_id', '=', otp.visit_id)
          : eb.or([eb('visit_id', '=', otp.visit_id), eb('user_id', '=', otp.user_id)]),
      )
      .where((eb) => eb.or([eb('closed_at', 'is not', null), eb('verified_at', 'is not', null)]))
      .where('sent_at', '>', later(now, -EARLIER_MS))
      .orderBy('sent_at', 'desc')
      .limit(MOST_EARLIER)
      .execute()
  );
}

/** Returns whether the sign-in of this OTP has ended, and its browser is at a newer one. */
export async function isOfOtherSignIn(db: Db, { visit_id: visitId, sign_in_id: signInId }: Otp) {
  const newer = await db
    .selectFrom('sign_ins as own')
    .innerJoin('sign_ins as newer', 'newer.visit_id', 'own.visit_id')
    .select('newer.id')
    .where('own.id', '=', signInId)
    .where('own.visit_id', '=', visitId)
    .where('own.ended_at', 'is not', null)
    .where('newer.ended_at', 'is', null)
    .where('newer.stage', '!=', 'password')
    .executeTakeFirst();
  return newer !== undefined;
}

/** Closes the OTPs that a new one for the same purpose replaces. At sign-up, other visits keep theirs. */
export async function closeOpenOtps(
  db: Db,
  { userId, type }: OtpRecipient,
  visitId: string,
  now: Date,
): Promise<void> {
  await db
    .updateTable('otp_codes')
    .set({ closed_at: now })
    .where('user_id', '=', userId)
    .where('type', '=', type)
    .where('closed_at', 'is', null)
    .where('verified_at', 'is', null)
    .$if(type === 'USER_ACTIVATION', (query) => query.where('visit_id', '=', visitId))
    .execute();
}
