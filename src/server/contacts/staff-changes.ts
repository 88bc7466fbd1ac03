/**
 * What the help desk changes about a person's ways in (decision 206): a contact, a passkey, an app code. It counts at
 * once when the person proves an older way in their own browser, and not the password; else 72 hours after the password or
 * a second staff member, in which every contact is told and can stop it.
 */

import type { Outcome } from '#domain/help-desk/outcome.ts';
import type { AgreeRest } from '#domain/help-desk/console-verbs.ts';
import { type ChangeProof, effectOfProof, OLDER_DAYS } from '#domain/proofs/staff-change-proofs.ts';
import { maskEmail } from '#domain/proofs/otp.ts';
import { pathOf } from '#domain/flow/screens.ts';
import { DAY_MS } from '#domain/text/duration.ts';
import {
  type Account,
  findAccount,
  lockAccount,
  accountRecipient,
} from '../accounts/account-store.ts';
import { phoneText, wholeNumber } from '../accounts/phone-text.ts';
import { openChanges, type WantedContact } from '../accounts/contact-changes.ts';
import {
  AGREED_WAIT_MS,
  ASKED_LIFE_MS,
  changeOfLink,
  isFirm,
  setChange,
  type StaffChange,
  waitingChangeOf,
} from '../accounts/staff-change-store.ts';
import { later } from '../core/clock.ts';
import { hashToken, randomId, randomToken } from '../crypto/secret-box.ts';
import { AppError } from '../http/app-error.ts';
import { areIndependent } from './independent-staff.ts';
import type { DeedContext } from '../access/context.ts';
import { inTransaction } from '../db/in-transaction.ts';
import { olderWays } from './change-proofs.ts';
import type { Notifications } from '../notifications/notifications.ts';

/** The change that staff ask for. */
export type WantedChange =
  | ({ readonly what: 'email' | 'phone' } & WantedContact)
  | { readonly what: 'key'; readonly credentialId: string }
  | { readonly what: 'appCode' };

/** The staff member who asks for a change or agrees to it; `staffId` is `null` for the command line. */
export type ChangeBy = {
  readonly staffId: number | null;
  readonly isOperator: boolean;
  /** The person stands at the desk. */
  readonly isPersonHere: boolean;
};

const linkOf = ({ config }: DeedContext, key: string) =>
  `${config.publicUrl}${pathOf('staffChange')}?key=${key}`;

/**
 * Asks for a change, tells every contact, and sends the link: to the new mailbox, else to the account's own. The caller is
 * in a transaction.
 * @throws AppError CONFLICT while another change of the account waits or can be undone, or when it is switched off
 */
export async function askStaffChange(
  context: DeedContext,
  account: Account,
  wanted: WantedChange,
  by: ChangeBy & { readonly staffId: number },
): Promise<Outcome> {
  const { db, clock, audit } = context;
  const now = clock.now();
  const isActive = (await lockAccount(db, account.id))?.status === 'active';
  if (!isActive || (await isChanging(context, account.id))) throw new AppError('CONFLICT');
  const [key, stopKey] = [randomToken(), randomToken()];
  const { email, dial_code, mobile } = { ...account, ...wanted };
  const change = {
    id: randomId(),
    user_id: account.id,
    what: wanted.what,
    email,
    dial_code,
    mobile,
    credential_id: wanted.what === 'key' ? wanted.credentialId : null,
    asked_by: by.staffId,
    with_person: by.isPersonHere,
    with_operator: by.isOperator,
    asked_at: now,
    link_key_hash: hashToken(key),
    stop_key_hash: hashToken(stopKey),
  };
  const asked = await db
    .insertInto('staff_changes')
    .values(change)
    .returningAll()
    .executeTakeFirstOrThrow();
  const to = { ...accountRecipient(account), email };
  await context.notifications.staffChange(db, to, linkOf(context, key), change.id);
  const stop = { url: linkOf(context, stopKey), until: later(now, ASKED_LIFE_MS) };
  await tellContacts(context, account, asked, { kind: 'staffChangeAsked', undo: stop });
  const details = { what: wanted.what, change: change.id };
  await audit({ kind: 'staffChange.asked', userId: account.id, details }, db);
  return 'waits';
}

