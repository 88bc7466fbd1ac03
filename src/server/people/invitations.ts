/** Invitations: rows that are no accounts. The account begins when the invited person answers (HOU-11). */

import { type Selectable, sql } from 'kysely';
import { consoleRoleOf, type ConsoleStaff } from '#domain/help-desk/console-rights.ts';
import { mayInvite } from '#domain/help-desk/console-verbs.ts';
import { isRoleId, type RoleId } from '#domain/people/roles.ts';
import { DAY_MS } from '#domain/text/duration.ts';
import { canonicalEmail } from '#domain/typed/validation.ts';
import {
  type Account,
  consolePersonOf,
  findAccountByEmail,
  findActiveAccount,
  lockAccountByEmail,
  newAccountId,
  shownNameOf,
} from '../accounts/account-store.ts';
import { isReserved } from '../accounts/contact-changes.ts';
import { isProvenByPhoneAlone, recordMailRead } from '../accounts/proven-contacts.ts';
import { deleteUnproven } from '../accounts/account-changes.ts';
import { endAllAccess } from '../access/sessions.ts';
import type { DeedContext } from '../access/context.ts';
import { later } from '../core/clock.ts';
import { hashToken, randomId, randomToken } from '../crypto/secret-box.ts';
import type { Db } from '../db/database.ts';
import type { Tables } from '../db/schema.ts';
import { plainName } from '../notifications/greeting.ts';
import { houseRolesOf } from './house.ts';
import { addAccount } from './people.ts';

export const INVITATION_MS = 7 * DAY_MS;
/** Invitations of a house that wait for an answer. */
const MOST_WAITING = 200;

export type Invitation = Selectable<Tables['invitations']>;

/** An invitation whose link works, with its sender. */
export type OpenInvitation = Omit<Invitation, 'role_id'> & {
  readonly role_id: RoleId;
  /** The name of the house: that of an address is a hint, which any link sets. */
  readonly house: string;
  readonly sender: ConsoleStaff & { readonly name: string };
};

/** The person of an invitation, and what for. */
export type Invited = {
  readonly email: string;
  readonly firstName: string;
  readonly lastName: string;
  readonly roleId: RoleId;
};

/** By the key of its link; by its id for a browser that has opened the link. */
export type InvitationRef = { readonly key: string } | { readonly id: number };

type Context = Pick<DeedContext, 'db' | 'clock' | 'config'>;

/** Returns the staff member of an account, with today's rights; `null` without console rights. */
export async function senderOf({ db, config }: Context, id: number) {
  const account = await findActiveAccount(db, id);
  const person = account && consolePersonOf(account);
  const role = person && consoleRoleOf(person, config.console);
  if (!role) return null;
  const isHouse = role === 'administrator';
  const houseRoles = isHouse ? await houseRolesOf(db, person.subtenantId) : [];
  return { ...person, role, houseRoles, name: plainName(shownNameOf(account)) };
}

/**
 * Keeps account, right and house of a sender as they are until the end of a transaction. In this order, and before rows
 * of `invitations` are touched: a move and a closing hold the account, then end the right, which deletes such rows.
 */
export async function holdSender(db: Db, id: number, house: number): Promise<void> {
  await sql`select from users where id = ${id} for share`.execute(db);
  await sql`select from house_administrators where user_id = ${id} for share`.execute(db);
  await sql`select from subtenants where id = ${house} for no key update`.execute(db);
}

/** Returns whether an address has an account anywhere. One whose mailbox was never proven, or a sign-up, is none. */
async function isTaken(db: Db, email: string, now: Date): Promise<boolean> {
  const account = await findAccountByEmail(db, email);
  const isWaiting = account?.status === 'pending' && account.password_hash === null;
  if (account && !isWaiting && !isProvenByPhoneAlone(account)) return true;
  return isReserved(db, email, account?.id ?? null, now);
}

/** Returns the invitations of a house, or of all, that wait for an answer; the newest first. */
export const waitingInvitations = ({ db, clock }: Context, house: number | null) =>
  db
    .selectFrom('invitations')
    .innerJoin('users as sender', 'sender.id', 'invitations.sent_by')
    .selectAll('invitations')
    .select(['sender.first_name as senderFirst', 'sender.last_name as senderLast'])
    .where('expires_at', '>', clock.now())
    .where('answer', 'is', null)
    .$if(house !== null, (query) => query.where('invitations.subtenant_id', '=', house ?? 0))
    .orderBy('sent_at', 'desc')
    .orderBy('invitations.id', 'desc')
    .execute();

/**
 * Invites a person to the sender's house, in a transaction of the caller. An earlier invitation of the address to this
 * house ends. An address with an account gets a mail that says so: to the sender all is as for a new one.
 * @returns false when too many invitations of the house wait
 */
