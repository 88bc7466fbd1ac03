/** Changes of a person's ways in by the help desk, before they count (decision 206). */

import type { Selectable } from 'kysely';
import { DAY_MS, HOUR_MS } from '#domain/text/duration.ts';
import { later } from '../core/clock.ts';
import { hashToken } from '../crypto/secret-box.ts';
import type { Db } from '../db/database.ts';
import type { Tables } from '../db/schema.ts';

export type StaffChange = Selectable<Tables['staff_changes']>;

/** For so long a change waits for the person, or for a second staff member, in milliseconds. */
export const ASKED_LIFE_MS = 7 * DAY_MS;
/** From the second staff member's word until the change counts, in milliseconds. */
export const AGREED_WAIT_MS = 72 * HOUR_MS;

/** Returns the changes that wait: for the person, for a second staff member, or for their time. */
const waiting = (db: Db, now: Date) =>
  db
    .selectFrom('staff_changes')
    .selectAll()
    .where('done_at', 'is', null)
    .where('closed_at', 'is', null)
    .where((eb) =>
      eb.or([eb('due_at', 'is not', null), eb('asked_at', '>', later(now, -ASKED_LIFE_MS))]),
    );

/** Returns the change of an account that waits; there is one at most. */
export const waitingChangeOf = (db: Db, userId: number, now: Date) =>
  waiting(db, now).where('user_id', '=', userId).orderBy('asked_at', 'desc').executeTakeFirst();

/** Returns the change that a mailed link is about: it asks the person, or it stops the change. */
export async function changeOfLink(
  db: Db,
  key: string,
  now: Date,
): Promise<{ readonly change: StaffChange; readonly isStop: boolean } | null> {
  const hash = hashToken(key);
  const change = await waiting(db, now)
    .where((eb) => eb.or([eb('link_key_hash', '=', hash), eb('stop_key_hash', '=', hash)]))
    .executeTakeFirst();
  return change ? { change, isStop: change.stop_key_hash === hash } : null;
}

/** Returns whether a change was agreed to and waits for its time: until then no new password is set. */
export async function isChangeAgreed(db: Db, userId: number, now: Date): Promise<boolean> {
  const change = await waitingChangeOf(db, userId, now);
  return change !== undefined && change.due_at !== null;
}

/**
 * Returns whether a change was asked for again after a stop, by the person at the desk, and an operator is one of the two
 * behind it: a thief with an old mailbox would stop it for ever.
 */
export async function isFirm(db: Db, change: StaffChange): Promise<boolean> {
  if (!change.with_person || !change.with_operator) return false;
  const stopped = await db
    .selectFrom('staff_changes')
    .select('id')
    .where('user_id', '=', change.user_id)
    .where('what', '=', change.what)
    .where('asked_at', '<', change.asked_at)
    .where('closed_at', 'is not', null)
    .where('done_at', 'is', null)
    .executeTakeFirst();
  return stopped !== undefined;
}

/** Returns the ids of agreed changes whose time has come. */
export async function dueChanges(db: Db, now: Date): Promise<readonly string[]> {
  const rows = await db
    .selectFrom('staff_changes')
    .select('id')
    .where('due_at', '<=', now)
    .where('done_at', 'is', null)
    .where('closed_at', 'is', null)
    .orderBy('due_at')
    .execute();
  return rows.map(({ id }) => id);
}

/** Stores what became of a change. */
export async function setChange(
  db: Db,
  id: string,
  values: Partial<
    Pick<
      StaffChange,
      | 'opened_at'
      | 'agreed_by'
      | 'due_at'
      | 'stop_key_hash'
      | 'with_person'
      | 'with_operator'
      | 'done_at'
      | 'closed_at'
    >
  >,
): Promise<void> {
  await db.updateTable('staff_changes').set(values).where('id', '=', id).execute();
}
