import { ENTRANCES, explainRoute, roleChoices } from '#domain/people/role-routing.ts';
import { ROLE_IDS, type RoleId, roleOf } from '#domain/people/roles.ts';
import { parseSubtenantId } from '#domain/people/subtenants.ts';
import { roleCommand as texts } from '#locales/operator/role-command.ts';
import { fill } from '#locales/fill.ts';
import { OperatorError } from '#server/config/operator-error.ts';
import { type CommandOf, tableLines, output } from './command.ts';
import { rolesIn } from './person-words.ts';

/** `porchlight role`: the table of roles, and where roles lead after sign-in. It opens nothing. */
export const role: CommandOf<'role'> = {
  list: () => async () => {
    return tableLines(
      ROLE_IDS.map(roleRow),
      texts.header,
      ({ id, name, family, module, page, isStaff }) => [
        id,
        name,
        family,
        module === null ? texts.nowhere : `${module} (${page})`,
        isStaff ? texts.staff : '',
      ],
    );
  },

  route(_, { role: words = [], subtenant, entrance: asked = 'portal' }) {
    const entrance = ENTRANCES.find((each) => each === asked) ?? 'portal';
    if (subtenant !== undefined && parseSubtenantId(subtenant) === null) {
      throw new OperatorError(fill(texts.badSubtenant, { id: subtenant }));
    }
    const roles = rolesIn(words);
    return async () => {
      const { destination, rule } = explainRoute(roles, entrance);
      const choices = destination.kind === 'selectRole' ? roleChoices(roles) : [];
      const said =
        destination.kind === 'module'
          ? fill(texts.module, { ...destination.entry, role: destination.roleId })
          : texts[destination.kind];
      const entries = choices.map(({ kind, roleId }) => `  ${fill(texts[kind], { role: roleId })}`);
      return output([said, ...entries, fill(texts.rule, { rule })], { destination, rule, choices });
    };
  },
};

function roleRow(id: RoleId) {
  const { key: name, family, entry, isStaff } = roleOf(id);
  return { id, name, family, module: entry?.module ?? null, page: entry?.page ?? null, isStaff };
}
