import { type RoleId, ROLES } from '#domain/people/roles.ts';
import type { Texts } from '#locales/catalogue.ts';

/** Returns the name of a role, and in a plain line what it is for. */
export function roleWords({ roles, roleNames }: Texts, id: RoleId): string {
  const name = roleNames[id] ?? ROLES[id].key;
  const line = Object.entries(roles.lines).find(([role]) => role === String(id))?.[1];
  return line ? `${name}: ${line}` : name;
}