/** Lets a waiting change begin its 72 hours, and tells every contact. @throws AppError FORBIDDEN */
export async function agreeToChange(
  context: DeedContext,
  account: Account,
  by: ChangeBy,
): Promise<Outcome> {
  const { db, clock, audit } = context;
  const now = clock.now();
  await lockAccount(db, account.id);
  const change = await waitingChangeOf(db, account.id, now);
  if (change && change.due_at !== null && change.agreed_by === by.staffId) return 'already';
  const rest = change && (await restOfAgreeing(context, change, by));
  if (!change || rest !== null) throw new AppError('FORBIDDEN');
  await setChange(db, change.id, {
    agreed_by: by.staffId,
    with_person: change.with_person || by.isPersonHere,
    with_operator: change.with_operator || by.isOperator,
  });
  await beginWaiting(context, account, change);
  const details = { what: change.what, change: change.id };
  await audit({ kind: 'staffChange.agreed', userId: account.id, details }, db);
  return 'waits';
}

/**
 * Begins the 72 hours of a change by the password of the account, in place of a second staff member.
 * @returns `false` when it was stopped meanwhile, or waits already
 */
export async function beginByPassword(context: DeedContext, id: string): Promise<boolean> {
  return inTransaction(context.db, async (db) => {
    const locked = await lockWaiting({ ...context, db }, id);
    if (!locked || locked.change.due_at !== null) return false;
    const { account, change } = locked;
    const { isStrong } = await olderWays({ ...context, db }, account, change);
    if (effectOfProof(change.what, 'password', isStrong) !== 'waits') return false;
    await beginWaiting({ ...context, db }, account, change);
    const details = { what: change.what, change: id };
    await context.audit({ kind: 'staffChange.begun', userId: account.id, details }, db);
    return true;
  });
}

async function beginWaiting(
  context: DeedContext,
  account: Account,
  change: StaffChange,
): Promise<void> {
  const stopKey = randomToken();
  const dueAt = later(context.clock.now(), AGREED_WAIT_MS);
  const stop = { url: linkOf(context, stopKey), until: dueAt };
  await setChange(context.db, change.id, { due_at: dueAt, stop_key_hash: hashToken(stopKey) });
  const words = { date: dueAt };
  await tellContacts(context, account, change, { kind: 'staffChangeWaits', words, undo: stop });
}

/** Returns a change that waits, with its account, under the account's lock: it may have been stopped at this moment. */
export async function lockWaiting({ db, clock }: DeedContext, id: string) {
  const found = await db
    .selectFrom('staff_changes')
    .select('user_id')
    .where('id', '=', id)
    .executeTakeFirst();
  const account = found && (await lockAccount(db, found.user_id));
  if (account?.status !== 'active') return null;
  const change = await waitingChangeOf(db, account.id, clock.now());
  return change?.id === id ? { account, change } : null;
}

type Told = Parameters<Notifications['accountNotice']>[2];

/**
 * Tells a step of a change to every contact: the account's, those that it replaced within 30 days, the wanted one, and
 * proven phones by text. A change that was undone counts as no replacement.
 */
export async function tellContacts(
  context: DeedContext,
  account: Account,
  change: StaffChange,
  notice: Told,
): Promise<void> {
  const { db, clock, notifications } = context;
  const replaced = await db
    .selectFrom('contact_changes')
    .selectAll()
    .where('user_id', '=', account.id)
    .where('changed_at', '>', later(clock.now(), -OLDER_DAYS * DAY_MS))
    .where('closed_at', 'is', null)
    .execute();
  const wanted = change.what === 'email' && notice.kind === 'staffChangeWaits';
  // The link that asks went there, or the notice of what was changed.
  const isTold =
    notice.kind === 'staffChangeDone' ||
    (change.what !== 'email' && notice.kind === 'staffChangeAsked');
  const addresses = [
    ...(isTold ? [] : [account.email]),
    ...replaced.flatMap((each) => (each.contact === 'email' ? each.old_email : [])),
    ...(wanted ? [change.email] : []),
  ];
  for (const email of new Set(addresses)) {
    await notifications.accountNotice(
      db,
      { ...account, email },
      notice,
      `${change.id}:${notice.kind}`,
    );
  }
  const phones = [
    ...(account.phone_proven_at ? [wholeNumber(account)] : []),
    ...replaced.flatMap((each) =>
      each.contact === 'phone' && each.old_phone_proven_at
        ? wholeNumber({ dial_code: each.old_dial_code, mobile: each.old_mobile })
        : [],
    ),
  ];
  for (const phone of new Set(phones)) {
    await notifications.staffChangeText(
      db,
      { ...accountRecipient(account), phone },
      notice,
      change.id,
    );
  }
}

