import type { Db } from '../db/database.ts';

/** Ends the links for a new password that an account still has. */
export async function endResetLinks(db: Db, userId: number, now: Date): Promise<void> {
  await db
    .updateTable('reset_links')
    .set({ expires_at: now })
    .where('user_id', '=', userId)
    .where('used_at', 'is', null)
    .execute();
}
