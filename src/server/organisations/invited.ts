/** The link of a new account, made in the visit that opened its invitation (ORG-12, HOU-11). */

import { AppError } from '../http/app-error.ts';
import { acceptInvitation, type OpenInvitation, openInvitation } from '../people/invitations.ts';
import { type Account, lockAccount } from '../accounts/account-store.ts';
import { linkOf } from '../accounts/organisation-links.ts';
import { endResetLinks } from '../accounts/reset-links.ts';
import { isChangeAgreed } from '../accounts/staff-change-store.ts';
import type { DeedContext, FullContext } from '../access/context.ts';
import type { ServerContext } from '../core/context.ts';
import type { Db } from '../db/database.ts';
import type { Visit } from '../http/visit-cookie.ts';
import type { Organisation } from './organisation-store.ts';
import { makeLink } from './own-link.ts';
import { possibleFor, possibleOf } from './possible-organisation.ts';
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

/** Returns the organisation by which the person of an invitation that is no account yet could come in; `null` for none. */
export const organisationOfNew = (
  context: Context,
  { subtenant_id, role_id }: Pick<OpenInvitation, 'subtenant_id' | 'role_id'>,
): Promise<Organisation | null> =>
  possibleOf(context, { id: 0, subtenant_id, roleIds: [role_id], administers: null });

/** Marks a start that is about an invitation without an account, by its id. */
const NEW = 'new:';

/**
 * Returns the organisation of an open invitation, and what its sign-in over there is about; `null` for none.
 * @param typed the key of an invitation's link, or the handle of a mailed link that sets a first password
 */
export async function startOfInvitation(context: Context, typed: string, visit: Visit) {
  const invitation = await openInvitation(context, { key: typed });
  const about = invitation ? `${NEW}${invitation.id}` : typed;
  const organisation = await (invitation
    ? organisationOfNew(context, invitation)
    : organisationOfInvitation(context, typed, visit));
  return organisation && { organisation, about };
}

/**
 * Links the account of an open invitation to an answered person, and ends the invitation.
 * @returns whether it did; no, where the invitation ended meanwhile
 * @throws AppError LINK_TAKEN for a person or an account that cannot be linked
 */
export async function linkInvited(
  context: FullContext,
  organisation: Organisation,
  person: UpstreamPerson,
  { about, visit }: { readonly about: string; readonly visit: Visit },
): Promise<boolean> {
  const link = async (own: DeedContext, account: Account) => {
    const possible = await possibleFor(own, account.id);
    const who = { ...person, madeBy: 'invitation' } as const;
    const isLinked =
      possible?.id === organisation.id && (await makeLink(own, account, organisation, who));
    // Takes a new account back.
    if (!isLinked) throw new AppError('LINK_TAKEN');
  };
  if (about.startsWith(NEW)) {
    const id = Number(about.slice(NEW.length));
    if (!(await acceptInvitation(context, { id }, link))) return false;
  } else {
    const now = context.clock.now();
    await context.db.transaction().execute(async (db) => {
      const found = await invitedAccount(db, about, visit, now);
      const account = found && (await lockAccount(db, found.id));
      // Read again: of two answers at once one finds the invitation used.
      const isOpen = account && (await invitedAccount(db, about, visit, now));
      if (!isOpen || (await isChangeAgreed(db, account.id, now))) throw new AppError('LINK_TAKEN');
      await link({ ...context, db }, account);
      await endResetLinks(db, account.id, now);
    });
  }
  context.outbox.wake();
  return true;
}