export async function sendInvitation(
  { db, clock, config, audit, notifications }: DeedContext,
  sender: ConsoleStaff & { readonly name: string },
  { email, firstName, lastName, roleId }: Invited,
): Promise<boolean> {
  const now = clock.now();
  const { id: sent_by, subtenantId: subtenant_id } = sender;
  await holdSender(db, sent_by, subtenant_id);
  const email_canonical = canonicalEmail(email);
  const { count } = await db
    .selectFrom('invitations')
    .select((eb) => eb.fn.countAll<string>().as('count'))
    .where('subtenant_id', '=', subtenant_id)
    .where('email_canonical', '<>', email_canonical)
    .where('expires_at', '>', now)
    .where('answer', 'is', null)
    .executeTakeFirstOrThrow();
  if (Number(count) >= MOST_WAITING) return false;
  const key = randomToken();
  const isNew = !(await isTaken(db, email, now));
  const until = later(now, INVITATION_MS);
  const row = {
    sent_by,
    email,
    first_name: firstName,
    last_name: lastName,
    role_id: roleId,
    key_hash: isNew ? hashToken(key) : null,
    sent_at: now,
    expires_at: until,
    answer: null,
  };
  await db
    .insertInto('invitations')
    .values({ ...row, id: newAccountId(), subtenant_id, email_canonical })
    .onConflict((conflict) =>
      conflict.columns(['subtenant_id', 'email_canonical']).doUpdateSet(row),
    )
    .execute();
  const to = { email, firstName, subtenantId: subtenant_id };
  const link = `${config.publicUrl}/account/invitation?key=${key}&subtenantId=${subtenant_id}`;
  const invited = { by: plainName(sender.name), role: roleId, until, link };
  await (isNew
    ? notifications.invited(db, to, invited, randomId())
    : notifications.invitedTaken(db, to, randomId()));
  const details = { subtenantId: subtenant_id, roles: [roleId] };
  await audit({ kind: 'invitation.sent', details }, db);
  return true;
}

/** Takes an invitation back, if it waits. */
export async function withdrawInvitation(
  { db, audit }: Pick<DeedContext, 'db' | 'audit'>,
  { id, subtenant_id: subtenantId, role_id }: Pick<Invitation, 'id' | 'subtenant_id' | 'role_id'>,
): Promise<void> {
  const { numDeletedRows } = await db
    .deleteFrom('invitations')
    .where('id', '=', id)
    .where('answer', 'is', null)
    .executeTakeFirst();
  const details = { subtenantId, roles: [role_id] };
  if (numDeletedRows > 0n) await audit({ kind: 'invitation.withdrawn', details }, db);
}

/** Stores the answer to an invitation. @returns whether it waited for one */
async function answer(db: Db, id: number, answer: 'accepted' | 'declined'): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('invitations')
    .set({ answer })
    .where('id', '=', id)
    .where('answer', 'is', null)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

/** Ends an invitation whose person does not know the sender. @returns whether it waited */
export async function declineInvitation(
  { db, audit }: Pick<DeedContext, 'db' | 'audit'>,
  { id, subtenant_id: subtenantId, role_id, sent_by: sentBy }: Invitation,
): Promise<boolean> {
  if (!(await answer(db, id, 'declined'))) return false;
  const details = { subtenantId, roles: [role_id], sentBy };
  await audit({ kind: 'invitation.declined', details }, db);
  return true;
}

/** Returns how the invitation of a link was answered; `null`: not at all, or it is over. */
export async function answerOf({ db, clock }: Context, key: string) {
  const row = await db
    .selectFrom('invitations')
    .select('answer')
    .where('key_hash', '=', hashToken(key))
    .where('expires_at', '>', clock.now())
    .executeTakeFirst();
  return row?.answer ?? null;
}

/**
 * Returns the invitation of a link; `null` when its time is over, its house is closed, its sender may no longer send it,
 * or its address has an account.
 */
export async function openInvitation(
  context: Context,
  of: InvitationRef,
  isLocked = false,
): Promise<OpenInvitation | null> {
  const { db, clock, config } = context;
  const row = await db
    .selectFrom('invitations')
    .innerJoin('subtenants', 'subtenants.id', 'invitations.subtenant_id')
    .selectAll('invitations')
    .select('subtenants.name as house')
    .where((eb) =>
      'key' in of ? eb('key_hash', '=', hashToken(of.key)) : eb('invitations.id', '=', of.id),
    )
    .where('key_hash', 'is not', null)
    .where('answer', 'is', null)
    .where('expires_at', '>', clock.now())
    .where('is_active', '=', true)
    .$if(isLocked, (query) => query.forUpdate('invitations'))
    .executeTakeFirst();
  if (!row || !isRoleId(row.role_id)) return null;
  const { role_id } = row;
  const sender = await senderOf(context, row.sent_by);
  if (sender?.subtenantId !== row.subtenant_id || !mayInvite(sender, role_id, config.console)) {
    return null;
  }
  return (await isTaken(db, row.email, clock.now())) ? null : { ...row, role_id, sender };
}

/**
 * Begins the account of an invitation: active, its mailbox proven by the link. `giveWay` gives its person a way in, in
 * the same transaction; when it throws, there is no account.
 * @param id of the account
 * @returns the account; `null` when the link no longer works
 */
export async function acceptInvitation(
  context: DeedContext,
  of: InvitationRef,
  giveWay: (context: DeedContext, account: Account) => Promise<void>,
  id = newAccountId(),
): Promise<Account | null> {
  const { db, clock } = context;
  const seen = await openInvitation(context, of);
  if (!seen) return null;
  return db.transaction().execute(async (transaction) => {
    const own = { ...context, db: transaction };
    await holdSender(transaction, seen.sent_by, seen.subtenant_id);
    // Before the invitation, as an erasure of the address does.
    const holder = await lockAccountByEmail(transaction, seen.email);
    const invitation = await openInvitation(own, of, true);
    if (!invitation) return null;
    if (holder && isProvenByPhoneAlone(holder)) {
      await endAllAccess(own, transaction, holder.id);
      await deleteUnproven(transaction, holder.id);
    }
    const { email, first_name: firstName, last_name: lastName } = invitation;
    const { role_id: role, subtenant_id: subtenantId, sent_by: by } = invitation;
    const account = await addAccount(
      own,
      { email, firstName, lastName, phone: '', roleIds: [role], subtenantId },
      { id, isOverPending: true, by },
    );
    if (!account) return null;
    await recordMailRead(transaction, account.id, { isPasswordKnown: true }, clock.now());
    await giveWay(own, account);
    await answer(transaction, invitation.id, 'accepted');
    return account;
  });
}
