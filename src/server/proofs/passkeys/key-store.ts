import type { Insertable, Selectable } from 'kysely';
import { KEY_UNDO_MS } from '#domain/proofs/passkeys.ts';
import { later } from '../../core/clock.ts';
import { randomToken } from '../../crypto/secret-box.ts';
import type { Db } from '../../db/database.ts';
import type { Tables } from '../../db/schema.ts';

export type Passkey = Selectable<Tables['saved_keys']>;

const liveKeys = (db: Db, userId: number) =>
  db.selectFrom('saved_keys').where('user_id', '=', userId).where('removed_at', 'is', null);

/** Returns the name of a key in the options for browsers. */
export const keyDescriptor = ({ credential_id: id, transports }: Passkey) => ({
  id,
  transports: transports as never,
});

/** Returns the keys of an account, the oldest first. */
export function listKeys(db: Db, userId: number): Promise<readonly Passkey[]> {
  return liveKeys(db, userId).selectAll().orderBy('added_at').orderBy('credential_id').execute();
}

/** Returns the key of a credential id, a removed one too, and locks it for the rest of the transaction. */
export function lockKey(transaction: Db, credentialId: string): Promise<Passkey | undefined> {
  return transaction
    .selectFrom('saved_keys')
    .selectAll()
    .where('credential_id', '=', credentialId)
    .forUpdate()
    .executeTakeFirst();
}

/** Stores a new key. @returns whether it was new: a credential id belongs to one account for good */
export async function insertKey(
  db: Db,
  key: Omit<Insertable<Tables['saved_keys']>, 'needs_code' | 'shown_in'>,
): Promise<boolean> {
  const inserted = await db
    .insertInto('saved_keys')
    .values(key)
    .onConflict((conflict) => conflict.column('credential_id').doNothing())
    .returning('credential_id')
    .executeTakeFirst();
  return inserted !== undefined;
}

/** Stores the use of a key. */
export async function recordUse(
  db: Db,
  credentialId: string,
  used: Pick<Passkey, 'counter' | 'is_synced' | 'last_used_at'>,
): Promise<void> {
  await db.updateTable('saved_keys').set(used).where('credential_id', '=', credentialId).execute();
}

/** Records that a visit showed a key that needs password and code once. */
export async function recordShown(db: Db, credentialId: string, visitId: string): Promise<void> {
  await db
    .updateTable('saved_keys')
    .set({ shown_in: visitId })
    .where('credential_id', '=', credentialId)
    .execute();
}

/** Accepts the keys that this visit showed before its sign-in by password and code. */
export async function acceptShown(db: Db, userId: number, visitId: string): Promise<void> {
  await db
    .updateTable('saved_keys')
    .set({ needs_code: false, shown_in: null })
    .where('user_id', '=', userId)
    .where('shown_in', '=', visitId)
    .execute();
}

/** Removes a key of an account. @returns its name; `undefined`: it has no such key */
export async function removeKey(db: Db, userId: number, credentialId: string, now: Date) {
  const removed = await db
    .updateTable('saved_keys')
    .set({ removed_at: now })
    .where('user_id', '=', userId)
    .where('credential_id', '=', credentialId)
    .where('removed_at', 'is', null)
    .returning('name')
    .executeTakeFirst();
  return removed?.name;
}

/** Removes the keys of an account that were added since a moment. @returns their names, for a mail */
export async function removeAddedSince(db: Db, userId: number, since: Date, now: Date) {
  const removed = await db
    .updateTable('saved_keys')
    .set({ removed_at: now })
    .where('user_id', '=', userId)
    .where('added_at', '>=', since)
    .where('removed_at', 'is', null)
    .returning('name')
    .execute();
  return removed.map(({ name }) => name);
}

/**
 * Undoes the changes since a moment: keys removed since are back, keys added since are removed.
 */
export async function restoreSince(db: Db, userId: number, since: Date, now: Date): Promise<void> {
  await db
    .updateTable('saved_keys')
    .set({ removed_at: null })
    .where('user_id', '=', userId)
    .where('removed_at', '>=', since)
    .where('added_at', '<', since)
    .execute();
  await removeAddedSince(db, userId, since, now);
}

/** Returns the name of an account on its devices, and makes it at the first time. */
export async function accountHandle(db: Db, userId: number): Promise<string> {
  const { handle } = await db
    .insertInto('key_owners')
    .values({ user_id: userId, handle: randomToken() })
    // Changes nothing, but returns the row that is there.
    .onConflict((conflict) => conflict.column('user_id').doUpdateSet({ user_id: userId }))
    .returning('handle')
    .executeTakeFirstOrThrow();
  return handle;
}

/** Returns an account's name on its devices; `undefined`: it has none yet. */
export async function findHandle(db: Db, userId: number): Promise<string | undefined> {
  const owner = await db
    .selectFrom('key_owners')
    .select('handle')
    .where('user_id', '=', userId)
    .executeTakeFirst();
  return owner?.handle;
}

/**
 * Returns whether devices may forget a key that is not on record or was removed: not while an undo can bring it back,
 * and never after a restore, because the backup may lack a good key.
 */
export async function isForgotten(db: Db, removedAt: Date | null | undefined, now: Date) {
  if (removedAt && removedAt > later(now, -KEY_UNDO_MS)) return false;
  const restored = await db
    .selectFrom('key_domain')
    .select('restored_at')
    .where('restored_at', 'is not', null)
    .executeTakeFirst();
  return restored === undefined;
}
