import {
  type Expression,
  type ExpressionBuilder,
  type Insertable,
  type Selectable,
  sql,
  type SqlBool,
} from 'kysely';
import type { Entrance } from '#domain/people/role-routing.ts';
import { randomId } from '../crypto/secret-box.ts';
import type { Db } from '../db/database.ts';
import { inTransaction } from '../db/in-transaction.ts';
import type { Tables } from '../db/schema.ts';
import { deleteTokens } from './auth-tokens.ts';
import type { ProviderSession, SignInAttempt } from './sign-in-attempts.ts';

type Row = Selectable<Tables['sign_ins']>;

/** The account of a verified password, and its provider session. */
type PasswordGiven = ProviderSession & { readonly user_id: number };

type NewAttempt = Insertable<Tables['sign_ins']> & Pick<Row, 'id' | 'app_state'>;

/** A new attempt: at 'password', or at 'otp' when the password was given elsewhere. */
export function newAttempt(
  attempt: {
    readonly visitId: string;
    readonly entrance: Entrance;
    readonly given?: PasswordGiven;
  },
  now: Date,
): NewAttempt {
  const { visitId, entrance, given } = attempt;
  return {
    id: randomId(),
    app_state: randomId(),
    visit_id: visitId,
    user_id: null,
    entrance,
    stage: given ? 'otp' : 'password',
    ...(given && { ...given, amr: ['pwd'] }),
    created_at: now,
    seen_at: now,
    verified_at: null,
    completed_at: null,
    ended_at: null,
  };
}

/** Starts an attempt. @returns its id */
export async function insertAttempt(db: Db, row: NewAttempt): Promise<string> {
  await db.insertInto('sign_ins').values(row).execute();
  return row.id;
}

/**
 * Moves 'password' to 'otp', found by the authorization request.
 * @returns the attempt's id, and whether the visit has other open ones
 */
export async function moveToOtpByState(
  db: Db,
  { visitId, state, userId }: { visitId: string; state: string; userId: number },
  now: Date,
): Promise<{ readonly id: string; readonly hasOthers: SqlBool } | undefined> {
  return db
    .updateTable('sign_ins')
    .set({ stage: 'otp', user_id: userId, amr: withFactor('pwd'), seen_at: now })
    .where('visit_id', '=', visitId)
    .where('stage', '=', 'password')
    .where('id', 'in', (eb) =>
      eb.selectFrom('authorizations').select('sign_in_id').where('state', '=', state),
    )
    .returning((eb) => [
      'id',
      eb
        .exists(
          eb
            .selectFrom('sign_ins as other')
            .select('other.id')
            .where('other.visit_id', '=', visitId)
            .where('other.ended_at', 'is', null)
            .whereRef('other.id', '!=', 'sign_ins.id'),
        )
        .as('hasOthers'),
    ])
    .executeTakeFirst();
}

/**
 * Moves 'password' to 'otp', tied to a session of the provider.
 * @returns the attempt's id
 */
export async function moveToOtp(db: Db, id: string, given: PasswordGiven, now: Date) {
  const moved = await db
    .updateTable('sign_ins')
    .set({ ...given, stage: 'otp', amr: withFactor('pwd'), seen_at: now })
    .where('id', '=', id)
    .where('stage', '=', 'password')
    .where('ended_at', 'is', null)
    .returning('id')
    .executeTakeFirst();
  return moved?.id;
}

/** A factor joins those of an attempt and replaces none: what was not done here is never said. */
const withFactor = (factor: 'pwd' | 'otp') => sql<string[]>`sign_ins.amr || array[${factor}]`;

/**
 * Moves 'otp' to 'verified'. A complete sign-in without a code, by key or by an organisation, stays complete: the code
 * joins its factors, for an app that asks for one.
 * @returns the factors
 */
export async function moveToVerified(db: Db, id: string, now: Date): Promise<readonly string[]> {
  const { rows } = await sql<{ amr: string[] }>`update sign_ins set
    stage = case stage when 'otp' then 'verified' else stage end,
    amr = ${withFactor('otp')},
    verified_at = case stage when 'otp' then ${now} else verified_at end
    where id = ${id} and (stage = 'otp' or (stage = 'complete' and not 'otp' = any(amr)))
    returning amr`.execute(db);
  return rows[0]?.amr ?? [];
}

