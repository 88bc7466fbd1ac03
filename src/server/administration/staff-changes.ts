/**
 * What the help desk changes about a person's ways in (decision 206): a contact, a saved key, an app code. It counts at
 * once when the person proves an older way in their own browser; else 72 hours after a second staff member agreed, in
 * which every contact is told and can stop it.
 */

import type { AgreeRest } from '#domain/console-verbs.ts';
import { maskEmail } from '#domain/otp.ts';
import { pathOf } from '#domain/screens.ts';
import { type Account, findAccount, lockAccount } from '../accounts/account-store.ts';
import { askForContact, openChanges, type WantedContact } from '../accounts/contact-changes.ts';
import {
  AGREED_WAIT_MS,
  changeOfLink,
  dueChanges,
  setChange,
  type StaffChange,
  waitingChangeOf,
} from '../accounts/staff-change-store.ts';
import { later } from '../clock.ts';
import { hashToken, randomId, randomToken } from '../crypto/secret-box.ts';
import type { Db } from '../db/database.ts';
import { forEachRow } from '../db/each-row.ts';
import { AppError } from '../http/app-error.ts';
import { type AdminContext, inTransaction } from './admin-context.ts';
import { takeAppCode } from './app-codes.ts';
import { applyContact } from './change-contact.ts';
import { createOperatorMail } from './operator-mail.ts';
import { removeSavedKey } from './saved-keys.ts';
import { endIncompleteSignIns } from './sessions.ts';

/** The change that staff ask for. */
export type WantedChange =
  | ({ readonly what: 'email' | 'phone' } & WantedContact)
  | { readonly what: 'key'; readonly credentialId: string }
  | { readonly what: 'appCode' };

const linkOf = ({ config }: AdminContext, key: string) =>
  `${config.publicUrl}${pathOf('staffChange')}?key=${key}`;

/**
 * Asks for a change, in place of an earlier one that waits, and sends the link: to the new mailbox, else to the account's
 * own. The caller is in a transaction.
 */
export async function askStaffChange(
  context: AdminContext,
  account: Account,
  wanted: WantedChange,
  staffId: number,
): Promise<void> {
  const { db, clock, audit } = context;
  const now = clock.now();
  await lockAccount(db, account.id);
  const earlier = await waitingChangeOf(db, account.id, now);
  if (earlier) await setChange(db, earlier.id, { closed_at: now });
  const key = randomToken();
  const { email, dial_code, mobile } = { ...account, ...contactOf(wanted) };
  const change = {
    id: randomId(),
    user_id: account.id,
    what: wanted.what,
    email,
    dial_code,
    mobile,
    credential_id: wanted.what === 'key' ? wanted.credentialId : null,
    asked_by: staffId,
    asked_at: now,
    link_key_hash: hashToken(key),
  };
  await db.insertInto('staff_changes').values(change).execute();
  const to = {
    email,
    firstName: account.first_name,
    subtenantId: account.subtenant_id,
    language: account.language,
  };
  await createOperatorMail(context).staffChange(db, to, linkOf(context, key), change.id);
  const details = { what: wanted.what, change: change.id };
  await audit({ kind: 'staffChange.asked', userId: account.id, details }, db);
}

function contactOf(wanted: WantedChange) {
  if (wanted.what === 'email' && 'email' in wanted) return { email: wanted.email };
  if (wanted.what === 'phone' && 'mobile' in wanted) {
    return { dial_code: wanted.dial_code, mobile: wanted.mobile };
  }
  return {};
}

/** Lets a waiting change begin its 72 hours, and tells every contact. @throws AppError FORBIDDEN */
export async function agreeToChange(
  context: AdminContext,
  account: Account,
  staffId: number,
): Promise<void> {
  const { db, clock, audit } = context;
  const now = clock.now();
  await lockAccount(db, account.id);
  const change = await waitingChangeOf(db, account.id, now);
  if (!change || restOfAgreeing(change, staffId) !== null) throw new AppError('FORBIDDEN');
  const stopKey = randomToken();
  const dueAt = later(now, AGREED_WAIT_MS);
  await setChange(db, change.id, {
    agreed_by: staffId,
    due_at: dueAt,
    stop_key_hash: hashToken(stopKey),
  });
  const mails = createOperatorMail(context);
  const stop = { url: linkOf(context, stopKey), until: dueAt };
  const notice = { kind: 'staffChangeWaits', words: { date: dueAt }, undo: stop } as const;
  await mails.accountNotice(db, account, notice, change.id);
  if (change.what === 'email') {
    await mails.accountNotice(db, { ...account, email: change.email }, notice, `${change.id}:new`);
  }
  if (account.phone_proven_at !== null) {
    const { first_name: firstName, subtenant_id: subtenantId, language } = account;
    const phone = `${account.dial_code}${account.mobile}`;
    const to = { email: account.email, firstName, subtenantId, language, phone };
    await mails.staffChangeText(db, to, stop.url, change.id);
  }
  const details = { what: change.what, change: change.id };
  await audit({ kind: 'staffChange.agreed', userId: account.id, details }, db);
}

