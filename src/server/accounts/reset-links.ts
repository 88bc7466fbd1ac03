import { later } from '../core/clock.ts';
import { hashToken, randomId, randomToken } from '../crypto/secret-box.ts';
import type { Db } from '../db/database.ts';
import type { Account } from './account-store.ts';

/** Ends the links for a new password that an account still has. */
export async function endResetLinks(db: Db, userId: number, now: Date): Promise<void> {
  await db
    .updateTable('reset_links')
    .set({ expires_at: now })
    .where('user_id', '=', userId)
    .where('used_at', 'is', null)
    .execute();
}

type NewLink = { readonly now: Date; readonly lifeMs: number; readonly olderProofAt: Date | null };

/** Stores a link for a new password. @returns its id, and the key of its address */
export async function insertResetLink(
  db: Db,
  account: Pick<Account, 'id' | 'subtenant_id'>,
  { now, lifeMs, olderProofAt }: NewLink,
): Promise<{ readonly id: string; readonly key: string }> {
  const [id, key] = [randomId(), randomToken()];
  await db
    .insertInto('reset_links')
    .values({
      id,
      key_hash: hashToken(key),
      user_id: account.id,
      subtenant_id: account.subtenant_id,
      created_at: now,
      expires_at: later(now, lifeMs),
      used_at: null,
      older_proof_at: olderProofAt,
    })
    .execute();
  return { id, key };
}

/** Returns whether an account has a link for a new password that still works. */
export async function hasResetLink(db: Db, userId: number, now: Date): Promise<boolean> {
  const link = await db
    .selectFrom('reset_links')
    .select('id')
    .where('user_id', '=', userId)
    .where('used_at', 'is', null)
    .where('expires_at', '>', now)
    .executeTakeFirst();
  return link !== undefined;
}
