/** What a person does with their own contacts: a change that counts after its code, and its undo (decision 170). */

import type { Outcome } from '#domain/help-desk/outcome.ts';
import { maskEmail } from '#domain/proofs/otp.ts';
import { pathOf } from '#domain/flow/screens.ts';
import { hasAddress } from '../accounts/addresses.ts';
import { type Account, lockAccount } from '../accounts/account-store.ts';
import {
  applyChange,
  askForContact,
  type ContactChange,
  findByUndoKey,
  findWaiting,
  isReserved,
  openChanges,
  replaceUndoKey,
  restoreContacts,
  type WantedContact,
} from '../accounts/contact-changes.ts';
import { closeOtps } from '../accounts/registration-store.ts';
import { endResetLinks, insertResetLink } from '../accounts/reset-links.ts';
import { randomId, randomToken } from '../crypto/secret-box.ts';
import { isDuplicate } from '../db/availability.ts';
import type { Db } from '../db/database.ts';
import { AppError } from '../http/app-error.ts';
import type { Session } from '../core/context.ts';
import type { DeedContext } from '../access/context.ts';
import { freshProof, lockInSession } from '../access/freshness.ts';
import { endAllAccess } from '../access/sessions.ts';
import { restoreWays } from '../access/ways-in.ts';

/** Stores the contact that a person wants. A number that is removed needs no code: it is removed at once. */
export async function askContactChange(
  context: DeedContext,
  session: Session,
  wanted: WantedContact,
): Promise<void> {
  await context.db.transaction().execute(async (transaction) => {
    const account = await lockInSession(transaction, session);
    const now = context.clock.now();
    const { id } = await askForContact(transaction, account, session.signInId, wanted, now);
    if (wanted.contact === 'email' || wanted.mobile !== '') return;
    await applyOwnChange(context, transaction, { ...session, changeId: id });
  });
}

/**
 * Returns the contact of a session that waits for its code. A change ends with the proof under which it was asked for:
 * `isOver` then, and it is asked for again (ACC-12).
 */
export async function waitingContact(
  context: Pick<DeedContext, 'db' | 'clock'>,
  session: Session,
): Promise<{ readonly change: ContactChange; readonly isOver: boolean } | null> {
  const change = await findWaiting(context.db, session.signInId, context.clock.now());
  if (change?.user_id !== session.userId) return null;
  const proof = await freshProof(context, session);
  return { change, isOver: proof === null || change.asked_at < proof };
}

/**
 * Makes the contact that a code proves the account's, in the transaction that accepts the code.
 * @throws AppError OTP_EXPIRED when the session waits for another contact, or its proof is too old; EMAIL_IN_USE
 */
export async function applyOwnChange(
  context: DeedContext,
  transaction: Db,
  { changeId, ...session }: Session & { readonly changeId: string },
): Promise<void> {
  const waiting = await waitingContact({ ...context, db: transaction }, session);
  if (waiting?.change.id !== changeId || waiting.isOver) throw new AppError('OTP_EXPIRED');
  await applyContact(context, transaction, waiting.change);
}

/**
 * Makes a wanted contact the account's, and tells the old one. Codes and links that went to the old contact end.
 * @throws AppError EMAIL_IN_USE when the address went to another account meanwhile
 */
export async function applyContact(
  context: DeedContext,
  transaction: Db,
  change: ContactChange,
): Promise<void> {
  const { clock, config, audit, notifications } = context;
  const now = clock.now();
  const { user_id: userId } = change;
  const account = await lockAccount(transaction, userId);
  if (account?.status !== 'active') throw new AppError('OTP_EXPIRED');
  if (change.contact === 'email') await freeAddress(transaction, account, change, now);
  const undoKey = randomToken();
  // Of two right codes at once, the second meets the first one's row only here.
  const until = await applyChange(transaction, account, change, { undoKey, now }).catch((error) => {
    throw isDuplicate(error) ? new AppError('EMAIL_IN_USE') : error;
  });
  await closeOtps(transaction, { user_id: userId }, now);
  await endResetLinks(transaction, userId, now);
  const url = undoUrl(config.publicUrl, undoKey);
  const kind = kindOf(change);
  const told = { ...account, ...(change.contact === 'email' && { email: change.email }) };
  const words = { email: maskEmail(change.email), phone: change.mobile.slice(-2) };
  const notice = { kind, words, undo: { url, until } } as const;
  await notifications.accountNotice(transaction, told, notice, change.id);
  const details = { contact: change.contact, change: change.id };
  await audit({ kind: 'account.contactChanged', userId, details }, transaction);
}

