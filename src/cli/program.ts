/** Builds the parser from the table of verbs: commander reads the words and finds their faults. */

import { Argument, Command, type CommanderError, InvalidArgumentError, Option } from 'commander';
import { nearest } from '#domain/text/nearest.ts';
import { fill } from '#locales/fill.ts';
import { commands as texts } from '#locales/operator/commands.ts';
import { type Line, type VerbName, verbs } from '#locales/operator/verbs.ts';
import { OperatorError } from '#server/config/operator-error.ts';
import manifest from '../../package.json' with { type: 'json' };
import { output, type Run } from './command.ts';

/** Columns of a help page: the same in every terminal and in docs/operations/commands.md. */
const WIDTH = 100;

export type Asked = {
  readonly run: Run;
  /** The file that `--settings` names. */
  readonly settingsFile: string | null;
};

/** The line that was typed, with the values of its options by their names in the table. */
export type Typed = {
  readonly name: VerbName;
  readonly sub: string;
  readonly args: readonly string[];
  readonly values: Readonly<Record<string, unknown>>;
};

export const names = Object.keys(verbs) as VerbName[];

/** Returns the lines of a verb by sub-verb. */
export const verbLines = (name: VerbName): readonly (readonly [string, Line])[] =>
  Object.entries<Line>(verbs[name].lines);

/** Returns the sub-verbs of a verb, such as `list` of `user`; none for `serve`. */
export const subVerbsOf = (name: VerbName): readonly string[] =>
  verbLines(name).flatMap(([sub]) => (sub === '' ? [] : [sub]));

/** Returns the names by which a verb can be typed: its own, and those of earlier releases. */
export function typedNames(name: VerbName): readonly string[] {
  const verb = verbs[name];
  return 'earlier' in verb ? [name, ...verb.earlier] : [name];
}

/** Returns one line as it is typed, such as `user add EMAIL FIRST LAST [--role ROLE]...`. */
export function lineUsage(name: VerbName, sub: string): string {
  const { args = '', options = {} } = verbs[name].lines[sub as never] as Line;
  const flags = Object.entries(options).map(([option, { value, choices, isMany, isNeeded }]) => {
    const flag = [`--${option}`, choices?.join('|') ?? value ?? ''].join(' ').trim();
    return (isNeeded ? flag : `[${flag}]`) + (isMany ? '...' : '');
  });
  return [name, sub, args, ...flags].filter(Boolean).join(' ');
}

/** Returns the usage of a verb, or of one of its sub-verbs. */
export const verbUsages = (name: VerbName, sub?: string): readonly string[] =>
  verbLines(name).flatMap(([each]) =>
    sub === undefined || sub === each ? [lineUsage(name, each)] : [],
  );

/** Reads a command line. @throws OperatorError with the fault of the words, and the usage */
export function parse(words: readonly string[], runOf: (typed: Typed) => Run): Asked {
  let run: Run | undefined;
  let shown = '';
  const program = createProgram(
    (typed) => (run = runOf(typed)),
    (text) => (shown += text),
  );
  try {
    program.parse(words, { from: 'user' });
  } catch (error) {
    const { code } = error as CommanderError;
    if (code === 'commander.version') {
      run = async () => output([shown.trimEnd()], { version: manifest.version });
    } else if (code === 'commander.helpDisplayed') {
      run = async () => ({ text: shown, data: helpData(words) });
    } else throw error;
  }
  if (!run) throw new OperatorError(overview());
  const { settings = null } = program.opts<{ settings?: string }>();
  return { run, settingsFile: settings };
}

/** Returns the page with every verb in a line. */
export const overview = (): string => createProgram(noAction, noAction).helpInformation().trimEnd();

/** Returns the help of a verb or of one of its sub-verbs; `null` when there is none. */
export function helpOn(words: readonly string[]): string | null {
  let command = createProgram(noAction, noAction);
  for (const word of words) {
    const next = command.commands.find((each) => [each.name(), ...each.aliases()].includes(word));
    if (!next) return null;
    command = next;
  }
  let text = '';
  command.configureOutput({ writeOut: (part) => (text += part) }).outputHelp();
  return text;
}

/** Returns the declaration of a verb, for programs. */
export function helpData(words: readonly string[]): object {
  const dataOf = (name: VerbName) => {
    const { lines: _, ...verb } = verbs[name];
    return { name, ...verb, usage: verbUsages(name) };
  };
  const name = names.find((each) => words.some((word) => typedNames(each).includes(word)));
  return name === undefined ? names.map(dataOf) : dataOf(name);
}

const noAction = () => undefined;

function createProgram(
  onTyped: (typed: Typed) => unknown,
  writeOut: (text: string) => unknown,
): Command {
  const program = new Command('porchlight')
    .description(texts.intro)
    .usage(texts.words)
    .version(`porchlight ${manifest.version}`, '-v, --version', texts.version)
    .option('--json', texts.jsonOption)
    .addOption(new Option('--settings <FILE>', texts.settingsOption).argParser(fileName))
    .helpCommand(false)
    .helpOption('-h, --help', texts.helpOption)
    .addHelpText('after', `\n${texts.more}\n${texts.every}\n${texts.settings}\n${texts.exits}`)
    .exitOverride(refuse([`  porchlight ${texts.words}`], texts.overviewMore))
    .configureHelp({ helpWidth: WIDTH })
    .configureOutput({ writeOut, writeErr: noAction, outputError: noAction });
  for (const name of names) program.addCommand(commandOf(program, name, onTyped));
  return program.configureHelp({ helpWidth: WIDTH, subcommandTerm: (verb) => verb.name() });
}

