import { sql } from 'kysely';
import { vi } from 'vitest';
import type { Db } from '../db/database.ts';

type Row = {
  readonly table: 'visits' | 'sign_ins' | 'app_codes' | 'recovery_codes';
  /** `id` without it. */
  readonly column?: string;
  readonly id: string;
  readonly waiting: number;
};

/**
 * Holds a row while `work` is under way, until `waiting` statements wait for it: each of them was begun before any other
 * was done. On PostgreSQL only. @returns what `work` returns
 */
export async function whileLocked<T>(
  db: Db,
  { table, column = 'id', id, waiting }: Row,
  work: () => Promise<T>,
): Promise<T> {
  const begun = await db.transaction().execute(async (transaction) => {
    await sql`select 1 from ${sql.table(table)} where ${sql.ref(column)} = ${id} for no key update`.execute(
      transaction,
    );
    const under = { way: work() };
    await untilWaiting(db, waiting);
    return under;
  });
  return begun.way;
}

/**
 * Until so many statements wait for a lock.
 * @param db outside of a transaction, which sees the activities as they were when it first looked
 */
export async function untilWaiting(db: Db, count: number): Promise<void> {
  await vi.waitUntil(
    async () => {
      const { rows } = await sql`select 1 from pg_stat_activity
        where datname = current_database() and wait_event_type = 'Lock'`.execute(db);
      return rows.length >= count;
    },
    { timeout: 20_000 },
  );
}
