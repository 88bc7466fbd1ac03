/** The roles of people, and the module of each (docs/requirements.md, "Roles"). */

/** The eight modules. The id is also the audience of the hand-off token. */
export const MODULE_IDS = [
  'member-intake',
  'admin',
  'event-counter',
  'mobile-event-counter',
  'intake-entry',
  'agent',
  'partner-admin',
  'special',
] as const;
export type ModuleId = (typeof MODULE_IDS)[number];

/** An entry page of a module: some modules have a login page beside their root. */
export type ModuleEntry = { readonly module: ModuleId; readonly page: 'root' | 'login' };

export type RoleFamily = 'member' | 'staff' | 'admin' | 'counter' | 'partner' | 'special';

export type Role = {
  /** The name shown on screen (`roleKey` on the wire). */
  readonly key: string;
  readonly family: RoleFamily;
  /** `null`: excluded from login routing. */
  readonly entry: ModuleEntry | null;
  /** Staff or legal staff: may use the staff entry point and 'Sign-In On App'. */
  readonly isStaff: boolean;
  /** Receives only its own role entry when chosen. */
  readonly passesOnlyOwnRole: boolean;
};

const root = (module: ModuleId): ModuleEntry => ({ module, page: 'root' });
const login = (module: ModuleId): ModuleEntry => ({ module, page: 'login' });

/** The staff module is the root of the member intake app (SRV-12). */
export const STAFF_ENTRY: ModuleEntry = root('member-intake');
/** The entry of 'Sign-In On App' (SRV-12). */
export const APP_LOGIN_ENTRY: ModuleEntry = login('member-intake');

// prettier-ignore
export const ROLES = {
  1:  { key: 'Member',                family: 'member',  entry: login('member-intake'),       isStaff: false, passesOnlyOwnRole: false },
  2:  { key: 'Guest',                 family: 'member',  entry: null,                         isStaff: false, passesOnlyOwnRole: false },
  3:  { key: 'Staff',                 family: 'staff',   entry: STAFF_ENTRY,                  isStaff: true,  passesOnlyOwnRole: false },
  4:  { key: 'Admin',                 family: 'admin',   entry: root('admin'),                isStaff: false, passesOnlyOwnRole: true },
  5:  { key: 'Agent',                 family: 'partner', entry: root('agent'),                isStaff: false, passesOnlyOwnRole: true },
  6:  { key: 'Event Counter',         family: 'counter', entry: root('event-counter'),        isStaff: false, passesOnlyOwnRole: true },
  7:  { key: 'Caregiver Contact',     family: 'member',  entry: null,                         isStaff: false, passesOnlyOwnRole: false },
  8:  { key: 'Emergency Contact',     family: 'member',  entry: null,                         isStaff: false, passesOnlyOwnRole: false },
  9:  { key: 'Head of Household',     family: 'member',  entry: login('member-intake'),       isStaff: false, passesOnlyOwnRole: false },
  10: { key: 'Intake Staff',          family: 'staff',   entry: STAFF_ENTRY,                  isStaff: false, passesOnlyOwnRole: false },
  11: { key: 'Regional Admin',        family: 'admin',   entry: root('admin'),                isStaff: false, passesOnlyOwnRole: true },
  13: { key: 'Legal Staff',           family: 'staff',   entry: STAFF_ENTRY,                  isStaff: true,  passesOnlyOwnRole: false },
  14: { key: 'Legal Assistant',       family: 'staff',   entry: STAFF_ENTRY,                  isStaff: true,  passesOnlyOwnRole: false },
  15: { key: 'Payment Staff',         family: 'staff',   entry: STAFF_ENTRY,                  isStaff: true,  passesOnlyOwnRole: false },
  16: { key: 'Mobile Event Counter',  family: 'counter', entry: root('mobile-event-counter'), isStaff: false, passesOnlyOwnRole: true },
  17: { key: 'Partner Admin',         family: 'partner', entry: login('partner-admin'),       isStaff: false, passesOnlyOwnRole: true },
  18: { key: 'Academy Member',        family: 'partner', entry: login('partner-admin'),       isStaff: false, passesOnlyOwnRole: true },
  20: { key: 'Special Programs',      family: 'special', entry: root('special'),              isStaff: false, passesOnlyOwnRole: false },
  21: { key: 'Intake Entry',          family: 'counter', entry: root('intake-entry'),         isStaff: false, passesOnlyOwnRole: false },
  22: { key: 'Archived',              family: 'member',  entry: null,                         isStaff: false, passesOnlyOwnRole: false },
} as const satisfies Record<number, Role>;

export type RoleId = keyof typeof ROLES;

/** Returns whether a number is a role. */
export function isRoleId(value: number): value is RoleId {
  return Object.prototype.hasOwnProperty.call(ROLES, value);
}

export const ROLE_IDS: readonly RoleId[] = Object.keys(ROLES).map(Number).filter(isRoleId);

/** Returns a role as operators read it: `3 Staff`. */
export const roleName = (id: RoleId): string => `${id} ${ROLES[id].key}`;

/** Returns the row of a role, typed as the general shape. */
export function roleOf(id: RoleId): Role {
  return ROLES[id];
}

/** Role asked for at sign-up: 18 in the academy, else 1 (SUP-15). */
export const MEMBER_ROLE = 1;
export const ACADEMY_ROLE = 18;
/** The role that leads to the separate module. */
export const SPECIAL_ROLE = 20;
