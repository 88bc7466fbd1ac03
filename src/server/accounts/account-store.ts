import { randomInt } from 'node:crypto';
import { type Insertable, type Selectable, sql, type UpdateObject } from 'kysely';
import { SIGN_UP_PLATFORM } from '#domain/proofs/activation.ts';
import {
  type ConsoleGrant,
  type ConsoleRole,
  type ConsolePerson,
  consoleRoleOf,
} from '#domain/help-desk/console-rights.ts';
import { isRoleId, type RoleId } from '#domain/people/roles.ts';
import { canonicalEmail } from '#domain/typed/validation.ts';
import type { Db } from '../db/database.ts';
import type { PersonColumns, Tables } from '../db/schema.ts';
import { type LinkStanding, linkStanding } from './organisation-links.ts';
import { hasAddress, spellingsOf, takenInLetters } from './addresses.ts';

/** A row of `users`. */
export type Account = Selectable<Tables['users']>;

/** Columns that are read with an account. */
type Beside = {
  readonly roleIds: readonly number[];
  /** It signs in with an app's code in place of a mailed one. */
  readonly hasAppCode: boolean;
  /** Its link to an organisation that is on. */
  readonly organisation: LinkStanding | null;
  /** The house whose administrator it is. */
  readonly administers: number | null;
};
export type AccountBeside = Account & Beside;

/** An account that may sign in, with its roles. */
export type ActiveAccount = Omit<AccountBeside, 'roleIds'> & {
  readonly roleIds: readonly RoleId[];
};

/** Name and contacts of a person: the columns that forms and accounts share. */
export type PersonalData = Selectable<PersonColumns>;

/** The names of a person: forgotten when a stranger typed them, and refused in passwords. */
export const NAMES = ['first_name', 'last_name'] as const;
export const PERSONAL_DATA = ['email', 'dial_code', 'mobile', ...NAMES] as const;

type Row = Insertable<Tables['users']>;
type NewAccount = Insertable<PersonColumns> &
  Pick<Row, 'subtenant_id' | 'created_at'> &
  Partial<Omit<Row, 'email_canonical' | 'shadow_of'>>;

/** Returns a random id, so that ids do not disclose the number of accounts; below 2^53, so that JSON keeps it exact. */
export const newAccountId = (): number => randomInt(2 ** 31, 2 ** 47);

const accountIn = (db: Db) => db.selectFrom('users').selectAll('users');

/** Returns the account of an id. */
export async function findAccount(db: Db, id: number): Promise<Account | undefined> {
  return accountIn(db).where('id', '=', id).executeTakeFirst();
}

/** Returns the account of an address. */
export async function findAccountByEmail(db: Db, email: string): Promise<Account | undefined> {
  return accountIn(db).where(hasAddress(email)).executeTakeFirst();
}

/** Returns the account of an address with its roles and its link, whatever its status. */
export const readAccountByEmail = (db: Db, email: string): Promise<AccountBeside | undefined> =>
  accountIn(db).select(besideUser).where(hasAddress(email)).executeTakeFirst();

/** Sets columns of an account. */
export async function updateAccount(db: Db, id: number, change: UpdateObject<Tables, 'users'>) {
  await db.updateTable('users').set(change).where('id', '=', id).execute();
}

/** Keeps the language that a person chose. */
export const setLanguage = (db: Db, id: number, language: string): Promise<void> =>
  updateAccount(db, id, { language });

/** Keeps the language of a sign-up; an account that somebody has confirmed keeps its own. */
export async function setPendingLanguage(db: Db, id: number, language: string): Promise<void> {
  await db
    .updateTable('users')
    .set({ language })
    .where('id', '=', id)
    .where('status', '=', 'pending')
    .execute();
}

/** Returns the language that the owner of an address chose, or `null`. */
export async function accountLanguage(db: Db, email: string): Promise<string | null> {
  const row = await db
    .selectFrom('users')
    .select('language')
    .where(hasAddress(email))
    .executeTakeFirst();
  return row?.language ?? null;
}

/** The roles of a row of `users`, as a column. */
export const ROLE_IDS = `array(
  select role_id from user_roles where user_id = users.id order by role_id
)`;
/** Whether an account has an app code: `column` is that of its id. */
export const hasAppCode = (column: string) => sql<boolean>`exists (
  select 1 from app_codes where app_codes.user_id = ${sql.ref(column)}
  and app_codes.confirmed_at is not null and app_codes.removed_at is null)`;

/** The house whose administrator a row of `users` is. */
export const administers = sql<number | null>`(
  select subtenant_id from house_administrators where user_id = users.id)`;

/** The columns of `Beside` for a row of `users`. */
export const besideUser = [
  sql<number[]>`${sql.raw(ROLE_IDS)}`.as('roleIds'),
  hasAppCode('users.id').as('hasAppCode'),
  linkStanding.as('organisation'),
  administers.as('administers'),
] as const;

