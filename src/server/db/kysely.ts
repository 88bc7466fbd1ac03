import { type Dialect, Kysely, type LogEvent } from 'kysely';
import type { Room } from './room.ts';
import type { Tables } from './schema.ts';

export type Db = Kysely<Tables>;

/** Receives each statement, begin and commit included, when it is done; without it, none is timed. */
export type OnStatement = (statement: LogEvent) => void;

export type Database = {
  readonly db: Db;
  readonly engine: 'pglite' | 'postgres';
  /** Returns whether it accepts writes. After a full disk, it first has to accept one that needs new space. */
  isWritable(): Promise<boolean>;
  /** A line for the start-up log. */
  readonly description: string;
  /**
   * Runs work that may take longer than a request, such as migrations, on a connection without the time limits of
   * requests.
   */
  maintenance<T>(work: (db: Db) => Promise<T>): Promise<T>;
  /**
   * Returns the files of the embedded database as a compressed archive; `null` for PostgreSQL, which has its own tools.
   */
  readonly dump: (() => Promise<Blob>) | null;
  close(): Promise<void>;
};

/** Creates the builder of statements over a database, which notes in `room` what its disk refuses. */
export function createKysely(dialect: Dialect, room: Room, onStatement?: OnStatement): Db {
  return new Kysely<Tables>({
    dialect,
    log(event) {
      if (event.level === 'error') room.note(event.error);
      onStatement?.(event);
    },
  });
}
