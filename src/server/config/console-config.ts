import {
  type ConsoleGrant,
  parseConsoleGrant,
  SETTING_ROLES,
  type SettingRole,
} from '#domain/help-desk/console-rights.ts';

type Named = Readonly<Record<SettingRole, readonly string[]>>;

/** In a demo role 3 is the help desk and role 4 an operator, unless the settings name others. */
const DEMO: Named = { helpDesk: ['742:3'], operator: ['742:4'] };

/** Returns who has rights at the console: in production nobody that the settings do not name. */
export function consoleRights(
  values: {
    readonly PORCHLIGHT_CONSOLE_HELP_DESK: readonly string[];
    readonly PORCHLIGHT_CONSOLE_OPERATORS: readonly string[];
  },
  isProduction: boolean,
): readonly ConsoleGrant[] {
  const helpDesk = values.PORCHLIGHT_CONSOLE_HELP_DESK;
  const operator = values.PORCHLIGHT_CONSOLE_OPERATORS;
  const isNamed = helpDesk.length + operator.length > 0;
  return isProduction || isNamed ? grantsOf({ helpDesk, operator }) : demoConsole;
}

const grantsOf = (named: Named): readonly ConsoleGrant[] =>
  SETTING_ROLES.flatMap((role) =>
    named[role].flatMap((text) => parseConsoleGrant(role, text) ?? []),
  );

export const demoConsole = grantsOf(DEMO);
