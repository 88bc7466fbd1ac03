/** The end of an account by its person: a date seven days ahead, and until then a way back (decision 171). */

import { DAY_MS, MINUTE_MS } from '#domain/text/duration.ts';
import { type Account, findActiveAccount, lockAccount } from '../accounts/account-store.ts';
import { setClosing } from '../accounts/account-changes.ts';
import { openChanges } from '../accounts/contact-changes.ts';
import { waysOf } from '../accounts/organisation-links.ts';
import { later } from '../core/clock.ts';
import { randomId } from '../crypto/secret-box.ts';
import type { Db } from '../db/database.ts';
import { AppError } from '../http/app-error.ts';
import { forEachRow } from '../db/each-row.ts';
import type { Session } from '../core/context.ts';
import type { DeedContext } from '../access/context.ts';
import { inTransaction } from '../db/in-transaction.ts';
import type { Task } from '../core/task.ts';
import { whileFresh } from '../access/freshness.ts';
import { keepOperator } from '../access/last-operator.ts';
import { erasePerson } from './privacy/erase.ts';
import { removeAdministrator } from './remove-administrator.ts';
import { endAllAccess } from '../access/sessions.ts';

/** From the wish to the erasure, in milliseconds (ACC-11). */
const CLOSING_MS = 7 * DAY_MS;

/**
 * Sets the day on which an account is erased, ends all its sessions at once, and tells the person.
 * @returns `false` while a changed contact can still be undone: a thief must not erase the account
 * @throws AppError LAST_OPERATOR, NO_SESSION, KEPT_BY_ORGANISATION
 */
export async function closeAccount(context: DeedContext, session: Session): Promise<boolean> {
  const close = async (db: Db, account: Account) => {
    if ((await waysOf(db, account.id)).keptBy !== null) throw new AppError('KEPT_BY_ORGANISATION');
    if ((await openChanges(db, account.id, context.clock.now())).length > 0) return false;
    await endAllAccess(context, db, account.id);
    await beginClosing(context, db, account);
    return true;
  };
  return keepOperator(context, (db) => whileFresh({ ...context, db }, session, close));
}

/** Sets the day on which an account is erased, and mails it. */
export async function beginClosing(context: DeedContext, db: Db, account: Account): Promise<void> {
  const at = later(context.clock.now(), CLOSING_MS);
  await removeAdministrator({ ...context, db }, account.id);
  await setClosing(db, account.id, at);
  const notice = { kind: 'accountCloses', words: { date: at } } as const;
  await context.notifications.accountNotice(db, account, notice, randomId());
  await context.audit({ kind: 'account.closing', userId: account.id, details: { at } }, db);
}

/** Keeps an account that was to be erased. */
export async function keepAccount(context: DeedContext, userId: number): Promise<void> {
  await inTransaction(context.db, async (db) => {
    await lockAccount(db, userId);
    const account = await findActiveAccount(db, userId);
    if (!account) throw new AppError('NO_SESSION');
    if (account.closing_at === null) return;
    await setClosing(db, userId, null);
    const notice = { kind: 'accountKept' } as const;
    await context.notifications.accountNotice(db, account, notice, randomId());
    await context.audit({ kind: 'account.kept', userId }, db);
  });
}

/** Erases the accounts whose day has come, each in a transaction of its own. @throws RowsFailed */
export async function eraseClosed(context: DeedContext, signal?: AbortSignal): Promise<void> {
  const due = await context.db
    .selectFrom('users')
    .select('id')
    .where('closing_at', '<=', context.clock.now())
    .where('status', '=', 'active')
    .execute();
  const erase = ({ id }: (typeof due)[number]) =>
    keepOperator(context, async (db) => {
      // Read again under the lock: the person may keep it at this moment.
      const account = await lockAccount(db, id);
      if (!account?.closing_at || account.closing_at > context.clock.now()) return;
      // An undo that began since waits for its mailbox.
      if ((await openChanges(db, id, context.clock.now())).length > 0) return;
      if (account.status === 'active') await erasePerson({ ...context, db }, id);
    });
  await forEachRow(due, erase, signal);
}

/** Erases the accounts whose day has come. */
export const erasures = (context: DeedContext): Task => ({
  everyMs: 5 * MINUTE_MS,
  run: (signal) => eraseClosed(context, signal),
  trace: 'closed accounts',
  failed: 'closed accounts will be erased later',
  level: 'error',
});
