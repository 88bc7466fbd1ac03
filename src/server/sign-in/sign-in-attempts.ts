import {
  type Expression,
  type ExpressionBuilder,
  type Insertable,
  type Selectable,
  type SqlBool,
  sql,
} from 'kysely';
import type { EntryPoint } from '#domain/role-routing.ts';
import { type Account, roleIdsOfUser } from '../accounts/account-store.ts';
import { randomId } from '../crypto/secret-box.ts';
import type { Db } from '../db/database.ts';
import type { Tables } from '../db/schema.ts';
import { ofCookie } from '../http/visit-cookie.ts';
import { deleteTokens } from './auth-tokens.ts';

type Row = Selectable<Tables['sign_ins']>;

const COLUMNS = [
  'id',
  'app_state',
  'visit_id',
  'user_id',
  'entrance',
  'stage',
  'amr',
  'created_at',
  'verified_at',
  'completed_at',
  'seen_at',
  'ended_at',
  'hosted_sub',
  'hosted_sid',
  'hosted_auth_time',
] as const satisfies readonly (keyof Row)[];

/**
 * A row of `sign_ins`: password -> otp -> verified -> complete, or ended. The server moves it, never the browser
 * (SES-02); complete, it is the portal's session.
 */
export type SignInAttempt = Pick<Row, (typeof COLUMNS)[number]>;

/** What ties an attempt to one session of the provider. */
export type ProviderSession = Pick<SignInAttempt, 'hosted_sub' | 'hosted_sid' | 'hosted_auth_time'>;

/** Whose password was given, and in which session. */
type PasswordGiven = ProviderSession & { readonly user_id: number };

/** An attempt with the account that it is of, whatever its status; `null` before the password. */
export type AttemptOf = {
  readonly attempt: SignInAttempt;
  readonly account: (Account & { readonly roleIds: readonly number[] }) | null;
};

/** Of an attempt that is read with its account, whose columns have the same names. */
export const ATTEMPT_COLUMNS = COLUMNS.map(
  (name) => `sign_ins.${name} as sign_in_${name}` as const,
);

/** Attempts with their accounts: who reads the one needs the other, and one statement reads both. */
export const attemptsWithAccounts = (db: Db) =>
  db
    .selectFrom('sign_ins')
    .leftJoin('users', 'users.id', 'sign_ins.user_id')
    .selectAll('users')
    .select(roleIdsOfUser)
    .select(ATTEMPT_COLUMNS);

/** What a row of `attemptsWithAccounts` says. */
export function toAttemptOf(row: Readonly<Record<string, unknown>>): AttemptOf {
  const attempt = Object.fromEntries(COLUMNS.map((name) => [name, row[`sign_in_${name}`]]));
  return {
    attempt: attempt as SignInAttempt,
    account: row.id === null ? null : (row as NonNullable<AttemptOf['account']>),
  };
}

export async function findAttempt(db: Db, id: string): Promise<AttemptOf | null> {
  const row = await attemptsWithAccounts(db).where('sign_ins.id', '=', id).executeTakeFirst();
  return row ? toAttemptOf(row) : null;
}

/** Reads an attempt and locks it for the rest of the transaction: a call that ends it meanwhile waits. */
export async function lockAttempt(transaction: Db, id: string): Promise<AttemptOf | null> {
  const row = await attemptsWithAccounts(transaction)
    .where('sign_ins.id', '=', id)
    .forNoKeyUpdate(['sign_ins'])
    .executeTakeFirst();
  return row ? toAttemptOf(row) : null;
}

/**
 * The two attempts of a visit that may be its current one, the likelier first. An attempt without a right password, in
 * a second tab for example, does not hide one that had it.
 */
export async function findCandidates(db: Db, visitId: string): Promise<readonly AttemptOf[]> {
  const rows = await attemptsWithAccounts(db)
    .where('sign_ins.visit_id', '=', visitId)
    .where('sign_ins.ended_at', 'is', null)
    .orderBy(sql`sign_ins.stage = 'password'`)
    .orderBy('sign_ins.created_at', 'desc')
    .limit(2)
    .execute();
  return rows.map(toAttemptOf);
}

/** An attempt with its bearer. */
export type BearerOf = AttemptOf & {
  readonly hash: string | null;
  readonly expiresAt: Date | null;
};

