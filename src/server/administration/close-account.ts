/** The end of an account by its person: a date seven days ahead, and until then a way back (decision 171). */

import { type Account, findActiveAccount, lockAccount } from '../accounts/account-store.ts';
import { openChanges, setClosing } from '../accounts/contact-changes.ts';
import { later } from '../clock.ts';
import { randomId } from '../crypto/secret-box.ts';
import type { Db } from '../db/database.ts';
import { AppError } from '../http/app-error.ts';
import type { Notifications } from '../notifications/notifications.ts';
import { type AdminContext, inTransaction } from './admin-context.ts';
import { refuseLastOperator } from './last-operator.ts';
import { erasePerson } from './privacy/erase.ts';
import { endAllAccess } from './sessions.ts';

type Context = AdminContext & { readonly notifications: Pick<Notifications, 'accountNotice'> };

/** From the wish to the erasure, in milliseconds (ACC-11). */
const CLOSING_MS = 7 * 24 * 60 * 60 * 1000;

/**
 * Sets the day on which an account is erased, ends all its sessions at once, and tells the person.
 * @returns `false` while a changed contact can still be undone: a thief must not erase the account
 * @throws AppError LAST_OPERATOR
 */
export async function closeAccount(context: Context, userId: number): Promise<boolean> {
  const { clock } = context;
  return inTransaction(context.db, async (db) => {
    const account = await lockActive(db, userId);
    const now = clock.now();
    if ((await openChanges(db, userId, now)).length > 0) return false;
    await refuseLastOperator(context, db, userId);
    const at = later(now, CLOSING_MS);
    await setClosing(db, userId, at);
    await endAllAccess(context, db, userId);
    await tell(context, db, account, { kind: 'accountCloses', words: { date: at } });
    await context.audit({ kind: 'account.closing', userId, details: { at } }, db);
    return true;
  });
}

/** Keeps an account that was to be erased. */
export async function keepAccount(context: Context, userId: number): Promise<void> {
  await inTransaction(context.db, async (db) => {
    const account = await lockActive(db, userId);
    if (account.closing_at === null) return;
    await setClosing(db, userId, null);
    await tell(context, db, account, { kind: 'accountKept' });
    await context.audit({ kind: 'account.kept', userId }, db);
  });
}

/** Erases the accounts whose day has come, each in a transaction of its own. @returns how many */
export async function eraseClosed(context: AdminContext): Promise<number> {
  const due = await context.db
    .selectFrom('users')
    .select('id')
    .where('closing_at', '<=', context.clock.now())
    .orderBy('closing_at')
    .execute();
  for (const { id } of due) {
    await context.db.transaction().execute(async (db) => {
      // Read again under the lock: the person may keep it at this moment.
      const account = await lockAccount(db, id);
      if (!account?.closing_at || account.closing_at > context.clock.now()) return;
      await erasePerson({ ...context, db }, id);
    });
  }
  return due.length;
}

async function lockActive(db: Db, userId: number): Promise<Account> {
  await lockAccount(db, userId);
  const account = await findActiveAccount(db, userId);
  if (!account) throw new AppError('NO_SESSION');
  return account;
}

function tell(
  { notifications }: Context,
  db: Db,
  account: Account,
  notice: Parameters<Notifications['accountNotice']>[2],
): Promise<void> {
  return notifications.accountNotice(db, account, notice, randomId());
}
