/** Who has console rights, which areas they open, and whose accounts are whose to help. */

import { CONSOLE_AREAS, type ConsoleArea } from './console-paths.ts';
import type { RoleId } from '../people/roles.ts';
import { parseSubtenantId } from '../people/subtenants.ts';

/** From the fewest rights to the most. */
export const CONSOLE_ROLES = ['helpDesk', 'administrator', 'operator'] as const;
export type ConsoleRole = (typeof CONSOLE_ROLES)[number];

/** The console roles that settings give. An administrator of a house is a row in the database. */
export const SETTING_ROLES = ['helpDesk', 'operator'] as const;
export type SettingRole = (typeof SETTING_ROLES)[number];

/**
 * Whose account a verb concerns. `oneself` and `colleague` (somebody with console rights) come before the others;
 * `elsewhere`: of another subtenant; `staff`: with a role outside of `HELP_DESK_ROLES`. To an administrator the help desk
 * of the own house is staff, too.
 */
export const PERSON_KINDS = ['oneself', 'colleague', 'elsewhere', 'staff', 'member'] as const;
export type PersonKind = (typeof PERSON_KINDS)[number];

/** The roles of the people that a help desk helps, and that it gives and takes. */
export const HELP_DESK_ROLES: readonly RoleId[] = [1, 9, 18];

const AREAS: Readonly<Record<ConsoleRole, readonly ConsoleArea[]>> = {
  helpDesk: ['people', 'invitations', 'messages', 'devices'],
  administrator: [
    'house',
    'people',
    'invitations',
    'messages',
    'signIns',
    'leads',
    'survey',
    'audit',
    'devices',
  ],
  operator: CONSOLE_AREAS.filter((area) => area !== 'house'),
};

/** Returns the areas that a console role opens. */
export const consoleAreasOf = (role: ConsoleRole): readonly ConsoleArea[] => AREAS[role];

/** Gives console rights to one account, or to a role of a subtenant. */
export type ConsoleGrant = { readonly role: SettingRole } & (
  | { readonly accountId: number }
  | { readonly subtenantId: number; readonly roleId: number }
);

/** The part of an account that decides. */
export type ConsolePerson = {
  readonly id: number;
  readonly subtenantId: number;
  readonly roleIds: readonly number[];
  /** The house whose administrator it is; `null`: none. */
  readonly administers: number | null;
};

/** A staff member with the console role. */
export type ConsoleStaff = ConsolePerson & {
  readonly role: ConsoleRole;
  /** The list of roles that an administrator gives; empty for others. */
  readonly houseRoles: readonly number[];
};

/** Reads the words of a grant: `742:3` is role 3 of subtenant 742, `account:17` an account. `null` for any other text. */
export function parseConsoleGrant(role: SettingRole, text: string): ConsoleGrant | null {
  const [of = '', number = '', ...rest] = text.split(':');
  const id = Number(number);
  if (rest.length > 0 || !/^\d{1,15}$/.test(number) || id === 0) return null;
  if (of === 'account') return { role, accountId: id };
  const subtenantId = parseSubtenantId(of);
  return subtenantId === null ? null : { role, subtenantId, roleId: id };
}

/** Returns the console role of an account; the one with the most rights wins. `null`: it has none. */
export function consoleRoleOf(
  { id, subtenantId, roleIds, administers }: ConsolePerson,
  grants: readonly ConsoleGrant[],
): ConsoleRole | null {
  const own = grants.filter((grant) =>
    'accountId' in grant
      ? grant.accountId === id
      : grant.subtenantId === subtenantId && roleIds.includes(grant.roleId),
  );
  if (own.some(({ role }) => role === 'operator')) return 'operator';
  if (administers === subtenantId) return 'administrator';
  return own.length > 0 ? 'helpDesk' : null;
}

/** Returns the console role that a role carries in a subtenant. */
export const consoleRoleBy = (
  roleId: number,
  subtenantId: number,
  grants: readonly ConsoleGrant[],
): ConsoleRole | null =>
  consoleRoleOf({ id: 0, subtenantId, roleIds: [roleId], administers: null }, grants);

/** Returns whether administrators of a house may ever give a role: operators put no other one on its list. */
export const isHouseRole = (
  roleId: RoleId,
  subtenantId: number,
  grants: readonly ConsoleGrant[],
): boolean =>
  !HELP_DESK_ROLES.includes(roleId) && consoleRoleBy(roleId, subtenantId, grants) !== 'operator';

/** Returns whose account a verb of this staff member concerns. */
export function personKindOf(
  staff: ConsoleStaff,
  person: ConsolePerson,
  grants: readonly ConsoleGrant[],
): PersonKind {
  if (person.id === staff.id) return 'oneself';
  const role = consoleRoleOf(person, grants);
  const isOwnDesk =
    staff.role === 'administrator' &&
    role === 'helpDesk' &&
    person.subtenantId === staff.subtenantId;
  if (isOwnDesk) return 'staff';
  if (role !== null) return 'colleague';
  if (person.subtenantId !== staff.subtenantId) return 'elsewhere';
  const isMember = person.roleIds.every((id) => HELP_DESK_ROLES.some((each) => each === id));
  return isMember ? 'member' : 'staff';
}

/**
 * Returns whether a staff member may give or take a role in a subtenant: a help desk its own set, an administrator that
 * of the house's list, too. A role that carries console rights is given only from that list.
 */
export function mayHandle(
  { role, subtenantId: own, houseRoles }: ConsoleStaff,
  roleId: RoleId,
  subtenantId: number,
  grants: readonly ConsoleGrant[],
): boolean {
  const isListed =
    role === 'administrator' &&
    subtenantId === own &&
    houseRoles.includes(roleId) &&
    isHouseRole(roleId, subtenantId, grants);
  if (isListed) return true;
  if (consoleRoleBy(roleId, subtenantId, grants) !== null) return false;
  if (role === 'operator') return true;
  return subtenantId === own && HELP_DESK_ROLES.includes(roleId);
}
