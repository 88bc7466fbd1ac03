import { type Kysely, sql } from 'kysely';
import { isDatabaseFull } from './availability.ts';
import type { Tables } from './schema.ts';

export type Room = ReturnType<typeof watchRoom>;

/**
 * Creates the check for a full database. Such a one still answers reads and fits small writes into free space. So after
 * a statement found it full, it is not ready before it has created a table that needs new space.
 */
export function watchRoom() {
  let wasFull = false;
  return {
    /** Records whether a statement's error means that the database was full. */
    note(error: unknown): void {
      if (isDatabaseFull(error)) wasFull = true;
    },
    /** Returns whether the database accepts writes; false also on a standby. */
    async isWritable(db: Kysely<Tables>): Promise<boolean> {
      const { rows } = await sql<{
        read_only: string;
      }>`select current_setting('transaction_read_only') as read_only`.execute(db);
      if (rows[0]?.read_only !== 'off') return false;
      if (wasFull) {
        await takeRoom(db);
        wasFull = false;
      }
      return true;
    },
  };
}

/** Allocates about a megabyte, for a moment. */
const takeRoom = (db: Kysely<Tables>) =>
  db.transaction().execute((transaction) =>
    sql`
      create temporary table porchlight_room on commit drop as
      select n, n + 1 as next from generate_series(1, 25000) as n`.execute(transaction),
  );
