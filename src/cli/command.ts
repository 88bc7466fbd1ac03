import { parseArgs, type ParseArgsConfig } from 'node:util';
import { nearest } from '#domain/nearest.ts';
import { commands as texts, type VerbName, verbs } from '#locales/operator/commands.ts';
import { fill } from '#locales/fill.ts';
import type { Config } from '#server/config/config.ts';
import { OperatorError } from '#server/config/operator-error.ts';
import type { AdminContext } from '#server/administration/admin-context.ts';

export type CommandContext = AdminContext;

/** What a command can open: the same settings and the same database as the server's own. */
export type Installation = {
  /** The file that `--settings` names. */
  readonly settingsFile: string | null;
  /** The settings as they were given. @throws OperatorError when their file cannot be read */
  readonly env: () => NodeJS.ProcessEnv;
  readonly config: () => Config;
  /**
   * Opens the database and closes it in every case. `isLong`: for statements that may take longer than those of a
   * request. @throws OperatorError when there is none, or when migrations wait
   */
  readonly withDatabase: <T>(
    work: (context: CommandContext) => Promise<T>,
    options?: { readonly isLong: boolean },
  ) => Promise<T>;
  /** Tells at once what somebody has to do while the command waits. */
  readonly say?: (line: string) => void;
  /** Tells how far long work is; `share` goes from 0 to 1, `null` where the end is not known. */
  readonly progress?: (count: number, share: number | null, unit?: 'rows' | 'tables') => void;
};

export type Output<Data extends object = object> = {
  /** For people. */
  readonly text: string;
  /** For programs (`--json`): a list is printed as one object a line. */
  readonly data: Data;
  /** The command found something to mend: exit code 1. */
  readonly hasFailed?: boolean;
};

/**
 * One verb of the command line. It reads its words before anything is opened.
 * @throws OperatorError that says how it is meant
 */
export type Command = (words: readonly string[]) => (at: Installation) => Promise<Output>;

export const output = <Data extends object>(
  lines: readonly string[],
  data: Data,
  hasFailed = false,
): Output<Data> => ({
  text: lines.map((line) => `${line}\n`).join(''),
  data,
  hasFailed,
});

/** Says how a verb is meant, and before it what is wrong with the words, where that is known. */
export function wrongUsage(name: VerbName, fault: string | null = null): OperatorError {
  const lines = verbs[name].usage.map((line) => `  porchlight ${line}`);
  const said = fault === null ? [] : [fault];
  return new OperatorError(
    [...said, texts.usage, ...lines, fill(texts.moreOf, { name })].join('\n'),
  );
}

/** Names that verbs had in earlier releases. */
const EARLIER: Readonly<Record<string, VerbName>> = { tenant: 'subtenant' };

/** Every name that a verb can be typed by. */
export const TYPED: readonly string[] = [...Object.keys(verbs), ...Object.keys(EARLIER)];

/** Returns the verb that is typed so; `null` for none. */
export function verbOf(typed: string): VerbName | null {
  if (Object.hasOwn(verbs, typed)) return typed as VerbName;
  return Object.hasOwn(EARLIER, typed) ? (EARLIER[typed] ?? null) : null;
}

/** Returns the usage lines of a verb, or those of one of its sub-verbs. */
export const usageOf = (name: VerbName, subVerb?: string): readonly string[] =>
  verbs[name].usage.filter(
    (line) => subVerb === undefined || `${line} `.startsWith(`${name} ${subVerb} `),
  );

/** Returns the sub-verbs of a verb, such as `list` of `user`; none for `serve`. */
export const subVerbsOf = (name: VerbName): readonly string[] => [
  ...new Set(
    usageOf(name).flatMap((line) => /^[\w-]+ ([a-z][a-z-]*)(?: |$)/.exec(line)?.[1] ?? []),
  ),
];

/** Returns that a verb has no such word, and which one it has that is near; `null` for no word. */
export function noWord(word: string, known: readonly string[]): string | null {
  if (word === '' || known.includes(word)) return null;
  const near = nearest(word, known);
  const guess = near === null ? '' : fill(texts.guess, { name: near });
  return `${fill(texts.noWord, { word })} ${guess}`.trim();
}

/** Returns what is wrong with an option; `null` for a fault of another kind. */
function faultOf(
  error: unknown,
  words: readonly string[],
  known: readonly string[],
): string | null {
  const { code, message } = error as { readonly code?: string; readonly message: string };
  const option = /'(--?[\w-]+)/.exec(message)?.[1] ?? '';
  if (code === 'ERR_PARSE_ARGS_UNKNOWN_OPTION') {
    const near = nearest(option.replace(/^-+/, ''), known);
    const guess = near === null ? '' : fill(texts.guess, { name: `--${near}` }).trim();
    return `${fill(texts.noOption, { option })} ${guess}`.trim();
  }
  if (code !== 'ERR_PARSE_ARGS_INVALID_OPTION_VALUE') return null;
  const takesNone = words.some((word) => word.startsWith(`${option}=`));
  return takesNone ? fill(texts.noValue, { option }) : fill(texts.valueMissing, { option });
}

/** Tells words and options of a command line apart. @throws OperatorError for an option that there is not */
export function readWords<const Options extends NonNullable<ParseArgsConfig['options']>>(
  words: readonly string[],
  options: Options,
  name: VerbName,
) {
  try {
    return parseArgs({ args: withValues(words, options), allowPositionals: true, options });
  } catch (error) {
    throw wrongUsage(name, faultOf(error, words, Object.keys(options)));
  }
}

/** Joins an option and its value where the value begins with a dash, as one id in 64 does: parseArgs refuses it apart. */
function withValues(
  words: readonly string[],
  options: NonNullable<ParseArgsConfig['options']>,
): string[] {
  return words.reduce<string[]>((joined, word) => {
    const before = joined.at(-1) ?? '';
    const isValue = /^-[^-]/.test(word) && options[before.replace(/^--/, '')]?.type === 'string';
    return isValue ? [...joined.slice(0, -1), `${before}=${word}`] : [...joined, word];
  }, []);
}