/** Returns why this staff member cannot agree now; `null` when nothing is in the way. */
export function restOfAgreeing(change: StaffChange, staffId: number): AgreeRest | null {
  if (change.due_at !== null) return 'agreedAlready';
  if (change.asked_by === staffId) return 'otherPerson';
  return change.what === 'email' && change.opened_at === null ? 'notOpened' : null;
}

/** Stops a change that waits. @returns whether there was one */
export async function stopChange(context: AdminContext, userId: number): Promise<boolean> {
  const { db, clock, audit } = context;
  await lockAccount(db, userId);
  const change = await waitingChangeOf(db, userId, clock.now());
  if (!change) return false;
  await setChange(db, change.id, { closed_at: clock.now() });
  const details = { what: change.what, change: change.id };
  await audit({ kind: 'staffChange.stopped', userId, details }, db);
  return true;
}

/** What a mailed link of a change shows. */
export type LinkedChange = {
  readonly change: StaffChange;
  readonly account: Account;
  readonly isStop: boolean;
  /** Holding the link proves an older way: it went to the account's own mailbox, which was not changed lately. */
  readonly isProof: boolean;
  /** A code to the account's own phone proves an older way: it was proven before, and not changed lately. */
  readonly mayPhoneProve: boolean;
};

/** Returns the change of a link; opening it changes nothing. `null`: it is over. */
export async function readLinkedChange(
  { db, clock }: Pick<AdminContext, 'db' | 'clock'>,
  key: string,
): Promise<LinkedChange | null> {
  const now = clock.now();
  const found = await changeOfLink(db, key, now);
  const account = found && (await findAccount(db, found.change.user_id));
  if (!found || account?.status !== 'active') return null;
  const { what, asked_at: askedAt } = found.change;
  const lately = await openChanges(db, account.id, now);
  const isOlder = (contact: 'email' | 'phone', provenAt: Date | null) =>
    what !== contact &&
    provenAt !== null &&
    provenAt < askedAt &&
    account.recovery_since === null &&
    !lately.some((each) => each.contact === contact);
  return {
    ...found,
    account,
    isProof: isOlder('email', account.email_proven_at),
    mayPhoneProve: isOlder('phone', account.phone_proven_at),
  };
}

/** Records that the new mailbox answered. It proves nothing about the account. */
export async function confirmMailbox(
  { db, clock }: Pick<AdminContext, 'db' | 'clock'>,
  { change }: LinkedChange,
): Promise<void> {
  if (change.opened_at === null) await setChange(db, change.id, { opened_at: clock.now() });
}

/**
 * Makes a change count, in the caller's transaction or in one of its own, because the person proved an older way or the 72 hours are over.
 * @returns `false` when it was stopped meanwhile, or counts already
 * @throws AppError EMAIL_IN_USE
 */
export async function applyStaffChange(
  context: AdminContext,
  id: string,
  how: 'proven' | 'waited',
): Promise<boolean> {
  const { clock } = context;
  return inTransaction(context.db, async (db) => {
    const found = await db
      .selectFrom('staff_changes')
      .selectAll()
      .where('id', '=', id)
      .executeTakeFirst();
    const account = found && (await lockAccount(db, found.user_id));
    if (!found || account?.status !== 'active') return false;
    const now = clock.now();
    // Read again under the lock: it may have been stopped, or have counted, at this moment.
    const change = await waitingChangeOf(db, account.id, now);
    if (change?.id !== id) return false;
    await setChange(db, id, { done_at: now });
    const admin = { ...context, db };
    await applyTo(admin, db, account, change);
    await endIncompleteSignIns(admin, account.id);
    const details = { what: change.what, change: id, how };
    await context.audit({ kind: 'staffChange.done', userId: account.id, details }, db);
    return true;
  });
}

async function applyTo(
  admin: AdminContext,
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
    await removeSavedKey(admin, userId, change.credential_id ?? '');
    return;
  }
  // From here on it is a change of the person's own: with its mail to the old contact, and its undo.
  const signInId = `staff:${change.id}`;
  const { what: contact, email, dial_code, mobile } = change;
  const wanted = { contact, email, dial_code, mobile };
  const own = await askForContact(db, account, signInId, wanted, admin.clock.now());
  await applyContact({ ...admin, notifications: createOperatorMail(admin) }, db, own);
  // Nobody has typed a code of this phone: the next one proves it.
  if (contact === 'phone') {
    await db.updateTable('users').set({ phone_proven_at: null }).where('id', '=', userId).execute();
  }
}

/**
 * Makes the changes count whose 72 hours are over, each in a transaction of its own. A mailbox that went to another
 * account meanwhile ends its change.
 * @throws RowsFailed
 */
export async function applyDueChanges(context: AdminContext): Promise<void> {
  await forEachRow(await dueChanges(context.db, context.clock.now()), (id) =>
    applyStaffChange(context, id, 'waited').catch(async (error: unknown) => {
      if (!(error instanceof AppError)) throw error;
      await setChange(context.db, id, { closed_at: context.clock.now() });
    }),
  );
}

/** Returns the change's new value for a page, masked where its reader is not known. */
export const shownValue = ({ what, email, dial_code, mobile }: StaffChange): string => {
  if (what === 'email') return maskEmail(email);
  return what === 'phone' ? `${dial_code} ${mobile}` : '';
};