/** Returns an account that was read with its roles, if it may sign in. */
export function toActive(account: AccountBeside | null | undefined): ActiveAccount | null {
  if (account?.status !== 'active') return null;
  return { ...account, roleIds: account.roleIds.filter(isRoleId) };
}

type Standing = Pick<
  AccountBeside,
  'id' | 'subtenant_id' | 'roleIds' | 'organisation' | 'administers'
>;

/**
 * Returns whether an account comes in by its organisation's sign-in. Asked when it begins, and again wherever a session
 * is used: neither an operator nor an administrator of a house ever does (ORG-07).
 */
export const isByOrganisation = (account: Standing, grants: readonly ConsoleGrant[]): boolean => {
  if (account.organisation?.isAdmitted !== true) return false;
  const role = consoleRoleOf(consolePersonOf(account), grants);
  return role === null || role === 'helpDesk';
};

/** Returns the console role of a session: by an organisation, the entry has to open the console (ORG-07). */
export const consoleRoleIn = (
  account: Standing,
  { amr }: { readonly amr: readonly string[] },
  grants: readonly ConsoleGrant[],
): ConsoleRole | null =>
  amr.includes('fed') && !account.organisation?.opensConsole
    ? null
    : consoleRoleOf(consolePersonOf(account), grants);

/** Returns the part of an account that decides its console role. */
export const consolePersonOf = ({
  id,
  subtenant_id: subtenantId,
  roleIds,
  administers: house,
}: Omit<Standing, 'organisation'>): ConsolePerson => ({
  id,
  subtenantId,
  roleIds,
  administers: house,
});

/** Returns whether an account comes in by an organisation that is its only way in (ORG-09). */
export const isOnlyByOrganisation = (account: Standing, grants: readonly ConsoleGrant[]): boolean =>
  account.organisation?.isOnly === true && isByOrganisation(account, grants);

/** Does the same for an account that was read without its link. */
export async function isClosedToOthers(
  db: Db,
  id: number,
  grants: readonly ConsoleGrant[],
): Promise<boolean> {
  const account = await findActiveAccount(db, id);
  return account !== null && isOnlyByOrganisation(account, grants);
}

/** Returns whether an account may sign in by these factors. */
export const maySignInBy = (
  account: Standing,
  amr: readonly string[],
  grants: readonly ConsoleGrant[],
): boolean =>
  amr.includes('fed') ? isByOrganisation(account, grants) : !isOnlyByOrganisation(account, grants);

/** Returns an account with its roles and its link, whatever its status. */
export const readAccount = (db: Db, id: number): Promise<AccountBeside | undefined> =>
  accountIn(db).select(besideUser).where('id', '=', id).executeTakeFirst();

/** Returns the account with its roles, if it may sign in. */
export async function findActiveAccount(db: Db, id: number): Promise<ActiveAccount | null> {
  return toActive(
    await accountIn(db)
      .select(besideUser)
      .where('id', '=', id)
      .where('status', '=', 'active')
      .executeTakeFirst(),
  );
}

/** Reads an account and locks it for the rest of the transaction: other lockers wait. */
export async function lockAccount(transaction: Db, id: number): Promise<Account | undefined> {
  return accountIn(transaction).where('id', '=', id).forNoKeyUpdate().executeTakeFirst();
}

/** Does the same as `lockAccount`, by the address. */
export async function lockAccountByEmail(transaction: Db, email: string) {
  return accountIn(transaction).where(hasAddress(email)).forNoKeyUpdate().executeTakeFirst();
}

/**
 * Adds accounts, pending unless they say otherwise.
 * @returns the added ones: a taken address is skipped, and for an active account a reserved one
 */
export async function insertAccounts(db: Db, accounts: readonly NewAccount[]) {
  const rows = accounts.map((account) => ({
    ...account,
    email_canonical: canonicalEmail(account.email),
  }));
  const reserved = await reservedAmong(db, rows);
  const inLetters = await takenInLetters(
    db,
    rows.map((row) => row.email_canonical),
  );
  return insert(
    db,
    rows.filter(
      ({ status, email_canonical: address }) =>
        !inLetters.has(address) && (status !== 'active' || !reserved.has(address)),
    ),
  );
}

/** Returns the addresses that another account had in the last 72 hours, and may get back (decision 170). */
async function reservedAmong(
  db: Db,
  accounts: readonly Pick<Row, 'email_canonical' | 'created_at'>[],
): Promise<ReadonlySet<string>> {
  const [first] = accounts;
  if (!first) return new Set();
  const rows = await db
    .selectFrom('contact_changes')
    .select('old_email_canonical')
    .where(
      'old_email_canonical',
      'in',
      accounts.flatMap((each) => spellingsOf(each.email_canonical)),
    )
    .where('contact', '=', 'email')
    .where('changed_at', 'is not', null)
    .where('closed_at', 'is', null)
    .where('undo_until', '>', first.created_at)
    .execute();
  return new Set(rows.map((row) => canonicalEmail(row.old_email_canonical)));
}

