import { sql } from 'kysely';
import type { Outcome } from '#domain/help-desk/outcome.ts';
import type { RoleId } from '#domain/people/roles.ts';
import { readSearch } from '#domain/typed/search.ts';
import { spellingsOf } from '../accounts/addresses.ts';
import {
  type Account,
  findActiveAccount,
  findRoleIds,
  grantRoles,
  insertAccounts,
  lockAccountByEmail,
  newAccountId,
  updateAccount,
  accountRecipient,
  ROLE_IDS,
} from '../accounts/account-store.ts';
import { countRecoveryCodes, findAppCode } from '../proofs/authenticator/app-code-store.ts';
import { linkOf, updateLink, waysOf } from '../accounts/organisation-links.ts';
import { hadAddress, isReserved } from '../accounts/contact-changes.ts';
import { moveToNewAccount } from '../accounts/proven-contacts.ts';
import { endResetLinks, insertResetLink } from '../accounts/reset-links.ts';
import type { DeedContext } from '../access/context.ts';
import { inTransaction } from '../db/in-transaction.ts';
import { AppError } from '../http/app-error.ts';
import { stopChange } from '../contacts/staff-changes.ts';
import { endHelpOfAccount } from '../helpers/helpers.ts';
import { beginClosing } from './close-account.ts';
import { settleLinkAfter } from './settle-link.ts';
import { keepOperator } from '../access/last-operator.ts';
import { removeKeysAndApps } from '../access/ways-in.ts';
import type { Db } from '../db/database.ts';
import { endAllAccess } from '../access/sessions.ts';
import { wholeNumber } from '../accounts/phone-text.ts';

/* What an operator does with accounts: each is one transaction, with its event in the audit log. */

type Context = Pick<DeedContext, 'db' | 'clock' | 'config' | 'audit'>;

export type NewPerson = {
  readonly email: string;
  readonly firstName: string;
  readonly lastName: string;
  /** With its dial code; '' for none: codes go by mail then. */
  readonly phone: string;
  readonly roleIds: readonly RoleId[];
  readonly subtenantId: number;
};

/** Removes password, keys and app codes of an account: its organisation's sign-in is the only way in. */
export async function removeOwnWays(db: Db, userId: number, now: Date): Promise<void> {
  await removeKeysAndApps(db, userId, now);
  await updateAccount(db, userId, { password_hash: null });
}

/**
 * Adds an active account without a password. The person sets one by the mail of 'Forgot Password?', which proves the
 * address; until then no sign-in is possible.
 * @param isOverPending a sign-up that waits for its code leaves the address, and its form can no longer prove it
 * @param by the staff member who gives the roles
 * @returns `null` when the address has an account
 */
export async function addAccount(
  { db, clock, audit }: Context,
  person: NewPerson,
  options: {
    readonly id?: number;
    readonly isOverPending?: boolean;
    readonly by?: number | null;
  } = {},
): Promise<Account | null> {
  const { id = newAccountId(), isOverPending = false, by = null } = options;
  const now = clock.now();
  const { email, firstName, lastName, phone, roleIds, subtenantId } = person;
  return inTransaction(db, async (transaction) => {
    const row = {
      id,
      email,
      first_name: firstName,
      last_name: lastName,
      // A full phone number; it does not say where the dial code ends.
      dial_code: '',
      mobile: phone,
      subtenant_id: subtenantId,
      status: 'active',
      created_at: now,
      activated_at: now,
    } as const;
    const waiting = isOverPending ? await lockAccountByEmail(transaction, email) : undefined;
    // One with a password was made by a program, which knows it by its id.
    const isFree = waiting?.status === 'pending' && waiting.password_hash === null;
    const moved = isFree ? await moveToNewAccount(transaction, waiting, id) : undefined;
    if (moved && (await isReserved(transaction, email, moved.id, now))) return null;
    if (moved) await updateAccount(transaction, moved.id, row);
    const account = moved ? { ...moved, ...row } : (await insertAccounts(transaction, [row]))[0];
    if (!account) return null;
    await grantRoles(transaction, account.id, roleIds, { by, at: now });
    const details = { subtenantId, roles: roleIds };
    await audit({ kind: 'account.added', userId: account.id, details }, transaction);
    return account;
  });
}

/** Adds an account as `addAccount` does, and invites its person. @returns `null` when the address has one */
export async function inviteNew(context: DeedContext, person: NewPerson): Promise<Account | null> {
  const account = await addAccount(context, person);
  if (account) await invite(context, account);
  return account;
}

/** Queues a mail whose link sets the first password; the links of earlier mails end. @throws AppError KEPT_BY_ORGANISATION */
export const invite = (context: DeedContext, account: Account): Promise<Outcome> =>
  mailLink(context, account, 'invitation');