/** Reads the visit of a cookie with what `findCandidates` finds of it, and with their bearers. */
export async function findVisitWithCandidates(db: Db, hash: string, now: Date) {
  const rows = await db
    .selectFrom('visits')
    .leftJoin('sign_ins', (join) =>
      join.onRef('sign_ins.visit_id', '=', 'visits.id').on('sign_ins.ended_at', 'is', null),
    )
    .leftJoin('users', 'users.id', 'sign_ins.user_id')
    .leftJoin('auth_tokens', 'auth_tokens.sign_in_id', 'sign_ins.id')
    .selectAll('users')
    .select(roleIdsOfUser)
    .select(ATTEMPT_COLUMNS)
    .select([
      'auth_tokens.token_hash as bearer_hash',
      'auth_tokens.expires_at as bearer_expires_at',
      'visits.id as visit_id',
      'visits.subtenant_id as visit_subtenant_id',
      'visits.seen_at as visit_seen_at',
      'visits.token_hash as visit_token_hash',
      'visits.previous_hash as visit_previous_hash',
      'visits.previous_until as visit_previous_until',
    ])
    .where(ofCookie(hash, now))
    .orderBy(sql`sign_ins.stage = 'password'`)
    .orderBy('sign_ins.created_at', 'desc')
    .limit(2)
    .execute();
  const [first] = rows;
  if (!first) return null;
  return {
    visit: {
      id: first.visit_id,
      subtenant_id: first.visit_subtenant_id,
      seen_at: first.visit_seen_at,
      token_hash: first.visit_token_hash,
      previous_hash: first.visit_previous_hash,
      previous_until: first.visit_previous_until,
    },
    candidates: rows
      .filter((row) => row.sign_in_id !== null)
      .map((row): BearerOf => {
        const { bearer_hash: hash, bearer_expires_at: expiresAt } = row;
        return { ...toAttemptOf(row), hash, expiresAt };
      }),
  };
}

type NewAttempt = Insertable<Tables['sign_ins']> & Pick<Row, 'id' | 'app_state'>;

/** A new attempt: at 'password', or at 'otp' when the password was given elsewhere. */
export function newAttempt(
  attempt: {
    readonly visitId: string;
    readonly entrance: EntryPoint;
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
 * 'password' becomes 'otp', found by the authorization request.
 * @returns the attempt's id, and whether the visit has others that have not ended
 */
export async function moveToOtpByState(
  db: Db,
  { visitId, state, userId }: { visitId: string; state: string; userId: number },
  now: Date,
): Promise<{ readonly id: string; readonly hasOthers: SqlBool } | undefined> {
  return db
    .updateTable('sign_ins')
    .set({ stage: 'otp', user_id: userId, amr: ['pwd'], seen_at: now })
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

/** The account of a row of `sign_ins` is active. */
const isOfActive = (eb: ExpressionBuilder<Tables, 'sign_ins'>) =>
  eb(
    'user_id',
    'in',
    eb.selectFrom('users').select('users.id').where('users.status', '=', 'active'),
  );

/**
 * 'verified' becomes 'complete' while its account is active. Its OTP is used up: it is no way back in after signing out.
 * @returns whether it was there to be completed
 */
export async function completeFirst(transaction: Db, id: string, now: Date): Promise<boolean> {
  const completed = await transaction
    .updateTable('sign_ins')
    .set({ stage: 'complete', completed_at: now, seen_at: now })
    .where('id', '=', id)
    .where('stage', '=', 'verified')
    .where('ended_at', 'is', null)
    .where(isOfActive)
    .returning('id')
    .executeTakeFirst();
  if (!completed) return false;
  await closeOtps(transaction, [id], now);
  return true;
}

/** A complete sign-in is completed anew, by a second tab for example. @returns whether it had not ended */
export async function completeAgain(transaction: Db, id: string, now: Date): Promise<boolean> {
  const again = await transaction
    .updateTable('sign_ins')
    .set({ seen_at: now })
    .where('id', '=', id)
    .where('stage', '=', 'complete')
    .where('ended_at', 'is', null)
    .where(isOfActive)
    .returning('id')
    .executeTakeFirst();
  if (!again) return false;
  await closeOtps(transaction, [id], now);
  return true;
}

export async function noteSeen(db: Db, id: string, now: Date): Promise<void> {
  await db.updateTable('sign_ins').set({ seen_at: now }).where('id', '=', id).execute();
}

/** Roughly who sat there, and the session of the hosted login that began with it. */
export async function setBrowser(
  db: Db,
  id: string,
  seen: Pick<Row, 'browser' | 'network' | 'hosted_uid'>,
): Promise<void> {
  await db.updateTable('sign_ins').set(seen).where('id', '=', id).execute();
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