/**
 * Starts an attempt of a person who is known without a password: at 'verified' where both steps are done, else at 'otp'.
 * @returns its id
 */
export function insertKnownPerson(
  db: Db,
  {
    userId,
    amr,
    isVerified,
    ...attempt
  }: Parameters<typeof newAttempt>[0] & {
    readonly userId: number;
    readonly amr: readonly string[];
    readonly isVerified: boolean;
  },
  now: Date,
): Promise<string> {
  return insertAttempt(db, {
    ...newAttempt(attempt, now),
    stage: isVerified ? 'verified' : 'otp',
    user_id: userId,
    amr: [...amr],
    verified_at: isVerified ? now : null,
  });
}

/** Records that the person of a complete sign-in proved by a code that it is still they. */
export async function recordStepUp(db: Db, id: string, now: Date): Promise<void> {
  await db
    .updateTable('sign_ins')
    .set({ stepped_up_at: now })
    .where('id', '=', id)
    .where('stage', '=', 'complete')
    .execute();
}

/** Matches attempts of active accounts. */
const isOfActive = (eb: ExpressionBuilder<Tables, 'sign_ins'>) =>
  eb(
    'user_id',
    'in',
    eb.selectFrom('users').select('users.id').where('users.status', '=', 'active'),
  );

/**
 * Completes an attempt of this stage while its account is active: a complete one again, for example from a second tab.
 * Closes its OTP, which must not work again after a sign-out.
 * @returns whether there was one to complete
 */
export async function completeAttempt(
  stage: 'verified' | 'complete',
  transaction: Db,
  id: string,
  now: Date,
): Promise<boolean> {
  const isFirst = stage === 'verified';
  const completed = await transaction
    .updateTable('sign_ins')
    .set({ stage: 'complete', seen_at: now, ...(isFirst && { completed_at: now }) })
    .where('id', '=', id)
    .where('stage', '=', stage)
    .where('ended_at', 'is', null)
    .where(isOfActive)
    .returning('id')
    .executeTakeFirst();
  if (completed) await closeOtps(transaction, [id], now);
  return completed !== undefined;
}

/** Updates the last-seen time of a sign-in. */
export async function recordSeen(db: Db, id: string, now: Date): Promise<void> {
  await db.updateTable('sign_ins').set({ seen_at: now }).where('id', '=', id).execute();
}

/** Stores the browser's family, and the session of the hosted login that began with it. */
export async function setBrowser(
  db: Db,
  id: string,
  seen: Pick<Row, 'browser' | 'network' | 'hosted_uid'>,
): Promise<void> {
  await db.updateTable('sign_ins').set(seen).where('id', '=', id).execute();
}

type Ended = readonly Pick<SignInAttempt, 'id' | 'user_id'>[];

/** Receives ended attempts, in the same transaction, to queue their notices. */
export type NoteEnded = (transaction: Db, ended: Ended) => Promise<void>;

/**
 * Ends the attempts that `which` selects, with their bearers and OTPs, so that even a right OTP begins no hosted
 * session.
 */
export async function endAttempts(
  db: Db,
  which: (eb: ExpressionBuilder<Tables, 'sign_ins'>) => Expression<SqlBool>,
  { now, recordEnded }: { readonly now: Date; readonly recordEnded: NoteEnded },
): Promise<Ended> {
  return inTransaction(db, async (transaction) => {
    const ended = await transaction
      .updateTable('sign_ins')
      .set({ ended_at: now, stage: 'ended' })
      .where('ended_at', 'is', null)
      .where(which)
      .returning(['id', 'user_id'])
      .execute();
    const ids = ended.map((attempt) => attempt.id);
    if (ids.length === 0) return ended;
    await deleteTokens(transaction, ids);
    await closeOtps(transaction, ids, now);
    await recordEnded(transaction, ended);
    return ended;
  });
}

async function closeOtps(db: Db, signInIds: readonly string[], now: Date): Promise<void> {
  await db
    .updateTable('otp_codes')
    .set({ closed_at: now })
    .where('sign_in_id', 'in', signInIds)
    .where('closed_at', 'is', null)
    .execute();
}
