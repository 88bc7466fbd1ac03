/** A person's app code: each change is one transaction, with its event and its mail. */

import type { EventKind } from '#locales/operator/events.ts';
import { APP_CODE_SET_UP_MS } from '#domain/proofs/authenticator.ts';
import type { AccountChange } from '#texts/account-mails.ts';
import { findAccount } from '../accounts/account-store.ts';
import { waysOf } from '../accounts/organisation-links.ts';
import {
  confirmAppCode,
  deleteUnconfirmed,
  findAppCode,
  findUnconfirmed,
  insertUnconfirmed,
  removeAppCode,
  replaceRecoveryCodes,
} from '../proofs/authenticator/app-code-store.ts';
import { newRecoveryCodes } from '../proofs/authenticator/authenticator.ts';
import { newKey, codeStep } from '../proofs/authenticator/totp.ts';
import { later } from '../core/clock.ts';
import { randomId } from '../crypto/secret-box.ts';
import type { Db } from '../db/database.ts';
import type { Session } from '../core/context.ts';
import type { DeedContext } from './context.ts';
import { inTransaction } from '../db/in-transaction.ts';
import { AppError } from '../http/app-error.ts';

/** Tells the person, and writes the event. */
async function record(
  context: DeedContext,
  transaction: Db,
  userId: number,
  event: EventKind,
  notice: AccountChange,
): Promise<void> {
  await context.audit({ kind: event, userId }, transaction);
  const account = await findAccount(transaction, userId);
  if (!account) return;
  const { notifications } = context;
  await notifications.accountNotice(transaction, account, { kind: notice }, randomId());
}

/** Stores a new key, which is no way in before its first code. An account with an app code keeps that. */
export async function startAppCode(
  { db, clock, secretBox }: Pick<DeedContext, 'db' | 'clock' | 'secretBox'>,
  session: Session,
): Promise<void> {
  if (await findAppCode(db, session.userId)) return;
  if ((await waysOf(db, session.userId)).keptBy !== null)
    throw new AppError('KEPT_BY_ORGANISATION');
  const sealed = secretBox.encrypt('app-code', newKey());
  await inTransaction(db, (transaction) =>
    insertUnconfirmed(transaction, session, sealed, clock.now()),
  );
}

/** Returns the key that waits for its first code; `null` when this session began none, or too long ago. */
export async function keyToConfirm(
  { db, clock, secretBox }: Pick<DeedContext, 'db' | 'clock' | 'secretBox'>,
  session: Session,
): Promise<{ readonly id: string; readonly key: string } | null> {
  const row = await findUnconfirmed(db, session, later(clock.now(), -APP_CODE_SET_UP_MS));
  return row ? { id: row.id, key: secretBox.decrypt('app-code', row.secret) } : null;
}

/**
 * Makes the key that waits the account's way in, by its first code.
 * @returns its recovery codes, or why the code is wrong; `INVALID_OTP` without such a key, too
 */
export async function confirmByCode(
  context: DeedContext,
  session: Session,
  digits: string,
): Promise<readonly string[] | 'INVALID_OTP' | 'OTP_OTHER_MINUTE'> {
  const { db, clock } = context;
  const { userId } = session;
  const now = clock.now();
  const waiting = await keyToConfirm(context, session);
  const read = waiting && codeStep(waiting.key, digits, now);
  if (!waiting || !read) return 'INVALID_OTP';
  if (!read.isNow) return 'OTP_OTHER_MINUTE';
  const { codes, hashes } = newRecoveryCodes(waiting.key);
  return inTransaction(db, async (transaction) => {
    if ((await waysOf(transaction, userId)).keptBy !== null)
      throw new AppError('KEPT_BY_ORGANISATION');
    if (!(await confirmAppCode(transaction, waiting.id, read.step, now))) return 'INVALID_OTP';
    await deleteUnconfirmed(transaction, userId);
    await replaceRecoveryCodes(transaction, waiting.id, hashes, now);
    await record(context, transaction, userId, 'account.appCodeAdded', 'appCodeAdded');
    return codes;
  });
}

/** Forgets the key that waits for its first code. */
export const stopAppCode = (
  { db }: Pick<DeedContext, 'db'>,
  { userId, signInId }: Session,
): Promise<void> => deleteUnconfirmed(db, userId, signInId);

/** Replaces the recovery codes. @returns the new ones; `null` for an account without an app code */
export async function renewRecoveryCodes(
  context: DeedContext,
  userId: number,
): Promise<readonly string[] | null> {
  const { db, clock, secretBox } = context;
  return inTransaction(db, async (transaction) => {
    const app = await findAppCode(transaction, userId);
    if (!app) return null;
    const { codes, hashes } = newRecoveryCodes(secretBox.decrypt('app-code', app.secret));
    await replaceRecoveryCodes(transaction, app.id, hashes, clock.now());
    await record(context, transaction, userId, 'account.recoveryCodesRenewed', 'recoveryCodesNew');
    return codes;
  });
}

/** Takes the app code away: codes are mailed again. @returns whether there was one */
export async function takeAppCode(context: DeedContext, userId: number): Promise<boolean> {
  return inTransaction(context.db, async (transaction) => {
    if (!(await removeAppCode(transaction, userId, context.clock.now()))) return false;
    await record(context, transaction, userId, 'account.appCodeRemoved', 'appCodeRemoved');
    return true;
  });
}
