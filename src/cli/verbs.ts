import manifest from '../../package.json' with { type: 'json' };
import { nearest } from '#domain/nearest.ts';
import { commands as texts, type VerbName } from '#locales/operator/commands.ts';
import { fill } from '#locales/fill.ts';
import { OperatorError } from '#server/config/operator-error.ts';
import { audit } from './audit.ts';
import { backup } from './backup/backup.ts';
import { restore } from './backup/restore.ts';
import { sessions } from './backup/sessions.ts';
import { checkTenant } from './check-tenant.ts';
import { client } from './client.ts';
import {
  type Command,
  noWord,
  output,
  readWords,
  subVerbsOf,
  TYPED,
  verbOf,
  wrongUsage,
} from './command.ts';
import { config } from './config.ts';
import { doctor } from './doctor.ts';
import { explain } from './explain.ts';
import { completion, help, overview } from './help.ts';
import { init } from './init.ts';
import { keys } from './keys.ts';
import { leads } from './leads.ts';
import { limits } from './limits.ts';
import { migrate } from './migrate.ts';
import { module } from './module.ts';
import { outbox } from './outbox.ts';
import { promo } from './promo.ts';
import { support } from './support.ts';
import { survey } from './survey.ts';
import { tenant } from './tenant.ts';
import { user } from './user.ts';

/** `porchlight serve [--no-migrate]`: resolves when it serves; the process goes on. */
const serve: Command = (words) => {
  const options = { 'no-migrate': { type: 'boolean', default: false } } as const;
  const { values, positionals } = readWords(words, options, 'serve');
  if (positionals.length > 0) throw wrongUsage('serve');
  return async (at) => {
    // Loaded where it is used: no other verb needs the whole server.
    const server = await import('#server/serve.ts');
    await server.serve(at.config(), !values['no-migrate']);
    return output([], []);
  };
};

const VERBS: Readonly<Record<VerbName, Command>> = {
  init,
  serve,
  migrate,
  backup,
  restore,
  sessions,
  config,
  doctor,
  subtenant: tenant,
  user,
  promo,
  support,
  explain,
  leads,
  limits,
  survey,
  client,
  module,
  keys,
  outbox,
  audit,
  'check-tenant': checkTenant,
  help,
  completion,
};

const JSON_FLAG = '--json';
/** Not `--env-file`: Node takes that for its own wherever it stands, and npx with it. */
const SETTINGS_FLAG = '--settings';
const HELP_FLAGS = ['--help', '-h'];
const VERSION_FLAGS = ['--version', '-v'];

/** Whether programs read what is printed. */
export const isForPrograms = (words: readonly string[]) => words.includes(JSON_FLAG);

/** The file with settings that every verb takes, and the words without it. @throws OperatorError when no file is named */
export function takeSettings(all: readonly string[]): {
  readonly words: readonly string[];
  readonly settingsFile: string | null;
} {
  const joined = all.find((word) => word.startsWith(`${SETTINGS_FLAG}=`));
  if (joined !== undefined) {
    const words = all.filter((word) => word !== joined);
    return takeSettings([...words, SETTINGS_FLAG, joined.slice(SETTINGS_FLAG.length + 1)]);
  }
  const at = all.indexOf(SETTINGS_FLAG);
  if (at === -1) return { words: all, settingsFile: null };
  const settingsFile = all[at + 1];
  if (!settingsFile || settingsFile.startsWith('-')) throw new OperatorError(texts.noSettings);
  return { words: all.toSpliced(at, 2), settingsFile };
}

/** What the words of a command line ask for. @throws OperatorError that says how it is meant */
export function readCommand(all: readonly string[]): ReturnType<Command> {
  const [first] = all.filter((word) => word !== JSON_FLAG);
  if (first !== undefined && VERSION_FLAGS.includes(first)) {
    return async () => output([`porchlight ${manifest.version}`], { version: manifest.version });
  }
  const isHelp = all.some((word) => HELP_FLAGS.includes(word));
  const [typed, ...words] = all.filter((word) => word !== JSON_FLAG && !HELP_FLAGS.includes(word));
  if (typed === undefined) {
    if (isHelp) return help([]);
    throw new OperatorError(overview().join('\n'));
  }
  const name = verbOf(typed);
  if (name === null) {
    const near = nearest(typed, TYPED);
    const guess = near === null ? '' : fill(texts.guess, { name: near });
    throw new OperatorError(fill(texts.noVerb, { name: typed, guess }));
  }
  const [word = ''] = words;
  const subVerbs = subVerbsOf(name);
  if (isHelp) return help(subVerbs.includes(word) ? [name, word] : [name]);
  const fault = subVerbs.length === 0 || word.startsWith('-') ? null : noWord(word, subVerbs);
  if (fault !== null) throw wrongUsage(name, fault);
  return VERBS[name](words);
}
