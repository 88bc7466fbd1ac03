import {
  type Expression,
  type ExpressionBuilder,
  type Selectable,
  type SqlBool,
  sql,
} from 'kysely';
import type { EntryPoint } from '#domain/role-routing.ts';
import { randomId } from '../crypto/secret-box.ts';
import type { Db } from '../db/database.ts';
import type { Tables } from '../db/schema.ts';
import { deleteTokens } from './auth-tokens.ts';

/**
 * A row of `sign_ins`: password -> otp -> verified -> complete, or ended. The server moves it, never the browser
 * (SES-02); complete, it is the portal's session.
 */
export type SignInAttempt = Selectable<Tables['sign_ins']>;

/** What ties an attempt to one session of the provider. */
export type ProviderSession = Pick<SignInAttempt, 'hosted_sub' | 'hosted_sid' | 'hosted_auth_time'>;

/** Whose password was given, and in which session. */
type PasswordGiven = ProviderSession & { readonly user_id: number };

export async function findAttempt(db: Db, id: string): Promise<SignInAttempt | undefined> {
  return db.selectFrom('sign_ins').selectAll().where('id', '=', id).executeTakeFirst();
}

/**
 * The two attempts of a visit that may be its current one, the likelier first. An attempt without a right password, in
 * a second tab for example, does not hide one that had it.
 */
export async function findCandidates(db: Db, visitId: string): Promise<readonly SignInAttempt[]> {
  return db
    .selectFrom('sign_ins')
    .selectAll()
    .where('visit_id', '=', visitId)
    .where('ended_at', 'is', null)
    .orderBy(sql`stage = 'password'`)
    .orderBy('created_at', 'desc')
    .limit(2)
    .execute();
}

/** Starts an attempt: at 'password', or at 'otp' when the password was given elsewhere. */
export async function insertAttempt(
  db: Db,
  attempt: {
    readonly visitId: string;
    readonly entrance: EntryPoint;
    readonly given?: PasswordGiven;
  },
  now: Date,
): Promise<SignInAttempt> {
  const { visitId, entrance, given } = attempt;
  return db
    .insertInto('sign_ins')
    .values({
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
    })
    .returningAll()
    .executeTakeFirstOrThrow();
}

/** 'password' becomes 'otp', found by the authorization request. @returns the attempt's id */
export async function moveToOtpByState(
  db: Db,
  { visitId, state, userId }: { visitId: string; state: string; userId: number },
  now: Date,
): Promise<string | undefined> {
  const moved = await db
    .updateTable('sign_ins')
    .set({ stage: 'otp', user_id: userId, amr: ['pwd'], seen_at: now })
    .where('visit_id', '=', visitId)
    .where('stage', '=', 'password')
    .where('id', 'in', (query) =>
      query.selectFrom('authorizations').select('sign_in_id').where('state', '=', state),
    )
    .returning('id')
    .executeTakeFirst();
  return moved?.id;
}

/** 'password' becomes 'otp', tied to a session of the provider. @returns the attempt's id */
export async function moveToOtp(
  db: Db,
  id: string,
  given: PasswordGiven,
  now: Date,
): Promise<string | undefined> {
  const moved = await db
    .updateTable('sign_ins')
    .set({ ...given, stage: 'otp', amr: ['pwd'], seen_at: now })
    .where('id', '=', id)
    .where('stage', '=', 'password')
    .where('ended_at', 'is', null)
    .returning('id')
    .executeTakeFirst();
  return moved?.id;
}

/** 'otp' becomes 'verified'. */
export async function moveToVerified(db: Db, id: string, now: Date): Promise<void> {
  await db
    .updateTable('sign_ins')
    .set({ stage: 'verified', amr: ['pwd', 'otp'], verified_at: now })
    .where('id', '=', id)
    .where('stage', '=', 'otp')
    .execute();
}

/** 'verified' becomes 'complete'. Its OTP is used up: it is no way back in after signing out. */
export async function moveToComplete(transaction: Db, attempt: SignInAttempt, now: Date) {
  await transaction
    .updateTable('sign_ins')
    .set({ stage: 'complete', completed_at: attempt.completed_at ?? now, seen_at: now })
    .where('id', '=', attempt.id)
    .execute();
  await closeOtps(transaction, [attempt.id], now);
}

export async function noteSeen(db: Db, id: string, now: Date): Promise<void> {
  await db.updateTable('sign_ins').set({ seen_at: now }).where('id', '=', id).execute();
}

type Ended = readonly Pick<SignInAttempt, 'id' | 'user_id'>[];

/** Hears which attempts end, in the same transaction: what must be told about them is queued with their end. */
export type NoteEnded = (transaction: Db, ended: Ended) => Promise<void>;

/** Ends the attempts that `which` picks, with their bearers and OTPs: not even a right one begins a hosted session again. */
export async function endAttempts(
  db: Db,
  which: (eb: ExpressionBuilder<Tables, 'sign_ins'>) => Expression<SqlBool>,
  { now, noteEnded }: { readonly now: Date; readonly noteEnded: NoteEnded },
): Promise<Ended> {
  const work = (transaction: Db) => endThem(transaction, which, { now, noteEnded });
  return db.isTransaction ? work(db) : db.transaction().execute(work);
}

async function endThem(
  db: Db,
  which: (eb: ExpressionBuilder<Tables, 'sign_ins'>) => Expression<SqlBool>,
  { now, noteEnded }: { readonly now: Date; readonly noteEnded: NoteEnded },
): Promise<Ended> {
  const ended = await db
    .updateTable('sign_ins')
    .set({ ended_at: now, stage: 'ended' })
    .where('ended_at', 'is', null)
    .where(which)
    .returning(['id', 'user_id'])
    .execute();
  const ids = ended.map((attempt) => attempt.id);
  if (ids.length === 0) return ended;
  await deleteTokens(db, ids);
  await closeOtps(db, ids, now);
  await noteEnded(db, ended);
  return ended;
}

async function closeOtps(db: Db, signInIds: readonly string[], now: Date): Promise<void> {
  await db
    .updateTable('otp_codes')
    .set({ closed_at: now })
    .where('sign_in_id', 'in', signInIds)
    .where('closed_at', 'is', null)
    .execute();
}
