import { type RawBuilder, type Selectable, sql } from 'kysely';
import type { Contact } from '#domain/otp.ts';
import { hasNothingToProve } from '../accounts/proof.ts';
import type { AuditWithin } from '../audit/audit.ts';
import { randomId } from '../crypto/secret-box.ts';
import type { Db } from '../db/database.ts';
import { insertFrom } from '../db/insert-from.ts';
import type { Tables } from '../db/schema.ts';
import type { OtpRecipient } from './recipients.ts';

/** An OTP as it is stored, without its digits. */
export type Otp = Selectable<Tables['otp_codes']>;

/** A message with an OTP, written down by the statement that adds the OTP. */
export type OtpMessage = {
  /** The `with` of the statement that write it for the row of `source`, another `with`. */
  within(source: string, name: string): RawBuilder<unknown>;
  /** To be called when it was written. */
  noteQueued(): void;
};

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

/**
 * The OTP of a visit for exactly this purpose that waits for its digits, what names the visit's browser, and whose turn
 * it is: whoever sends another one since then makes it another turn.
 */
export async function findOpenOtp(
  db: Db,
  { userId, type, registrationId, signInId }: OtpRecipient,
  { visitId, browser }: { readonly visitId: string; readonly browser: RawBuilder<string | null> },
) {
  const row = await db
    .selectFrom('visits')
    .leftJoin('otp_codes', (join) =>
      join
        .onRef('otp_codes.visit_id', '=', 'visits.id')
        .on('otp_codes.user_id', '=', userId)
        .on('otp_codes.type', '=', type)
        .on('otp_codes.registration_id', 'is not distinct from', registrationId)
        .on('otp_codes.sign_in_id', 'is not distinct from', signInId)
        .on('otp_codes.closed_at', 'is', null)
        .on('otp_codes.verified_at', 'is', null),
    )
    .selectAll('otp_codes')
    .select([sql<string>`visits.xmin::text`.as('turn'), browser.as('browser')])
    .where('visits.id', '=', visitId)
    .orderBy('otp_codes.sent_at', 'desc')
    .executeTakeFirst();
  if (!row) throw new Error('An OTP was asked for by a visit that is gone.');
  const { turn, browser: lane, ...open } = row;
  return { turn, browser: lane, open: open.id === null ? null : (open as Otp) };
}

/** One request of a visit at a time, for the rest of the transaction. */
export async function lockVisit(transaction: Db, visitId: string): Promise<void> {
  await transaction
    .selectFrom('visits')
    .select('id')
    .where('id', '=', visitId)
    .forNoKeyUpdate()
    .execute();
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

/**
 * Accepts a right OTP of a sign-in whose account is active and knows already all that it proves: code, sign-in and entry
 * in the audit log in one statement. @returns `undefined` where there is more to do, or somebody was faster
 */
export async function acceptOfSettledAccount(
  db: Db,
  { id, proven, now }: { readonly id: string; readonly proven: Contact | null; readonly now: Date },
  {
    noted,
    move,
  }: {
    readonly noted: AuditWithin;
    readonly move: (source: string, now: Date) => RawBuilder<unknown>;
  },
): Promise<Otp | undefined> {
  const accept = async (source: Db) => {
    const { rows } = await sql<Otp>`
      with verified as (
        update otp_codes set verified_at = ${now}, proven = ${proven}
        where id = ${id} and closed_at is null and verified_at is null and sign_in_id is not null
          and exists (select 1 from users where users.id = otp_codes.user_id and ${hasNothingToProve(proven)})
        returning *
      ), moved as (${move('verified', now)}), noted as (${noted.insertFrom('verified')})
      select * from verified
    `.execute(source);
    return rows[0];
  };
  return noted.run(db, accept, (verified) => verified !== undefined);
}

/**
 * Adds an OTP with its entry in the audit log and its messages. Only the newest counts: OTPs sent before for the same
 * purpose end. At sign-up, other visits keep theirs.
 * @param turn when this was the visit's turn; `null` for who has locked the visit
 * @returns whether it still was
 */
export async function replaceOpenOtps(
  db: Db,
  { userId, type }: OtpRecipient,
  otp: Required<Omit<NewOtp, 'verified_at' | 'proven'>>,
  {
    turn,
    noted,
    messages,
  }: {
    readonly turn: string | null;
    readonly noted: AuditWithin;
    readonly messages: readonly OtpMessage[];
  },
): Promise<boolean> {
  const isOwnOnly = type === 'USER_ACTIVATION';
  const queued = messages.map(({ within }, at) => sql`, ${within('added', `message${at}`)}`);
  const replace = async (source: Db) => {
    // Of two at once the second waits for the first, and sees that it is no longer its turn.
    const { rows } = await sql`
      with turn as (
        update visits set seen_at = seen_at
        where id = ${otp.visit_id} and (${turn}::text is null or xmin = ${turn}::text::xid)
        returning id
      ), closed as (
        update otp_codes set closed_at = ${otp.sent_at}
        where user_id = ${userId} and type = ${type} and closed_at is null and verified_at is null
          and (${!isOwnOnly}::boolean or visit_id = ${otp.visit_id}) and exists (select 1 from turn)
      ), added as (
        ${insertFrom('turn', 'otp_codes', otp)} returning id
      ), noted as (${noted.insertFrom('added')})${sql.join(queued, sql``)}
      select id from added
    `.execute(source);
    return rows.length > 0;
  };
  const isAdded = await noted.run(db, replace, (isDone) => isDone);
  if (isAdded) for (const { noteQueued } of messages) noteQueued();
  return isAdded;
}
