import { sql } from 'kysely';
import { nameKeys } from '#domain/typed/names.ts';
import { MINUTE_MS } from '#domain/text/duration.ts';
import type { Db } from '../db/database.ts';
import { endsRound } from '../db/availability.ts';
import { RowsFailed } from '../db/each-row.ts';
import type { Task } from '../core/task.ts';

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
  await foldParts(db, notes);
  return notes.length === BATCH;
}

/**
 * Makes all search keys that wait. An account that fails does not stop the others.
 * @throws RowsFailed after the last one, while any is set aside
 */
export async function foldAllNames(db: Db, signal?: AbortSignal): Promise<void> {
  const failed: Failure[] = [];
  let notes = await newestNotes(db, Number.MAX_SAFE_INTEGER);
  while (notes.length > 0 && !signal?.aborted) {
    failed.push(...(await foldParts(db, notes)));
    notes = await newestNotes(db, Math.min(...notes));
  }
  const { aside } = await db
    .selectFrom('names_to_fold')
    .select((eb) => eb.fn.countAll<number>().as('aside'))
    .where('not_before', 'is not', null)
    .executeTakeFirstOrThrow();
  const count = Math.max(aside, failed.length);
  if (count > 0) throw new RowsFailed(count, failed[0]?.account, failed[0]?.error);
}

async function newestNotes(db: Db, before: number): Promise<readonly number[]> {
  const rows = await db
    .selectFrom('names_to_fold')
    .select('id')
    .where('id', '<', before)
    .where(sql<boolean>`(not_before is null or not_before < now())`)
    .orderBy('id', 'desc')
    .limit(BATCH)
    .execute();
  return rows.map(({ id }) => id);
}

type Failure = { readonly account: number | undefined; readonly error: unknown };

/**
 * Makes the keys of noted accounts. A batch that fails is halved; a note that fails alone waits for an hour.
 * @returns the failures
 */
async function foldParts(db: Db, notes: readonly number[]): Promise<readonly Failure[]> {
  try {
    if (notes.length > 0) await fold(db, notes);
    return [];
  } catch (error) {
    if (endsRound(error)) throw error;
    if (notes.length > 1) {
      const half = Math.ceil(notes.length / 2);
      const first = await foldParts(db, notes.slice(0, half));
      return [...first, ...(await foldParts(db, notes.slice(half)))];
    }
    const aside = db
      .updateTable('names_to_fold')
      .set({ not_before: sql<Date>`now() + interval '1 hour'` })
      .where('id', 'in', notes)
      .returning('account')
      .executeTakeFirst();
    // The note itself may be what cannot be written.
    const account = await aside.then((row) => row?.account).catch(() => undefined);
    return [{ account, error }];
  }
}

async function fold(db: Db, notes: readonly number[]): Promise<void> {
  await db.transaction().execute(async (transaction) => {
    const lock = sql`select pg_advisory_xact_lock(${sql.lit(LOCK)})`.execute(transaction);
    const isOurs = await lock.then(
      () => true,
      (error: unknown) => {
        if (endsRound(error)) throw error;
        return false;
      },
    );
    // Another instance makes keys for longer than a statement may wait: no note is wrong.
    if (!isOurs) return;
    const people = await transaction
      .selectFrom('users')
      .select(['id', 'subtenant_id', 'first_name', 'last_name', 'shadow_of'])
      .where('id', 'in', (eb) =>
        eb.selectFrom('names_to_fold').select('account').where('id', 'in', notes),
      )
      // An account that is deleted meanwhile takes its keys along; one that is locked keeps its note.
      .forKeyShare()
      .skipLocked()
      .execute();
    const free = people.map(({ id }) => id);
    const noted = await transaction
      .deleteFrom('names_to_fold')
      .where('id', 'in', notes)
      .where(
        sql<boolean>`(account = any(${free}) or not exists (select 1 from users where id = account))`,
      )
      .returning('account')
      .execute();
    if (noted.length === 0) return;
    const ids = noted.map((each) => each.account);
    await transaction.deleteFrom('name_keys').where('user_id', 'in', ids).execute();
    const rows = people
      .filter(({ shadow_of }) => shadow_of === null)
      .flatMap(({ id: user_id, subtenant_id, first_name, last_name }) => {
        const { keys, words } = nameKeys(first_name, last_name);
        return keys.map((key) => ({ user_id, subtenant_id, key, words }));
      });
    await sql`insert into name_keys (user_id, subtenant_id, key, words)
      select user_id, subtenant_id, key, words from json_to_recordset(${storable(rows)}::json)
        as made (user_id bigint, subtenant_id integer, key text, words text)`.execute(transaction);
  });
}

/** Returns rows as JSON that PostgreSQL takes: it refuses half a letter, and U+0000. */
const storable = (rows: readonly object[]): string =>
  JSON.stringify(rows, (_, value: unknown) =>
    typeof value === 'string' ? value.toWellFormed().replaceAll('\0', '') : value,
  );

/** Makes the search keys that wait. */
export const nameFolding = ({ db }: { readonly db: Db }): Task => ({
  everyMs: MINUTE_MS,
  run: (signal) => foldAllNames(db, signal),
  failed: 'names will be made ready for the search later',
});