function kindOf({ contact, mobile }: ContactChange) {
  if (contact === 'email') return 'emailChanged';
  return mobile === '' ? 'phoneRemoved' : 'phoneChanged';
}

/**
 * Frees the address of an unfinished sign-up: the code has just proven whose mailbox it is.
 * @throws AppError EMAIL_IN_USE
 */
async function freeAddress(
  transaction: Db,
  account: Account,
  { email }: ContactChange,
  now: Date,
): Promise<void> {
  const other = await transaction
    .selectFrom('users')
    .select(['id', 'status'])
    .where(hasAddress(email))
    .where('id', '!=', account.id)
    .forUpdate()
    .executeTakeFirst();
  const isTaken = other !== undefined && other.status !== 'pending';
  if (isTaken || (await isReserved(transaction, email, account.id, now))) {
    throw new AppError('EMAIL_IN_USE');
  }
  if (other) await transaction.deleteFrom('users').where('id', '=', other.id).execute();
}

/**
 * Mails the previous address a new undo link, and a notice to every contact. The earlier links end, their time
 * stays. The caller is in a transaction.
 * @returns `already` when the time of every such address is over
 */
export async function mailUndoLink(context: DeedContext, { id }: Account): Promise<Outcome> {
  const { db, clock, config, audit, notifications } = context;
  const account = await lockAccount(db, id);
  const changes = account ? await openChanges(db, id, clock.now()) : [];
  const change = changes.find(({ contact }) => contact === 'email');
  if (!account || !change?.undo_until) return 'already';
  const key = randomToken();
  await replaceUndoKey(db, changes, key);
  const undo = { url: undoUrl(config.publicUrl, key), until: change.undo_until };
  const words = { email: maskEmail(account.email) };
  await notifications.accountNotice(db, account, { kind: 'emailChanged', words, undo }, randomId());
  await audit({ kind: 'account.undoMailed', userId: id, details: { change: change.id } }, db);
  return 'done';
}

const undoUrl = (publicUrl: string, key: string) =>
  `${publicUrl}${pathOf('undoChange')}?key=${key}`;

/** The state of an undo link: it can still be used, its time is over, or it was used. */
export type UndoState = 'open' | 'over';

/** Returns whether an undo link works; opening it changes nothing. */
export async function stateOfUndo(
  { db, clock }: Pick<DeedContext, 'db' | 'clock'>,
  key: string,
): Promise<UndoState> {
  const change = await findByUndoKey(db, key);
  return change && isOpen(change, clock.now()) ? 'open' : 'over';
}

const isOpen = ({ closed_at: closedAt, undo_until: until }: ContactChange, now: Date) =>
  closedAt === null && until !== null && until > now;

/**
 * Restores the contacts and ways in from before the oldest change that can still be undone, and ends all access.
 * @returns the key of a link for a new password; it needs an older proof, too. `null` when the link is over
 */
export async function undoContactChange(context: DeedContext, key: string): Promise<string | null> {
  const { db, clock, config, audit, notifications } = context;
  return db.transaction().execute(async (transaction) => {
    const found = await findByUndoKey(transaction, key);
    const account = found && (await lockAccount(transaction, found.user_id));
    const now = clock.now();
    const [oldest] = account ? await openChanges(transaction, account.id, now) : [];
    // Read again under the lock: of two presses, one undoes.
    const pressed = await findByUndoKey(transaction, key);
    if (!account || !oldest?.changed_at || !pressed || !isOpen(pressed, now)) return null;
    const { id } = account;
    await restoreContacts(transaction, oldest, now);
    await restoreWays(transaction, id, oldest.changed_at, now);
    await endAllAccess(context, transaction, id);
    await transaction.deleteFrom('known_devices').where('user_id', '=', id).execute();
    const lifeMs = config.timers.resetLinkMs;
    const link = await insertResetLink(transaction, account, { now, lifeMs, olderProofAt: null });
    const restored = { ...account, email: oldest.old_email };
    const cause = `${pressed.id}:undone`;
    const next = `${config.publicUrl}${pathOf('recovery')}?resetLinkKey=${link.key}`;
    await notifications.accountNotice(transaction, restored, { kind: 'changeUndone', next }, cause);
    await audit({ kind: 'account.changeUndone', userId: id }, transaction);
    return link.key;
  });
}
