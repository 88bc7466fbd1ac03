/** The rows of trusted helpers (decision 186): who may help whom, and since when. */

import { sql } from 'kysely';
import { hasAddress, spellingsOf } from './addresses.ts';
import type { Db } from '../db/database.ts';
import type { HelpEndedBy } from '../db/schema.ts';
import type { Account } from './account-store.ts';

const fullName = (table: 'member' | 'helper') =>
  sql<string>`trim(${sql.ref(`${table}.first_name`)} || ' ' || ${sql.ref(`${table}.last_name`)})`;

/** Rows with both accounts; the helper's is missing until they accept. */
const rowsWithNames = (db: Db) =>
  db
    .selectFrom('helpers')
    .innerJoin('users as member', 'member.id', 'helpers.member_id')
    .leftJoin('users as helper', 'helper.id', 'helpers.helper_id')
    .selectAll('helpers')
    .select([
      fullName('member').as('memberName'),
      'member.first_name as memberFirstName',
      'member.subtenant_id as memberSubtenant',
      sql<string>`coalesce(${fullName('helper')}, '')`.as('helperName'),
      'helper.email as helperEmail',
      'helper.first_name as helperFirstName',
      'helper.subtenant_id as helperSubtenant',
    ]);

/** Only between two accounts that may sign in and do not close. */
const living = (db: Db, now: Date) =>
  rowsWithNames(db)
    .where('helpers.removed_at', 'is', null)
    .where('helpers.ends_at', '>', now)
    .where('member.status', '=', 'active')
    .where('member.closing_at', 'is', null);

/** Rows that count now. */
const inForce = (db: Db, now: Date) =>
  living(db, now)
    .where('helpers.added_at', 'is not', null)
    .where('helper.status', '=', 'active')
    .where('helper.closing_at', 'is', null);

export type HelperRow = Awaited<ReturnType<typeof helpersOf>>[number];

/** Returns the helpers of a member, those who were asked and those who ended within a month included. */
export const helpersOf = async (db: Db, memberId: number) =>
  rowsWithNames(db).where('helpers.member_id', '=', memberId).orderBy('asked_at').execute();

/** Returns the helpers of a member who said yes and may help now. */
export const helpersInForce = async (db: Db, memberId: number, now: Date) =>
  inForce(db, now).where('helpers.member_id', '=', memberId).orderBy('asked_at').execute();

/** Returns the members whom an account helps. */
export const peopleHelpedBy = async (db: Db, helperId: number, now: Date) =>
  inForce(db, now).where('helpers.helper_id', '=', helperId).orderBy('asked_at').execute();

/** Returns the open asks to the mailbox of an account, once that mailbox is proven. */
export async function helpAsksTo(
  db: Db,
  account: Pick<Account, 'id' | 'email_canonical' | 'email_proven_at'>,
  now: Date,
): Promise<readonly HelperRow[]> {
  if (account.email_proven_at === null) return [];
  return living(db, now)
    .where('helpers.added_at', 'is', null)
    .where('helpers.email_canonical', 'in', spellingsOf(account.email_canonical))
    .where('helpers.member_id', '!=', account.id)
    .orderBy('asked_at')
    .execute();
}

/** Returns a helper's row that counts now; `undefined` for any other id. With `isLocked` an end waits for the transaction. */
export const findHelp = async (
  db: Db,
  id: string,
  helperId: number,
  now: Date,
  isLocked = false,
): Promise<HelperRow | undefined> =>
  inForce(db, now)
    .where('helpers.id', '=', id)
    .where('helpers.helper_id', '=', helperId)
    .$if(isLocked, (query) => query.forNoKeyUpdate('helpers'))
    .executeTakeFirst();

/** Returns who gets copies of the notices to an account, by its id or its address. */
export const helpersToTell = async (
  db: Db,
  { id, email }: { readonly id?: number; readonly email: string },
  now: Date,
) =>
  inForce(db, now)
    .$if(id !== undefined, (query) => query.where('member.id', '=', id ?? 0))
    .$if(id === undefined, (query) => query.where(hasAddress(email, 'member')))
    .execute();

/** Ends rows, and returns them with their names. */
export async function endHelp(transaction: Db, ids: readonly string[], by: HelpEndedBy, now: Date) {
  if (ids.length === 0) return [];
  const ended = await transaction
    .updateTable('helpers')
    .set({ removed_at: now, removed_by: by })
    .where('id', 'in', ids)
    .where('removed_at', 'is', null)
    .where('ends_at', '>', now)
    .returning('id')
    .execute();
  return helpersById(
    transaction,
    ended.map(({ id }) => id),
  );
}

/** Returns rows with the names of both. */
export async function helpersById(db: Db, ids: readonly string[]): Promise<readonly HelperRow[]> {
  return ids.length === 0 ? [] : rowsWithNames(db).where('helpers.id', 'in', ids).execute();
}

/**
 * Removes the helpers who were asked or added since a moment, for an undo or a reset by mail.
 * @returns their names; of those who had not answered, their addresses
 */
export async function removeAddedSince(db: Db, userId: number, since: Date, now: Date) {
  const open = await db
    .selectFrom('helpers')
    .select('id')
    .where('member_id', '=', userId)
    .where((eb) => eb.or([eb('asked_at', '>=', since), eb('added_at', '>=', since)]))
    .execute();
  const removed = await endHelp(
    db,
    open.map(({ id }) => id),
    'reset',
    now,
  );
  return removed.map(({ helperName, email }) => helperName || email);
}

/**
 * Restores the helpers of a moment: brings back those whom the member ended since, removes those added since.
 */
export async function restoreSince(db: Db, userId: number, since: Date, now: Date): Promise<void> {
  await removeAddedSince(db, userId, since, now);
  await db
    .updateTable('helpers')
    .set({ removed_at: null, removed_by: null })
    .where('member_id', '=', userId)
    .where('added_at', '<', since)
    .where('removed_at', '>=', since)
    // A helper who said that it is enough is not brought back.
    .where('removed_by', 'in', ['member', 'reset'])
    .execute();
}