/** Queues a mail whose link sets a new password; the links of earlier mails end. @throws AppError KEPT_BY_ORGANISATION */
export const mailReset = (context: DeedContext, account: Account): Promise<Outcome> =>
  mailLink(context, account, 'resetLink');

async function mailLink(
  context: DeedContext,
  account: Account,
  mail: 'invitation' | 'resetLink',
): Promise<Outcome> {
  const { clock, config, audit, notifications } = context;
  const { invitationMs, resetLinkMs } = config.timers;
  const lifeMs = mail === 'invitation' ? invitationMs : resetLinkMs;
  const now = clock.now();
  await inTransaction(context.db, async (db) => {
    if ((await waysOf(db, account.id)).keptBy !== null) throw new AppError('KEPT_BY_ORGANISATION');
    await endResetLinks(db, account.id, now);
    // An operator vouches for the person (decision 170).
    const { id, key } = await insertResetLink(db, account, { now, lifeMs, olderProofAt: now });
    const url = `${config.publicUrl}/account/resetPassword?resetLinkKey=${key}`;
    await notifications[mail](db, accountRecipient(account), url, id);
    const kind = mail === 'invitation' ? 'account.invited' : 'account.resetMailed';
    await audit({ kind, userId: account.id }, db);
  });
  return 'done';
}

/**
 * Gives and takes roles of an account. A running sign-in uses them at its next step.
 * @throws AppError LAST_OPERATOR
 */
export async function changeRoles(
  context: DeedContext,
  id: number,
  change: {
    readonly give: readonly RoleId[];
    readonly take: readonly RoleId[];
    /** The staff member who does it; `null`: the command line, or a directory. */
    readonly by?: number | null;
  },
): Promise<Outcome> {
  const { give, take, by = null } = change;
  return take.length > 0 ? keepOperator(context, work) : inTransaction(context.db, work);

  async function work(transaction: Db): Promise<Outcome> {
    const own = { ...context, db: transaction };
    const details = await settleLinkAfter(own, id, async () => {
      const given = await grantRoles(transaction, id, give, { by, at: context.clock.now() });
      const taken = await takeRoles(transaction, id, take);
      return given.length + taken.length > 0 ? { given, taken } : null;
    });
    if (!details) return 'already';
    await context.audit({ kind: 'account.rolesChanged', userId: id, details }, transaction);
    return 'done';
  }
}

/** Takes roles of an account. @returns those that it had */
async function takeRoles(transaction: Db, id: number, roleIds: readonly RoleId[]) {
  if (roleIds.length === 0) return [];
  const taken = await transaction
    .deleteFrom('user_roles')
    .where('user_id', '=', id)
    .where('role_id', 'in', roleIds)
    .returning('role_id')
    .execute();
  return taken.map((row) => row.role_id);
}

/**
 * Suspends an account, with all of its sessions, codes and links (PRF-09), or resumes it. A closing pauses meanwhile:
 * its seven days begin again. The person cannot stop a change by staff meanwhile, so the suspension stops it.
 * @returns `already` for an unfinished sign-up, too
 * @throws AppError LAST_OPERATOR, OFF_BY_ORGANISATION
 */
export const setSuspended = (
  context: DeedContext,
  id: number,
  isSuspended: boolean,
): Promise<Outcome> =>
  keepOperator(context, async (transaction) => {
    if (!isSuspended && (await linkOf(transaction, id))?.off_at) {
      throw new AppError('OFF_BY_ORGANISATION');
    }
    return switchAccount(context, transaction, id, isSuspended);
  });

/**
 * Suspends or resumes an account as the directory of its organisation asks, and marks its link (FED-07). Resuming undoes
 * the directory's own doing alone: whom staff had switched off before stays so.
 * @throws AppError LAST_OPERATOR
 */
export const setOffByDirectory = (
  context: DeedContext,
  id: number,
  isOff: boolean,
): Promise<Outcome> =>
  keepOperator(context, async (transaction) => {
    const link = await linkOf(transaction, id);
    if (!link || isOff === (link.off_at !== null)) return 'already';
    const staysOff = !isOff && link.is_off_by_staff;
    const outcome = staysOff ? 'already' : await switchAccount(context, transaction, id, isOff);
    await updateLink(transaction, id, {
      off_at: isOff ? context.clock.now() : null,
      is_off_by_staff: isOff && outcome === 'already',
    });
    return outcome;
  });

