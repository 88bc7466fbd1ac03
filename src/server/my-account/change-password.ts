import { endRecovery } from '../accounts/contact-changes.ts';
import { waysOf } from '../accounts/organisation-links.ts';
import { closeOtps } from '../accounts/registration-store.ts';
import { endResetLinks } from '../accounts/reset-links.ts';
import { randomId } from '../crypto/secret-box.ts';
import type { Db } from '../db/database.ts';
import type { Session } from '../core/context.ts';
import type { DeedContext } from '../access/context.ts';
import { lockInSession } from '../access/freshness.ts';
import { endOtherSessions } from '../access/sessions.ts';
import { AppError } from '../http/app-error.ts';

/**
 * Sets a person's new password, ends all other sessions, codes and links, and tells the person. It has no undo: its mail
 * leads to a reset.
 * @throws AppError NO_SESSION, KEPT_BY_ORGANISATION
 */
export async function changeOwnPassword(
  context: DeedContext,
  session: Session,
  setPassword: (transaction: Db) => Promise<void>,
): Promise<void> {
  const { userId, signInId } = session;
  await context.db.transaction().execute(async (db) => {
    const account = await lockInSession(db, session);
    if ((await waysOf(db, userId)).keptBy !== null) throw new AppError('KEPT_BY_ORGANISATION');
    await setPassword(db);
    // After an undo this session was begun by an older key: no password was left.
    await endRecovery(db, userId);
    await closeOtps(db, { user_id: userId }, context.clock.now());
    await endResetLinks(db, userId, context.clock.now());
    await endOtherSessions({ ...context, db }, userId, signInId);
    await context.audit({ kind: 'account.passwordChanged', userId }, db);
    const notice = { kind: 'passwordChanged' } as const;
    await context.notifications.accountNotice(db, account, notice, randomId());
  });
}