/** A word that begins with a dash is the next option, so the name was forgotten. */
function fileName(word: string): string {
  if (word === '' || word.startsWith('-')) throw new InvalidArgumentError(texts.noSettings);
  return word;
}

function commandOf(program: Command, name: VerbName, onTyped: (typed: Typed) => unknown): Command {
  const verb = verbs[name];
  const notes: readonly string[] = 'notes' in verb ? verb.notes : [];
  const command = new Command(name)
    .copyInheritedSettings(program)
    .aliases(typedNames(name).slice(1))
    .summary(verb.summary)
    .description(`porchlight ${name}: ${verb.summary}`)
    .helpCommand(false);
  for (const [sub, line] of verbLines(name)) {
    const own = sub === '' ? command : new Command(sub).copyInheritedSettings(program);
    const usage = lineUsage(name, sub);
    own
      .usage(usage.slice(`${name} ${sub}`.trimEnd().length).trim())
      .exitOverride(refuse([`  porchlight ${usage}`], fill(texts.moreOf, { name })));
    addWords(own, line).action((...all: unknown[]) => {
      // The last two are the options and the command.
      onTyped({ name, sub, args: argsOf(all.slice(0, -2)), values: valuesOf(own, line) });
    });
    if (sub === '') continue;
    const isExample = `${verb.example} `.startsWith(`${name} ${sub} `);
    own
      .description(line.about)
      .addHelpText('after', after([], isExample ? verb.example : null, verb.json));
    command.addCommand(own, { isDefault: line.isDefault ?? false });
  }
  if (subVerbsOf(name).length > 0) {
    const lines = verbUsages(name).map((usage) => `  porchlight ${usage}`);
    command.exitOverride(refuse(lines, fill(texts.moreOf, { name }))).usage(texts.subWords);
  }
  return command.addHelpText('after', after(notes, verb.example, verb.json));
}

/** Declares the arguments and options of a line. */
function addWords(command: Command, { args = '', options = {} }: Line): Command {
  for (const word of args.split(' ').filter(Boolean)) {
    const [, name = '', dots = ''] = /^\[?(.*?)\]?(\.\.\.)?$/.exec(word) ?? [];
    const isOptional = word.startsWith('[');
    command.addArgument(new Argument(isOptional ? `[${name}${dots}]` : `<${name}${dots}>`));
  }
  for (const [name, { value, choices, isMany, isNeeded, about }] of Object.entries(options)) {
    const shown = choices?.join('|') ?? value;
    const option = new Option(shown === undefined ? `--${name}` : `--${name} <${shown}>`, about);
    if (choices) option.choices(choices);
    if (isMany) {
      option.argParser((word, before: readonly string[] | undefined) => [...(before ?? []), word]);
    }
    command.addOption(option.makeOptionMandatory(isNeeded ?? false));
  }
  return command;
}

const argsOf = (args: readonly unknown[]): readonly string[] =>
  args.flat().filter((word) => typeof word === 'string');

/** Returns the given options by their names in the table. */
function valuesOf(command: Command, { options = {} }: Line): Typed['values'] {
  return Object.fromEntries(
    command.options.flatMap((option) => {
      const name = option.long?.slice(2) ?? '';
      const key = option.attributeName();
      const isGiven = command.getOptionValueSource(key) === 'cli' && Object.hasOwn(options, name);
      return isGiven ? [[name, option.negate ? true : command.getOptionValue(key)]] : [];
    }),
  );
}

function after(notes: readonly string[], example: string | null, json: string): string {
  return [
    ...notes.flatMap((note) => ['', note]),
    ...(example === null ? [] : ['', texts.example, `  porchlight ${example}`]),
    '',
    texts.json,
    `  ${json}`,
    '',
    texts.exits,
  ].join('\n');
}

/**
 * Turns commander's refusal into ours: the fault of the words, and the usage of the intended line. After a guess no usage
 * follows.
 */
const refuse = (usage: readonly string[], more: string) => (error: CommanderError) => {
  if (error.exitCode === 0) throw error;
  const isHelp = error.code === 'commander.help';
  const fault = error.message.replace(/^error: /, '');
  const [, word = ''] = /^unknown command '(.*)'$/.exec(fault) ?? [];
  // Commander knows no option by a word without dashes.
  const near = nearest(word, OPTION_WORDS);
  if (near !== null) throw guessed(`${fault} ${fill(texts.guess, { name: `--${near}` })}`, more);
  if (fault.includes(COMMANDER_GUESS)) throw guessed(fault, more);
  throw wrongWords(isHelp ? null : fault, usage, more);
};

const OPTION_WORDS = ['version', 'help'];
const COMMANDER_GUESS = '(Did you mean';
const guessed = (fault: string, more: string) => new OperatorError(`${sentence(fault)}\n${more}`);

function wrongWords(fault: string | null, usage: readonly string[], more: string): OperatorError {
  const said = fault === null ? [] : [sentence(fault)];
  return new OperatorError([...said, texts.usage, ...usage, more].join('\n'));
}

const sentence = (text: string) =>
  text.replace(/^./u, (first) => first.toUpperCase()).replace('\n', ' ');

/** Returns the refusal of words that only the code of a line knows to be wrong. */
export const wrongUsage = (name: VerbName, sub: string, fault: string): OperatorError =>
  wrongWords(fault, [`  porchlight ${lineUsage(name, sub)}`], fill(texts.moreOf, { name }));
