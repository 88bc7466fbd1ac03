import { commands as texts } from '#locales/operator/commands.ts';
import type { VerbName } from '#locales/operator/verbs.ts';
import { fill } from '#locales/fill.ts';
import { OperatorError } from '#server/config/operator-error.ts';
import { audit } from './audit.ts';
import { auth0 } from './auth0.ts';
import { backup } from './backup/backup.ts';
import { restore } from './backup/restore.ts';
import { sessions } from './backup/sessions.ts';
import { client } from './client.ts';
import { type CommandOf, type LineOf, output } from './command.ts';
import { completion } from './completion.ts';
import { config } from './config.ts';
import { doctor } from './doctor/doctor.ts';
import { house } from './house.ts';
import { init } from './init.ts';
import { keys } from './keys.ts';
import { leads } from './leads.ts';
import { limits } from './limits.ts';
import { migrate } from './migrate.ts';
import { module } from './module.ts';
import { organisation } from './organisation.ts';
import { outbox } from './outbox.ts';
import { type Asked, helpData, helpOn, parse } from './program.ts';
import { promo } from './promo.ts';
import { role } from './role.ts';
import { support } from './support.ts';
import { survey } from './survey.ts';
import { tenant } from './tenant.ts';
import { upgrade } from './upgrade.ts';
import { user } from './user.ts';

/** `porchlight serve`: resolves when it serves; the process goes on. */
const serve: CommandOf<'serve'> = {
  '':
    (_, { 'no-migrate': isMigrated }) =>
    async (at) => {
      // Loaded where it is used: no other verb needs the whole server.
      const server = await import('#server/wiring/serve.ts');
      await server.serve(at.config(), !isMigrated);
      return output([], []);
    },
};

/** `porchlight help [VERB [WORD]]` */
const help: CommandOf<'help'> = {
  ''(words) {
    const text = helpOn(words);
    if (text === null) throw new OperatorError(fill(texts.noHelp, { words: words.join(' ') }));
    return async () => ({ text, data: helpData(words) });
  },
};

const VERBS: { readonly [Name in VerbName]: CommandOf<Name> } = {
  init,
  serve,
  migrate,
  upgrade,
  backup,
  restore,
  sessions,
  config,
  doctor,
  subtenant: tenant,
  house,
  user,
  role,
  promo,
  support,
  leads,
  limits,
  survey,
  client,
  organisation,
  module,
  keys,
  outbox,
  audit,
  auth0,
  help,
  completion,
};

/** Reads the words of a command line. @throws OperatorError with their fault */
export function readCommand(words: readonly string[]): Asked {
  return parse(words, ({ name, sub, args, values }) => {
    const lines = VERBS[name] as Readonly<Record<string, LineOf<unknown>>>;
    const line = lines[sub];
    if (!line) throw new Error(`The verb ${name} has no line ${sub}`);
    return line(args, values);
  });
}
