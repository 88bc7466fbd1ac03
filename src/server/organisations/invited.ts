/** The link of a new account, made in the visit that opened its invitation (ORG-12). */

import { lockAccount } from '../accounts/account-store.ts';
import { linkOf } from '../accounts/organisation-links.ts';
import { endResetLinks } from '../accounts/reset-links.ts';
import { isChangeAgreed } from '../accounts/staff-change-store.ts';
import type { FullContext } from '../access/context.ts';
import type { ServerContext } from '../core/context.ts';
import type { Db } from '../db/database.ts';
import type { Visit } from '../http/visit-cookie.ts';
import type { Organisation } from './organisation-store.ts';
import { makeLink } from './own-link.ts';
import { possibleFor } from './possible-organisation.ts';
import type { UpstreamPerson } from './upstream.ts';

type Context = Pick<ServerContext, 'db' | 'clock' | 'config'>;

/** Returns the id of a new account whose invitation is open in a visit: it never had a password, or a sign-in. */
const invitedAccount = (db: Db, handle: string, visit: Visit, now: Date) =>
  db
    .selectFrom('reset_handles')
    .innerJoin('reset_links', 'reset_links.id', 'reset_handles.link_id')
    .innerJoin('users', 'users.id', 'reset_links.user_id')
    .select('users.id')
    .where('reset_handles.id', '=', handle)
    .where('reset_handles.visit_id', '=', visit.id)
    .where('reset_links.used_at', 'is', null)
    .where('reset_links.expires_at', '>', now)
    // An operator sent it.
    .where('reset_links.older_proof_at', 'is not', null)
    .where('users.status', '=', 'active')
    .where('users.password_hash', 'is', null)
    .where('users.first_signed_in_at', 'is', null)
    .executeTakeFirst();

/** Returns the organisation by which the person of an open invitation may come in; `null` for none. */
export async function organisationOfInvitation(
  context: Context,
  handle: string,
  visit: Visit,
): Promise<Organisation | null> {
  const { db, clock } = context;
  const account = await invitedAccount(db, handle, visit, clock.now());
  if (!account || (await linkOf(db, account.id))) return null;
  return possibleFor(context, account.id);
}

/** Links the account of an open invitation to an answered person, and ends the invitation. @returns whether it did */
export async function linkInvited(
  context: FullContext,
  organisation: Organisation,
  { subject, shownName }: UpstreamPerson,
  { handle, visit }: { readonly handle: string; readonly visit: Visit },
): Promise<boolean> {
  const now = context.clock.now();
  const isMade = await context.db.transaction().execute(async (db) => {
    const found = await invitedAccount(db, handle, visit, now);
    const account = found && (await lockAccount(db, found.id));
    // Read again: of two answers at once one finds the invitation used.
    if (!account || !(await invitedAccount(db, handle, visit, now))) return false;
    const own = { ...context, db };
    const possible = await possibleFor(own, account.id);
    if (possible?.id !== organisation.id || (await isChangeAgreed(db, account.id, now)))
      return false;
    const isLinked = await makeLink(own, account, organisation, {
      subject,
      shownName,
      madeBy: 'invitation',
    });
    if (isLinked) await endResetLinks(db, account.id, now);
    return isLinked;
  });
  if (isMade) context.outbox.wake();
  return isMade;
}
