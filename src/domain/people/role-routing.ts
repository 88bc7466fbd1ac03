import {
  APP_LOGIN_ENTRY,
  isRoleId,
  type ModuleEntry,
  type RoleId,
  roleOf,
  SPECIAL_ROLE,
  STAFF_ENTRY,
} from './roles.ts';

/** The addresses by which the visitor came: `/account/…` or `/legal-staff/…`. */
export const ENTRANCES = ['portal', 'legalStaff'] as const;
export type Entrance = (typeof ENTRANCES)[number];

/** One destination in a module: the role played there and the role entries sent along. */
export type ModuleDestination = {
  readonly kind: 'module';
  readonly entry: ModuleEntry;
  readonly roleId: RoleId;
  readonly passedRoleIds: readonly RoleId[];
};

/** The destination after sign-in. */
export type Destination =
  | ModuleDestination
  | { readonly kind: 'selectRole' }
  | { readonly kind: 'notStaff' }
  | { readonly kind: 'unauthorized' };

/** A choice on the switcher: a role, or a staff role's login on the app. */
export type Choice =
  | { readonly kind: 'role'; readonly roleId: RoleId }
  | { readonly kind: 'signInOnApp'; readonly roleId: RoleId };

const TOP_ROLES: readonly RoleId[] = [9, 1];
const CHOICE_ORDER: readonly RoleId[] = [3, 13, 14, 15, 4, 11, 6, 16];
const HIDDEN_BESIDE_A_TOP_ROLE: readonly RoleId[] = [17, 18, 5];
/** 17 or 5 beside 9 or 1 is one household with an agent's or partner's role: there is no question (RED-10). */
const JOINED_TO_A_TOP_ROLE: readonly RoleId[] = [17, 5];

/** Returns the roles used at login: known, not excluded (2, 7, 8, 22), each once, in a fixed order. */
export function routableRoles(roleIds: readonly number[]): readonly RoleId[] {
  const known = [...new Set(roleIds)].filter(isRoleId);
  return known.filter((id) => roleOf(id).entry !== null).sort((a, b) => a - b);
}

/** 9 wins over 1 (SRV-13). */
function topRole(roleIds: readonly RoleId[]): RoleId | undefined {
  return TOP_ROLES.find((id) => roleIds.includes(id));
}

function staffRole(roleIds: readonly RoleId[]): RoleId | undefined {
  return CHOICE_ORDER.find((id) => roleIds.includes(id) && roleOf(id).isStaff);
}

function toModule(
  roleId: RoleId,
  all: readonly RoleId[],
  entry: ModuleEntry | null = roleOf(roleId).entry,
): ModuleDestination {
  if (!entry) throw new Error(`Role ${roleId} has no module`);
  const passedRoleIds = roleOf(roleId).passesOnlyOwnRole ? [roleId] : all;
  return { kind: 'module', entry, roleId, passedRoleIds };
}

/** A destination, and the requirement that leads there. */
export type Route = { readonly destination: Destination; readonly rule: string };

/** Returns the destination of a signed-in person, from the account's roles and the entry point (RED-06 to RED-11). */
export const routeAfterLogin = (roleIds: readonly number[], entrance: Entrance): Destination =>
  explainRoute(roleIds, entrance).destination;

/** Does the same, with the rule that decided. */
export function explainRoute(roleIds: readonly number[], entrance: Entrance): Route {
  const by = (rule: string, destination: Destination): Route => ({ destination, rule });
  const roles = routableRoles(roleIds);
  const [first] = roles;
  if (first === undefined) return by('SRV-10', { kind: 'unauthorized' });

  const staff = staffRole(roles);
  if (entrance === 'legalStaff') {
    return staff
      ? by('RED-09', toModule(staff, roles, STAFF_ENTRY))
      : by('RED-02', { kind: 'notStaff' });
  }

  const top = topRole(roles);
  if (top && !staff && JOINED_TO_A_TOP_ROLE.some((id) => roles.includes(id))) {
    return by('RED-10', toModule(top, roles, STAFF_ENTRY));
  }
  if (roles.length === 1 && !staff) {
    return by(first === SPECIAL_ROLE ? 'RED-08' : 'RED-06', toModule(first, roles));
  }
  return by('RED-07', { kind: 'selectRole' });
}

/** Returns the entries of the switcher, in order; 'Sign-In On App' comes last (ROL-02, ROL-04, ROL-05). */
export function roleChoices(roleIds: readonly number[]): readonly Choice[] {
  const roles = routableRoles(roleIds);
  const hidden = topRole(roles) ? HIDDEN_BESIDE_A_TOP_ROLE : [];
  const shown = roles.filter((id) => !hidden.includes(id));
  const ordered = [
    ...CHOICE_ORDER.filter((id) => shown.includes(id)),
    ...shown.filter((id) => !CHOICE_ORDER.includes(id)),
  ];
  const choices: Choice[] = ordered.map((roleId) => ({ kind: 'role', roleId }));
  const staff = staffRole(roles);
  if (staff) choices.push({ kind: 'signInOnApp', roleId: staff });
  return choices;
}

/** Returns the destination of a choice on the switcher, or `null` when it is not one of the person's choices. */
export function routeChoice(roleIds: readonly number[], choice: Choice): ModuleDestination | null {
  const offered = roleChoices(roleIds).some(
    (each) => each.kind === choice.kind && each.roleId === choice.roleId,
  );
  if (!offered) return null;
  const roles = routableRoles(roleIds);
  const entry = choice.kind === 'signInOnApp' ? APP_LOGIN_ENTRY : undefined;
  return toModule(choice.roleId, roles, entry);
}

/** Returns whether a hand-off with this role carries the encrypted credential (RED-12, HND-01). */
export function carriesCredential(roleId: RoleId): boolean {
  return roleOf(roleId).isStaff || roleId === SPECIAL_ROLE;
}
