import { closeOtps } from '../accounts/registration-store.ts';
import { endResetLinks } from '../accounts/reset-links.ts';
import type { Db } from '../db/database.ts';
import { endAttempts, type NoteEnded } from './move-attempts.ts';

/** Ends every session, OTP, token and reset link of an account: a new password starts over (SRV-17). */
export type EndAccess = (transaction: Db, userId: number, now: Date) => Promise<void>;

/** Creates the end of access. `recordEnded` receives the ended sessions, in the same transaction. */
export function createEndAccess(recordEnded: NoteEnded): EndAccess {
  return async (transaction, userId, now) => {
    await endAttempts(transaction, (eb) => eb('user_id', '=', userId), { now, recordEnded });
    await closeOtps(transaction, { user_id: userId }, now);
    await endResetLinks(transaction, userId, now);
  };
}
