import type { Selectable } from 'kysely';
import { sql } from 'kysely';
import { type AccountBeside, besideUser } from '../accounts/account-store.ts';
import type { Db } from '../db/database.ts';
import type { Tables } from '../db/schema.ts';
import { ofCookie } from '../http/visit-cookie.ts';

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
 * A row of `sign_ins`: password -> otp -> verified -> complete, or ended. Only the server advances it (SES-02);
 * complete, it is the portal's session.
 */
export type SignInAttempt = Pick<Row, (typeof COLUMNS)[number]>;

/** The fields that tie an attempt to one session of the provider. */
export type ProviderSession = Pick<SignInAttempt, 'hosted_sub' | 'hosted_sid' | 'hosted_auth_time'>;

/** An attempt with its account, whatever its status; `null` before the password. */
export type AttemptOf = {
  readonly attempt: SignInAttempt;
  readonly account: AccountBeside | null;
};

/** The columns of an attempt that is read with its account, whose columns have the same names. */
export const ATTEMPT_COLUMNS = COLUMNS.map(
  (name) => `sign_ins.${name} as sign_in_${name}` as const,
);

/** Selects attempts with their accounts in one statement, because every reader needs both. */
export const attemptsWithAccounts = (db: Db) =>
  db
    .selectFrom('sign_ins')
    .leftJoin('users', 'users.id', 'sign_ins.user_id')
    .selectAll('users')
    .select(besideUser)
    .select(ATTEMPT_COLUMNS);

/** Returns the attempt and the account of a row of `attemptsWithAccounts`. */
export function toAttemptOf(row: Readonly<Record<string, unknown>>): AttemptOf {
  const attempt = Object.fromEntries(COLUMNS.map((name) => [name, row[`sign_in_${name}`]]));
  return {
    attempt: attempt as SignInAttempt,
    account: row.id === null ? null : (row as NonNullable<AttemptOf['account']>),
  };
}

/** Returns an attempt with its account. */
export async function findAttempt(db: Db, id: string): Promise<AttemptOf | null> {
  const row = await attemptsWithAccounts(db).where('sign_ins.id', '=', id).executeTakeFirst();
  return row ? toAttemptOf(row) : null;
}

/** Reads an attempt and locks it for the rest of the transaction: a concurrent end of it waits. */
export async function lockAttempt(transaction: Db, id: string): Promise<AttemptOf | null> {
  const row = await attemptsWithAccounts(transaction)
    .where('sign_ins.id', '=', id)
    .forNoKeyUpdate(['sign_ins'])
    .executeTakeFirst();
  return row ? toAttemptOf(row) : null;
}

/**
 * Returns the two attempts of a visit that may be its current one, the likelier first. An attempt without a right
 * password, for example in a second tab, does not hide one that had it.
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

/** Reads the visit of a cookie with its `findCandidates` and their bearers. */
export async function findVisitWithCandidates(db: Db, hash: string, now: Date) {
  const rows = await db
    .selectFrom('visits')
    .leftJoin('sign_ins', (join) =>
      join.onRef('sign_ins.visit_id', '=', 'visits.id').on('sign_ins.ended_at', 'is', null),
    )
    .leftJoin('users', 'users.id', 'sign_ins.user_id')
    .leftJoin('auth_tokens', 'auth_tokens.sign_in_id', 'sign_ins.id')
    .selectAll('users')
    .select(besideUser)
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
