import type { Db } from '../db/database.ts';

/** A new password ends every session, code and token of the account (SRV-17). */
export async function endAccess(transaction: Db, userId: number, now: Date): Promise<void> {
  await transaction
    .deleteFrom('auth_tokens')
    .where('sign_in_id', 'in', (query) =>
      query.selectFrom('sign_ins').select('id').where('user_id', '=', userId),
    )
    .execute();
  await transaction
    .updateTable('sign_ins')
    .set({ ended_at: now, stage: 'ended' })
    .where('user_id', '=', userId)
    .where('ended_at', 'is', null)
    .execute();
  await transaction
    .updateTable('otp_codes')
    .set({ closed_at: now })
    .where('user_id', '=', userId)
    .where('closed_at', 'is', null)
    .execute();
  await transaction
    .updateTable('reset_links')
    .set({ expires_at: now })
    .where('user_id', '=', userId)
    .where('used_at', 'is', null)
    .execute();
}
