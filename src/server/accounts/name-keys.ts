import { sql } from 'kysely';
import { nameKeys } from '#domain/typed/names.ts';
import type { Db } from '../db/database.ts';
import { forEachRow } from '../db/each-row.ts';
import { MINUTE_MS, type Task } from '../core/task.ts';

/** One folds at a time: of two, the slower one could store an earlier name. */
const LOCK = 7_305_244;
/** Noted accounts a transaction. */
const BATCH = 250;

/**
 * Makes the search keys of the accounts whose names were written last (decision 244).
 * @returns whether more may wait
 */
export async function foldNewestNames(db: Db): Promise<boolean> {
  const notes = await newestNotes(db, Number.MAX_SAFE_INTEGER);
  if (notes.length > 0) await fold(db, notes);
  return notes.length === BATCH;
}

/**
 * Makes all search keys that wait. An account that fails does not stop the others.
 * @throws RowsFailed after the last one
 */
export async function foldAllNames(db: Db, signal?: AbortSignal): Promise<void> {
  const failed: number[] = [];
  let notes = await newestNotes(db, Number.MAX_SAFE_INTEGER);
  while (notes.length > 0 && !signal?.aborted) {
    await fold(db, notes).catch(() => failed.push(...notes));
    notes = await newestNotes(db, Math.min(...notes));
  }
  await forEachRow(failed, async (note) => fold(db, [note]), signal);
}

async function newestNotes(db: Db, before: number): Promise<readonly number[]> {
  const rows = await db
    .selectFrom('names_to_fold')
    .select('id')
    .where('id', '<', before)
    .orderBy('id', 'desc')
    .limit(BATCH)
    .execute();
  return rows.map(({ id }) => id);
}

async function fold(db: Db, notes: readonly number[]): Promise<void> {
  await db.transaction().execute(async (transaction) => {
    await sql`select pg_advisory_xact_lock(${sql.lit(LOCK)})`.execute(transaction);
    const noted = await transaction
      .deleteFrom('names_to_fold')
      .where('id', 'in', notes)
      .returning('account')
      .execute();
    if (noted.length === 0) return;
    const ids = noted.map((each) => each.account);
    const people = await transaction
      .selectFrom('users')
      .select(['id', 'subtenant_id', 'first_name', 'last_name'])
      .where('id', 'in', ids)
      .where('shadow_of', 'is', null)
      // An account that is deleted meanwhile takes its keys along.
      .forKeyShare()
      .execute();
    await transaction.deleteFrom('name_keys').where('user_id', 'in', ids).execute();
    const rows = people.flatMap(({ id: user_id, subtenant_id, first_name, last_name }) => {
      const { keys, words } = nameKeys(first_name, last_name);
      return keys.map((key) => ({ user_id, subtenant_id, key, words }));
    });
    await sql`insert into name_keys (user_id, subtenant_id, key, words)
      select user_id, subtenant_id, key, words from json_to_recordset(${JSON.stringify(rows)}::json)
        as made (user_id bigint, subtenant_id integer, key text, words text)`.execute(transaction);
  });
}

/** Makes the search keys that wait. */
export const nameFolding = ({ db }: { readonly db: Db }): Task => ({
  everyMs: MINUTE_MS,
  run: (signal) => foldAllNames(db, signal),
  failed: 'names will be made ready for the search later',
});
