/** Accounts that an operator hands over to the directory of their organisation (FED-11). */

import { canonicalEmail } from '#domain/typed/validation.ts';
import { fill } from '#locales/fill.ts';
import { organisationCommand as texts } from '#locales/operator/organisation-command.ts';
import { type Account, lockAccount } from '../accounts/account-store.ts';
import { openChanges } from '../accounts/contact-changes.ts';
import { linkOf, type OrganisationLink, updateLink } from '../accounts/organisation-links.ts';
import type { DeedContext } from '../access/context.ts';
import { lockInSession } from '../access/freshness.ts';
import { endAllAccess } from '../access/sessions.ts';
import { removeOwnWays } from '../people/people.ts';
import { OperatorError } from '../config/operator-error.ts';
import { inTransaction } from '../db/in-transaction.ts';
import { idsOf, type Me } from '../forms/account-page.ts';
import { AppError } from '../http/app-error.ts';
import { possibleFor } from './possible-organisation.ts';

/**
 * Returns the link of an account that may be handed over: its address proven, the entry's roles alone. Asked at each step.
 */
export async function linkToHandOver(
  context: Pick<DeedContext, 'db' | 'clock' | 'config'>,
  { id, status, email_proven_at: provenAt }: Account,
): Promise<OrganisationLink | null> {
  const link = await linkOf(context.db, id);
  if (!link || link.scim_id !== null || link.off_at !== null) return null;
  if (status !== 'active' || provenAt === null) return null;
  // An undo would bring back ways in that end here.
  if ((await openChanges(context.db, id, context.clock.now())).length > 0) return null;
  const possible = await possibleFor(context, id);
  return possible?.id === link.organisation_id ? link : null;
}

/** Offers an account to the directory of its organisation; its person agrees in My account. @throws OperatorError */
export const offerHandOver = (
  context: DeedContext,
  { id: userId, email }: Account,
): Promise<void> =>
  inTransaction(context.db, async (db) => {
    const account = await lockAccount(db, userId);
    const link = account && (await linkToHandOver({ ...context, db }, account));
    if (!link) throw new OperatorError(fill(texts.noHandOver, { email }));
    await updateLink(db, userId, { offered_at: context.clock.now(), agreed_at: null });
    const details = { organisationId: link.organisation_id };
    await context.audit({ kind: 'organisation.offered', userId, details }, db);
  });

/** Takes the person's yes. @throws AppError NO_SESSION for an account that is not offered, or no longer may be */
export async function agreeToHandOver(context: DeedContext, me: Me): Promise<void> {
  const { db, clock } = context;
  const account = await lockInSession(db, idsOf(me));
  const link = await linkToHandOver(context, account);
  if (!link?.offered_at) throw new AppError('NO_SESSION');
  await updateLink(db, account.id, { agreed_at: clock.now() });
  const details = { organisationId: link.organisation_id };
  await context.audit({ kind: 'organisation.agreed', userId: account.id, details }, db);
}

/**
 * Gives an account to the directory that names its person and its address: from now on the organisation's sign-in is the
 * only way in.
 * @returns whether it was handed over
 */
export async function adopt(context: DeedContext, userId: number, email: string): Promise<boolean> {
  const { db, clock } = context;
  const account = await lockAccount(db, userId);
  if (!account || canonicalEmail(account.email) !== canonicalEmail(email)) return false;
  if (!(await linkToHandOver(context, account))?.agreed_at) return false;
  await removeOwnWays(db, userId, clock.now());
  await endAllAccess(context, db, userId);
  return true;
}
