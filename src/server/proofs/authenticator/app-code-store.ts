import type { Selectable } from 'kysely';
import type { Session } from '../../core/context.ts';
import { randomId } from '../../crypto/secret-box.ts';
import type { Db } from '../../db/database.ts';
import type { Tables } from '../../db/schema.ts';

export type AppCode = Selectable<Tables['app_codes']>;

const living = (db: Db, userId: number) =>
  db
    .selectFrom('app_codes')
    .where('user_id', '=', userId)
    .where('confirmed_at', 'is not', null)
    .where('removed_at', 'is', null);

/** Returns the app code that an account signs in with. */
export const findAppCode = (db: Db, userId: number): Promise<AppCode | undefined> =>
  living(db, userId).selectAll().executeTakeFirst();

/** Returns the app code whose key a session was shown after `since` and whose first code is pending. */
export const findUnconfirmed = (db: Db, { userId, signInId }: Session, since: Date) =>
  db
    .selectFrom('app_codes')
    .selectAll()
    .where('user_id', '=', userId)
    .where('sign_in_id', '=', signInId)
    .where('confirmed_at', 'is', null)
    .where('added_at', '>', since)
    .orderBy('added_at', 'desc')
    .executeTakeFirst();

/** Stores a key that waits for its first code, in place of an earlier one of the session that does. */
export async function insertUnconfirmed(
  db: Db,
  { userId, signInId }: Session,
  secret: string,
  now: Date,
): Promise<void> {
  await deleteUnconfirmed(db, userId, signInId);
  await db
    .insertInto('app_codes')
    .values({ id: randomId(), user_id: userId, sign_in_id: signInId, secret, added_at: now })
    .execute();
}

/** Deletes the keys that wait for their first code: of one session, or of all. */
export async function deleteUnconfirmed(db: Db, userId: number, signInId?: string): Promise<void> {
  await db
    .deleteFrom('app_codes')
    .where('user_id', '=', userId)
    .where('confirmed_at', 'is', null)
    .$if(signInId !== undefined, (query) => query.where('sign_in_id', '=', signInId ?? ''))
    .execute();
}

/**
 * Makes a key the account's way in. Its first code is used up.
 * @returns whether it still waited for it
 */
export async function confirmAppCode(db: Db, id: string, step: number, now: Date) {
  const confirmed = await db
    .updateTable('app_codes')
    .set({ confirmed_at: now, last_step: step })
    .where('id', '=', id)
    .where('confirmed_at', 'is', null)
    .returning('id')
    .executeTakeFirst();
  return confirmed !== undefined;
}

/** Uses up a code with all older ones. @returns whether it was newer than the last one */
export async function consumeStep(db: Db, id: string, step: number): Promise<boolean> {
  const used = await db
    .updateTable('app_codes')
    .set({ last_step: step })
    .where('id', '=', id)
    .where('last_step', '<', step)
    .where('removed_at', 'is', null)
    .returning('id')
    .executeTakeFirst();
  return used !== undefined;
}

/** Removes the app code of an account, for as long as nothing restores it. @returns whether there was one */
export async function removeAppCode(db: Db, userId: number, now: Date): Promise<boolean> {
  const removed = await db
    .updateTable('app_codes')
    .set({ removed_at: now })
    .where('id', 'in', living(db, userId).select('id'))
    .returning('id')
    .execute();
  return removed.length > 0;
}

/** Removes the app code that was set up since a moment, for an undo or a reset by mail. @returns whether there was one */
export async function removeAddedSince(
  db: Db,
  userId: number,
  since: Date,
  now: Date,
): Promise<boolean> {
  const removed = await db
    .updateTable('app_codes')
    .set({ removed_at: now })
    .where('id', 'in', living(db, userId).select('id').where('confirmed_at', '>=', since))
    .returning('id')
    .execute();
  return removed.length > 0;
}

/** Restores the app code of a moment: removes one that was set up since, brings back one that was removed since. */
export async function restoreSince(db: Db, userId: number, since: Date, now: Date): Promise<void> {
  await removeAddedSince(db, userId, since, now);
  await deleteUnconfirmed(db, userId);
  await db
    .updateTable('app_codes')
    .set({ removed_at: null })
    .where('user_id', '=', userId)
    .where('confirmed_at', '<', since)
    .where('removed_at', '>=', since)
    .execute();
}

/** Replaces all recovery codes of an app code. */
export async function replaceRecoveryCodes(
  db: Db,
  id: string,
  hashes: readonly string[],
  now: Date,
): Promise<void> {
  await db.deleteFrom('recovery_codes').where('app_code_id', '=', id).execute();
  await db
    .insertInto('recovery_codes')
    .values(hashes.map((hash) => ({ app_code_id: id, hash, added_at: now })))
    .execute();
}

/** Uses up a recovery code. @returns whether it was unused */
export async function consumeRecoveryCode(db: Db, id: string, hash: string, now: Date) {
  const used = await db
    .updateTable('recovery_codes')
    .set({ used_at: now })
    .where('app_code_id', '=', id)
    .where('hash', '=', hash)
    .where('used_at', 'is', null)
    .returning('hash')
    .executeTakeFirst();
  return used !== undefined;
}

/** Returns the time of use of a recovery code, `null` for an unused one; `undefined`: there is no such code. */
export async function findRecoveryCode(db: Db, id: string, hash: string) {
  return db
    .selectFrom('recovery_codes')
    .select('used_at')
    .where('app_code_id', '=', id)
    .where('hash', '=', hash)
    .executeTakeFirst();
}

/** Returns how many recovery codes of an app code are unused. */
export async function countRecoveryCodes(db: Db, id: string): Promise<number> {
  const { count } = await db
    .selectFrom('recovery_codes')
    .select((eb) => eb.fn.countAll<string>().as('count'))
    .where('app_code_id', '=', id)
    .where('used_at', 'is', null)
    .executeTakeFirstOrThrow();
  return Number(count);
}