/** Returns whether a change of the account waits, or can still be undone: staff begin no other. */
export async function isChanging(
  { db, clock }: Pick<DeedContext, 'db' | 'clock'>,
  userId: number,
): Promise<boolean> {
  const now = clock.now();
  if (await waitingChangeOf(db, userId, now)) return true;
  return (await openChanges(db, userId, now)).length > 0;
}

/** Returns why this staff member cannot agree now; `null` when nothing is in the way. */
export async function restOfAgreeing(
  { db, clock, config }: Pick<DeedContext, 'db' | 'clock' | 'config'>,
  change: StaffChange,
  { staffId, isOperator }: Pick<ChangeBy, 'staffId' | 'isOperator'>,
): Promise<AgreeRest | null> {
  if (change.due_at !== null) return 'agreedAlready';
  if (change.asked_by === staffId) return 'otherPerson';
  if (change.what === 'email' && change.opened_at === null) return 'notOpened';
  if (staffId === null || isOperator || change.with_operator) return null;
  const rights = { grants: config.console, now: clock.now() };
  const areTwo = await areIndependent(db, [change.asked_by, staffId], rights);
  return areTwo ? null : 'notIndependent';
}

/**
 * Stops the change that waits, and tells every contact.
 * @param only the one change that a link may stop
 */
export async function stopChange(
  context: DeedContext,
  userId: number,
  only?: string,
): Promise<Outcome> {
  const { db, clock, audit } = context;
  const account = await lockAccount(db, userId);
  const change = await waitingChangeOf(db, userId, clock.now());
  if (!account || !change || (only !== undefined && change.id !== only)) return 'already';
  await setChange(db, change.id, { closed_at: clock.now() });
  await tellContacts(context, account, change, { kind: 'staffChangeStopped' });
  const details = { what: change.what, change: change.id };
  await audit({ kind: 'staffChange.stopped', userId, details }, db);
  return 'done';
}

/** What a mailed link of a change shows. */
export type LinkedChange = NonNullable<Awaited<ReturnType<typeof readLinkedChange>>>;

/** Returns the change of a link; opening it changes nothing. `null`: it is over. */
export async function readLinkedChange(
  { db, clock }: Pick<DeedContext, 'db' | 'clock'>,
  key: string,
) {
  const now = clock.now();
  const found = await changeOfLink(db, key, now);
  const account = found && (await findAccount(db, found.change.user_id));
  if (!found || account?.status !== 'active') return null;
  const { what, due_at: dueAt } = found.change;
  const ways = await olderWays({ db, clock }, account, found.change);
  const effect = (proof: ChangeProof) => effectOfProof(what, proof, ways.isStrong);
  const hasPassword = account.password_hash !== null;
  return {
    ...found,
    account,
    ways,
    /** A code to the account's own phone is enough: an older one. */
    mayPhoneProve: ways.phone && effect('phone') === 'now',
    /** The password begins the 72 hours. */
    mayPasswordBegin: hasPassword && dueAt === null && effect('password') === 'waits',
    /** Only a password, a passkey or an app code stops it: it was stopped before, and asked for again at the desk. */
    isFirm: await isFirm(db, found.change),
  };
}

/** Records that the new mailbox answered. It proves nothing about the account. */
export async function confirmMailbox(
  { db, clock }: Pick<DeedContext, 'db' | 'clock'>,
  { change }: LinkedChange,
): Promise<void> {
  if (change.opened_at === null) await setChange(db, change.id, { opened_at: clock.now() });
}

/** Returns the change's new value for a page, masked where its reader is not known. */
export async function shownValue(change: StaffChange): Promise<string> {
  if (change.what === 'email') return maskEmail(change.email);
  return change.what === 'phone' ? phoneText(change) : '';
}
