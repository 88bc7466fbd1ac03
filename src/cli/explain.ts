import { ENTRY_POINTS, explainRoute, roleChoices } from '#domain/role-routing.ts';
import { parseSubtenantId } from '#domain/subtenants.ts';
import { explainCommand as texts } from '#locales/operator/explain-command.ts';
import { fill } from '#locales/fill.ts';
import { type Command, output, readWords, wrongUsage } from './command.ts';
import { rolesIn } from './person-words.ts';

/** `porchlight explain route`: where these roles lead after sign-in, and by which requirement; opens nothing. */
export const explain: Command = (words) => {
  const string = { type: 'string' } as const;
  const options = {
    role: { ...string, multiple: true },
    subtenant: string,
    entrance: string,
  } as const;
  const { values, positionals } = readWords(words, options, 'explain');
  const { role = [], subtenant, entrance = 'portal' } = values;
  const door = ENTRY_POINTS.find((each) => each === entrance);
  const isSubtenant = subtenant === undefined || parseSubtenantId(subtenant) !== null;
  if (positionals.join(' ') !== 'route' || role.length === 0 || !door || !isSubtenant) {
    throw wrongUsage('explain');
  }
  const roles = rolesIn(role);
  return async () => {
    const { destination, rule } = explainRoute(roles, door);
    const choices = destination.kind === 'selectRole' ? roleChoices(roles) : [];
    const said =
      destination.kind === 'module'
        ? fill(texts.module, { ...destination.entry, role: destination.roleId })
        : texts[destination.kind];
    const entries = choices.map(({ kind, roleId }) => `  ${fill(texts[kind], { role: roleId })}`);
    return output([said, ...entries, fill(texts.rule, { rule })], { destination, rule, choices });
  };
};
