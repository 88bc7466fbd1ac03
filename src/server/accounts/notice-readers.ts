import type { Db } from '../db/database.ts';
import type { Account } from './account-store.ts';
import { openChanges } from './contact-changes.ts';

/** The columns of an account that a notice needs. */
export type NoticeAccount = Pick<
  Account,
  'id' | 'email' | 'first_name' | 'subtenant_id' | 'language'
>;

export type NoticeReader = {
  readonly email: string;
  /** The one mailbox whose mail may undo a change: the oldest of the open ones, else the account's. */
  readonly mayUndo: boolean;
};

/**
 * Returns the addresses that are told of a change: the account's, and each that it had within the last 72 hours, because
 * a thief with the new mailbox must not be the only reader (ACC-04).
 */
export async function noticeReaders(
  db: Db,
  { id, email }: Pick<NoticeAccount, 'id' | 'email'>,
  now: Date,
): Promise<readonly NoticeReader[]> {
  const old = await openChanges(db, id, now);
  const all = new Set([...old.map((row) => row.old_email), email]);
  return [...all].map((each, index) => ({ email: each, mayUndo: index === 0 }));
}
