/** The rows of the hash chain: reading and writing of events, batches and the key. */

import { createSecretKey, randomBytes } from 'node:crypto';
import { sql } from 'kysely';
import { server as texts } from '#locales/operator/server.ts';
import type { Clock } from '../core/clock.ts';
import { OperatorError } from '../config/operator-error.ts';
import type { SecretBox } from '../crypto/secret-box.ts';
import type { Db } from '../db/database.ts';
import { type Chain, type ChainRow, createChain, type Seal, type SealedRow } from './chain.ts';

/** Number of our advisory lock for chaining, clearing and erasing. */
const LOCK = 7_305_195;
const KEY_BYTES = 32;

/** Selects a time as text, to the microsecond in UTC. */
const momentText = (column: string) =>
  sql<string>`to_char(${sql.ref(column)} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"')`;

const CHAIN_COLUMNS = sql`id, ${momentText('at')} as at, kind, user_id, visit_id, ip, request_id, subtenant_id, actor,
  outcome, reason, details::text as details`;
const SEAL_COLUMNS = sql`seq, row_count, last_hash, ${momentText('newest_at')} as newest_at,
  ${momentText('sealed_at')} as sealed_at, mac, ${momentText('cleared_at')} as cleared_at, cleared_mac`;

type Deps = { readonly clock: Clock; readonly secretBox: SecretBox };

/** Locks the chain until the transaction ends: one writer over all instances. */
export async function lockChain(transaction: Db): Promise<void> {
  await sql`select pg_advisory_xact_lock(${sql.lit(LOCK)})`.execute(transaction);
}

/** Does the same as `lockChain`, unless another transaction writes. */
export async function tryLockChain(transaction: Db): Promise<boolean> {
  const { rows } = await sql<{
    got: boolean;
  }>`select pg_try_advisory_xact_lock(${sql.lit(LOCK)}) as got`.execute(transaction);
  return rows[0]?.got === true;
}

/**
 * Forces index order for the rest of a transaction. Without statistics, as right after an upgrade, each batch would
 * scan and sort the whole table.
 */
export async function inIndexOrder(transaction: Db): Promise<void> {
  await sql`set local enable_sort = off`.execute(transaction);
}

/**
 * Returns the chain with its key, `null` before the first chained row.
 * @throws OperatorError when no secret decrypts the key
 */
export async function openChain(db: Db, secretBox: SecretBox): Promise<Chain | null> {
  const row = await db.selectFrom('audit_keys').select('sealed').executeTakeFirst();
  if (!row) return null;
  try {
    const key = Buffer.from(secretBox.decrypt('audit-key', row.sealed), 'base64url');
    return createChain(createSecretKey(key));
  } catch {
    throw new OperatorError(texts.secretChanged);
  }
}

/** Does the same as `openChain`, for a transaction that holds the chain's lock; the first one creates the key. */
export async function ensureChain(db: Db, { clock, secretBox }: Deps): Promise<Chain> {
  const known = await openChain(db, secretBox);
  if (known) return known;
  const key = randomBytes(KEY_BYTES);
  const sealed = secretBox.encrypt('audit-key', key.toString('base64url'));
  await db.insertInto('audit_keys').values({ id: 1, sealed, created_at: clock.now() }).execute();
  return createChain(createSecretKey(key));
}

/** Returns the oldest rows without a batch. */
export async function readOpen(db: Db, limit: number): Promise<readonly ChainRow[]> {
  const { rows } = await sql<ChainRow>`select ${CHAIN_COLUMNS} from audit_events
    where seal is null order by id limit ${sql.lit(limit)}`.execute(db);
  return rows;
}

/** Returns the rows of a range of batches, in the order of the chain. */
export async function readSealed(
  db: Db,
  from: number,
  to: number,
  limit: number,
): Promise<readonly SealedRow[]> {
  const { rows } = await sql<SealedRow>`
    select ${CHAIN_COLUMNS}, seal, hash, subject, network from audit_events
    where seal is not null and seal between ${from}::bigint and ${to}::bigint
    order by seal, id limit ${sql.lit(limit)}`.execute(db);
  return rows;
}

/** Returns batches after a number. */
export async function readSeals(db: Db, after: number, limit: number): Promise<readonly Seal[]> {
  const { rows } = await sql<Seal>`select ${SEAL_COLUMNS} from audit_seals
    where seq > ${after}::bigint order by seq limit ${sql.lit(limit)}`.execute(db);
  return rows;
}

/** Returns the newest batch. */
export async function readLastSeal(db: Db): Promise<Seal | undefined> {
  const { rows } = await sql<Seal>`select ${SEAL_COLUMNS} from audit_seals
    order by seq desc limit 1`.execute(db);
  return rows[0];
}

/** Returns the oldest batch whose rows still exist. */
export async function readFirstWhole(db: Db): Promise<Seal | undefined> {
  const { rows } = await sql<Seal>`select ${SEAL_COLUMNS} from audit_seals
    where cleared_at is null order by seq limit 1`.execute(db);
  return rows[0];
}

/** Writes a batch and marks its rows. */
export async function writeSeal(
  transaction: Db,
  seal: Omit<Seal, 'cleared_at' | 'cleared_mac'>,
  rows: readonly Pick<SealedRow, 'id' | 'hash' | 'subject' | 'network'>[],
): Promise<void> {
  await sql`update audit_events
    set seal = ${seal.seq}, hash = given.hash, subject = given.subject, network = given.network
    from jsonb_to_recordset(${JSON.stringify(rows)}::text::jsonb)
      as given (id bigint, hash text, subject text, network text)
    where audit_events.id = given.id`.execute(transaction);
  await transaction
    .insertInto('audit_seals')
    .values({
      ...seal,
      // As text: a Date would lose the microseconds that were hashed.
      newest_at: sql<Date>`${seal.newest_at}::text::timestamptz`,
      sealed_at: sql<Date>`${seal.sealed_at}::text::timestamptz`,
    })
    .execute();
}