async function switchAccount(
  context: DeedContext,
  transaction: Db,
  id: number,
  isSuspended: boolean,
): Promise<Outcome> {
  const [from, to] = isSuspended
    ? (['active', 'inactive'] as const)
    : (['inactive', 'active'] as const);
  const changed = await transaction
    .updateTable('users')
    .set({ status: to })
    .where('id', '=', id)
    .where('status', '=', from)
    .returningAll()
    .executeTakeFirst();
  if (!changed) return 'already';
  if (changed.closing_at !== null && !isSuspended) {
    await beginClosing(context, transaction, changed);
  }
  // The hosted login reads the account at each use; this ends what it would keep meanwhile.
  if (isSuspended) {
    await endAllAccess(context, transaction, id);
    await endHelpOfAccount(context, transaction, id);
    await stopChange({ ...context, db: transaction }, id);
  }
  const kind = isSuspended ? 'account.suspended' : 'account.resumed';
  await context.audit({ kind, userId: id }, transaction);
  return 'done';
}

type Choice = {
  /** Part of a name or an address, or of the digits of a number; `null`: any. */
  readonly text: string | null;
  /** Accounts with one of these; none: all. */
  readonly roleIds: readonly RoleId[];
  readonly subtenantId: number | null;
  readonly status: Account['status'] | null;
  readonly most: number;
};

/** Returns the newest accounts first, without decoy rows. */
export async function listAccounts(
  { db, clock }: Pick<Context, 'db' | 'clock'>,
  { text, roleIds, subtenantId, status, most }: Choice,
) {
  const patterns = text === null ? [] : addressesIn(text).map(partOf);
  const had = hadAddress(patterns, clock.now());
  const rows = await db
    .selectFrom('users')
    .selectAll('users')
    .select([
      sql<number[]>`${sql.raw(ROLE_IDS)}`.as('roles'),
      sql<string | null>`(
        select min(old_email) from contact_changes where user_id = users.id and ${had}
      )`.as('oldEmail'),
    ])
    .where('shadow_of', 'is', null)
    .$if(text !== null, (query) => query.where(isLike(text ?? '', patterns, clock.now())))
    .$if(subtenantId !== null, (query) => query.where('subtenant_id', '=', subtenantId ?? 0))
    .$if(status !== null, (query) => query.where('status', '=', status ?? 'active'))
    .$if(roleIds.length > 0, (query) =>
      query.where('id', 'in', (eb) =>
        eb.selectFrom('user_roles').select('user_id').where('role_id', 'in', roleIds),
      ),
    )
    .orderBy('created_at', 'desc')
    .orderBy('id')
    .limit(most)
    .execute();
  return rows.map(({ id, email, first_name, last_name, roles, oldEmail, ...row }) => ({
    id,
    email,
    name: `${first_name} ${last_name}`,
    status: row.status,
    subtenantId: row.subtenant_id,
    roles,
    // The address that was looked for, if it was changed within 72 hours.
    ...(oldEmail !== null && { oldEmail }),
  }));
}

const partOf = (found: string) => `%${found.replaceAll(/[\\%_]/g, '\\$&')}%`;

/** Returns a text as a part of stored addresses: a domain may be stored in letters or in A-labels. */
const addressesIn = (text: string): readonly string[] =>
  text.includes('@')
    ? [text.toLowerCase(), ...spellingsOf(text)]
    : [text.toLowerCase(), ...spellingsOf(`@${text}`).map((spelling) => spelling.slice(1))];

/** Matches rows of `users` with a text in name, address or number, or in a previous address. */
function isLike(text: string, addresses: readonly string[], now: Date) {
  const { number, words } = readSearch(text);
  const begins = words.map((word) => sql`words like ${`% ${word}%`}`);
  return sql<boolean>`(
    lower(first_name || ' ' || last_name) like ${partOf(text.toLowerCase())}
    or lower(email) like any (${[...addresses]}::text[])
    or email_canonical like any (${[...addresses]}::text[])
    or id in (select user_id from contact_changes where ${hadAddress(addresses, now)})
    ${begins.length > 0 ? sql`or id in (select user_id from name_keys where ${sql.join(begins, sql` and `)})` : sql``}
    ${number === null ? sql`` : sql`or regexp_replace(dial_code || mobile, '\\D', '', 'g') like ${partOf(number)}`}
  )`;
}

/** Returns an operator's summary of an account. */
export async function describeAccount({ db }: Context, account: Account): Promise<object> {
  const roles = await findRoleIds(db, account.id);
  const active = await findActiveAccount(db, account.id);
  const app = await findAppCode(db, account.id);
  return {
    id: account.id,
    email: account.email,
    name: `${account.first_name} ${account.last_name}`,
    phone: wholeNumber(account),
    status: account.status,
    canSignIn: active !== null && account.password_hash !== null,
    subtenantId: account.subtenant_id,
    roles,
    createdAt: account.created_at,
    activatedAt: account.activated_at,
    firstSignedInAt: account.first_signed_in_at,
    emailProvenAt: account.email_proven_at,
    phoneProvenAt: account.phone_proven_at,
    appCode: app
      ? { addedAt: app.added_at, recoveryCodesLeft: await countRecoveryCodes(db, app.id) }
      : null,
    trialEndsAt: account.trial_ends_at,
  };
}
