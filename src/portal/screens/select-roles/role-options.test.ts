import { expect, it } from 'vitest';
import { ROLES, type RoleId } from '#domain/people/roles.ts';
import { roleOptions } from './role-options.ts';

it('[V16] no two roles have one icon and one line, and each has a line', () => {
  const ids = Object.keys(ROLES).map(Number) as RoleId[];
  const routed = ids.filter((id) => ROLES[id].entry !== null);
  const login = { roles: [] } as unknown as Parameters<typeof roleOptions>[1];
  const options = roleOptions(
    routed.map((roleId) => ({ kind: 'role', roleId })),
    login,
  );
  const [app] = roleOptions([{ kind: 'signInOnApp', roleId: 1 }], login);
  expect(options.map(({ icon }) => icon)).not.toContain(app?.icon);
  const looks = options.map(({ icon, description }) => `${icon}: ${description}`);
  expect(looks.filter((look) => look.includes('undefined'))).toEqual([]);
  expect(new Set(looks).size).toBe(routed.length);
});
