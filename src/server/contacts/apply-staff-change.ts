import { MINUTE_MS } from '#domain/text/duration.ts';
import { type Account, updateAccount } from '../accounts/account-store.ts';
import { askForContact } from '../accounts/contact-changes.ts';
import { dueChanges, setChange, type StaffChange } from '../accounts/staff-change-store.ts';
import { takeAppCode } from '../access/authenticator.ts';
import { removePasskey } from '../access/passkeys.ts';
import { endIncompleteSignIns } from '../access/sessions.ts';
import type { DeedContext } from '../access/context.ts';
import type { Db } from '../db/database.ts';
import { forEachRow } from '../db/each-row.ts';
import { inTransaction } from '../db/in-transaction.ts';
import { AppError } from '../http/app-error.ts';
import type { Task } from '../core/task.ts';
import { applyContact } from './change-contact.ts';
import { isProven, type ShownProof } from './change-proofs.ts';
import { lockWaiting, tellContacts } from './staff-changes.ts';

/**
 * Makes a change take effect, in the caller's transaction or in one of its own: the person shows an older way in, or its
 * 72 hours have passed.
 * @returns `false` when it was stopped meanwhile, has taken effect, or is not proven
 * @throws AppError EMAIL_IN_USE
 */
export async function applyStaffChange(
  context: DeedContext,
  id: string,
  how: ShownProof | 'waited',
): Promise<boolean> {
  return inTransaction(context.db, async (db) => {
    const admin = { ...context, db };
    const locked = await lockWaiting(admin, id);
    if (!locked) return false;
    const { account, change } = locked;
    const now = context.clock.now();
    const isDue =
      how === 'waited'
        ? change.due_at !== null && change.due_at <= now
        : await isProven(admin, account, change, how);
    if (!isDue) return false;
    await setChange(db, id, { done_at: now });
    await tellContacts(admin, account, change, { kind: 'staffChangeDone' });
    await applyTo(admin, db, account, change);
    await endIncompleteSignIns(admin, account.id);
    const by = how === 'waited' ? how : how.by;
    const details = { what: change.what, change: id, how: by };
    await context.audit({ kind: 'staffChange.done', userId: account.id, details }, db);
    return true;
  });
}

async function applyTo(
  admin: DeedContext,
  db: Db,
  account: Account,
  change: StaffChange,
): Promise<void> {
  const { id: userId } = account;
  if (change.what === 'appCode') {
    await takeAppCode(admin, userId);
    return;
  }
  if (change.what === 'key') {
    await removePasskey(admin, userId, change.credential_id ?? '');
    return;
  }
  // From here on it is a change of the person's own: with its mail to the old contact, and its undo.
  const signInId = `staff:${change.id}`;
  const { what: contact, email, dial_code, mobile } = change;
  const wanted = { contact, email, dial_code, mobile };
  const own = await askForContact(db, account, signInId, wanted, admin.clock.now());
  await applyContact(admin, db, own);
  // No code of this phone was typed so far: the next one proves it.
  if (contact === 'phone') {
    await updateAccount(db, userId, { phone_proven_at: null });
  }
}

/**
 * Makes the changes count whose 72 hours are over, each in a transaction of its own. A mailbox that went to another
 * account meanwhile ends its change.
 * @throws RowsFailed
 */
export async function applyDueChanges(context: DeedContext, signal?: AbortSignal): Promise<void> {
  const apply = (id: string) =>
    applyStaffChange(context, id, 'waited').catch(async (error: unknown) => {
      if (!(error instanceof AppError)) throw error;
      await setChange(context.db, id, { closed_at: context.clock.now() });
    });
  await forEachRow(await dueChanges(context.db, context.clock.now()), apply, signal);
}

/** Makes the due changes of the staff take effect. */
export const dueStaffChanges = (context: DeedContext): Task => ({
  everyMs: 5 * MINUTE_MS,
  run: (signal) => applyDueChanges(context, signal),
  trace: 'changes by staff',
  failed: 'changes by staff will take effect later',
  level: 'error',
});