/** Returns a value in place of the canonical address of such a row: no address has this form. */
export const standInName = (owner: number | string): string => `shadow:${owner}`;

/**
 * Returns the decoy row of `account`, locked: forms for its address wait there until a proof of ownership, or for ever
 * in enumeration `strict`. No address leads to it.
 */
export async function ensureStandIn(
  transaction: Db,
  account: Account,
  form: Insertable<PersonColumns> & Pick<Account, 'subtenant_id'>,
): Promise<Account> {
  const { id, created_at } = account;
  const email_canonical = standInName(id);
  await insert(transaction, [{ ...form, created_at, email_canonical, shadow_of: id }]);
  return accountIn(transaction)
    .where('shadow_of', '=', id)
    .forNoKeyUpdate()
    .executeTakeFirstOrThrow();
}

async function insert(
  db: Db,
  accounts: readonly (NewAccount & Pick<Row, 'email_canonical' | 'shadow_of'>)[],
): Promise<readonly Account[]> {
  if (accounts.length === 0) return [];
  return db
    .insertInto('users')
    .values(
      accounts.map((account) => ({
        id: newAccountId(),
        password_hash: null,
        status: 'pending',
        sign_up_platform: SIGN_UP_PLATFORM,
        activated_at: null,
        trial_ends_at: null,
        ...account,
      })),
    )
    .onConflict((conflict) => conflict.doNothing())
    .returningAll()
    .execute();
}

/**
 * Sets the password of an active account.
 * @returns `undefined` when there is none
 */
export async function setPasswordHash(db: Db, id: number, passwordHash: string) {
  return db
    .updateTable('users')
    .set({ password_hash: passwordHash })
    .where('id', '=', id)
    .where('status', '=', 'active')
    .returningAll()
    .executeTakeFirst();
}

/** Returns whether an account has a role. */
export async function hasRole(db: Db, accountId: number, roleId: number): Promise<boolean> {
  const row = await db
    .selectFrom('user_roles')
    .select('role_id')
    .where('user_id', '=', accountId)
    .where('role_id', '=', roleId)
    .executeTakeFirst();
  return row !== undefined;
}

/** Returns all roles of an account, whether it may sign in or not. */
export async function findRoleIds(db: Db, accountId: number): Promise<readonly RoleId[]> {
  const rows = await db
    .selectFrom('user_roles')
    .select('role_id')
    .where('user_id', '=', accountId)
    .orderBy('role_id')
    .execute();
  return rows.map(({ role_id: id }) => id).filter(isRoleId);
}

/** Adds roles. @param given the colleague who gives them, and when @returns those that the account did not have */
export async function grantRoles(
  db: Db,
  accountId: number,
  roleIds: readonly number[],
  given?: { readonly by: number | null; readonly at: Date },
): Promise<readonly number[]> {
  if (roleIds.length === 0) return [];
  const from = given && { given_by: given.by, given_at: given.at };
  const added = await db
    .insertInto('user_roles')
    .values(roleIds.map((role_id) => ({ user_id: accountId, role_id, ...from })))
    .onConflict((conflict) => conflict.doNothing())
    .returning('role_id')
    .execute();
  return added.map((row) => row.role_id);
}

/** Returns the name for pages and applications; the address, if there is no name. */
export function shownNameOf(account: Pick<Account, 'email' | 'first_name' | 'last_name'>): string {
  return `${account.first_name} ${account.last_name}`.trim() || account.email;
}

/** Returns the shown names of accounts, by their ids. */
export async function shownNamesOf(db: Db, ids: readonly number[]) {
  if (ids.length === 0) return new Map<number, string>();
  const unique = [...new Set(ids)];
  const rows = await db.selectFrom('users').selectAll().where('id', 'in', unique).execute();
  return new Map(rows.map((row) => [row.id, shownNameOf(row)]));
}

/** Returns the columns that forms and accounts share. */
export function personalDataOf(row: PersonalData): PersonalData {
  const pairs = PERSONAL_DATA.map((column) => [column, row[column]]);
  return Object.fromEntries(pairs) as Pick<PersonalData, (typeof PERSONAL_DATA)[number]>;
}

/** Returns the addressee of a mail about an account. */
export const accountRecipient = ({ email, first_name, subtenant_id, language }: Account) => ({
  email,
  firstName: first_name,
  subtenantId: subtenant_id,
  language,
});
