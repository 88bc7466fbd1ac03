import { type Kysely, sql } from 'kysely';
import { isDatabaseFull } from './availability.ts';
import type { Tables } from './schema.ts';

export type Room = {
  /** Remembers of an error of a statement whether the database was full. */
  note(error: unknown): void;
  /** Returns whether the database takes writes; false also on a standby. */
  isWritable(db: Kysely<Tables>): Promise<boolean>;
};

/**
 * A full database still answers questions and changes what fits into the room that it has. So once a statement found it full, it
 * is not ready before it has taken a table that needs new room.
 */
export function watchRoom(): Room {
  let wasFull = false;
  return {
    note(error) {
      if (isDatabaseFull(error)) wasFull = true;
    },
    async isWritable(db) {
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

/** About a megabyte, for a moment. */
const takeRoom = (db: Kysely<Tables>) =>
  db.transaction().execute((transaction) =>
    sql`
      create temporary table porchlight_room on commit drop as
      select n, n + 1 as next from generate_series(1, 25000) as n`.execute(transaction),
  );
