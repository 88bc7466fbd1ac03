import { roleNames } from '#texts/role-names.ts';
import { roles as t } from '#texts/roles.ts';
import type { Choice } from '#domain/people/role-routing.ts';
import { isRoleId, type RoleFamily, type RoleId, roleOf } from '#domain/people/roles.ts';
import type { Login } from '#domain/flow/visit.ts';
import type { IconName } from '../../ui/icon.tsx';
import type { Option } from '../../ui/option-cards.tsx';

const FAMILY_ICONS: Readonly<Record<RoleFamily, IconName>> = {
  member: 'house',
  staff: 'briefcase',
  admin: 'clipboard-list',
  counter: 'ticket',
  partner: 'handshake',
  special: 'graduation-cap',
};
const OWN_ICONS: Readonly<Partial<Record<RoleId, IconName>>> = {
  16: 'smartphone',
  21: 'calendar-check',
};
const LINES: Readonly<Partial<Record<RoleId, string>>> = t.lines;

const APP_PREFIX = 'app-';

/** Returns the options of the role screen; a name that the account gives a role wins over ours (ROL-01). */
export function roleOptions(choices: readonly Choice[], login: Login): readonly Option[] {
  return choices.map((choice) => {
    if (choice.kind === 'signInOnApp') {
      return {
        value: `${APP_PREFIX}${choice.roleId}`,
        label: t.signInOnApp,
        icon: 'layout-grid',
        description: t.signInOnAppLine,
      };
    }
    const { key, family } = roleOf(choice.roleId);
    const named = login.roles.find((role) => role.roleId === choice.roleId);
    const description = LINES[choice.roleId];
    return {
      value: String(choice.roleId),
      label: named && named.roleKey !== key ? named.roleKey : (roleNames[choice.roleId] ?? key),
      icon: OWN_ICONS[choice.roleId] ?? FAMILY_ICONS[family],
      ...(description && { description }),
    };
  });
}

/** Returns the choice of an option's value; `null` without one. */
export function roleChoice(value: string): Choice | null {
  const isApp = value.startsWith(APP_PREFIX);
  const roleId = Number(isApp ? value.slice(APP_PREFIX.length) : value);
  if (!isRoleId(roleId)) return null;
  return { kind: isApp ? 'signInOnApp' : 'role', roleId };
}
