import type { ServerContext } from '../context.ts';
import type { Db } from '../db/database.ts';

/** The dependencies of an operation on a person. `audit` names its actor. */
export type AdminContext = Pick<ServerContext, 'db' | 'clock' | 'config' | 'secretBox' | 'audit'>;

/** Runs the work in the caller's transaction, or in one of its own. */
export const inTransaction = <T>(db: Db, work: (db: Db) => Promise<T>): Promise<T> =>
  db.isTransaction ? work(db) : db.transaction().execute(work);
