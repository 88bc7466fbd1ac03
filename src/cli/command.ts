import stringWidth from 'string-width';
import type { SubVerb, ValuesOf, VerbName, verbs } from '#locales/operator/verbs.ts';
import type { Config } from '#server/config/config.ts';
import type { DeedContext } from '#server/access/context.ts';

export type CommandContext = DeedContext;

/** The resources of a command: the settings and the database of the server. */
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
  /** Asks the operator at a terminal, and returns the trimmed answer; absent where nobody could answer. */
  readonly ask?: (question: string) => Promise<string>;
  /** Prints at once, for example the operator's next step while the command waits. */
  readonly say?: (line: string) => void;
  /** Prints how far long work is; `share` goes from 0 to 1, `null` where the end is not known. */
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

export type Run = (at: Installation) => Promise<Output>;

/** Returns the run of a line that works on the database. */
export const onDatabase =
  (work: (context: CommandContext) => Promise<Output>): Run =>
  (at) =>
    at.withDatabase(work);

/**
 * One line of the table. It reads its words before anything is opened.
 * @throws OperatorError with their faults
 */
export type LineOf<Line> = (args: readonly string[], values: ValuesOf<Line>) => Run;

/** The lines of a verb by sub-verb, each with the options that the table declares. */
export type CommandOf<Name extends VerbName> = {
  readonly [Sub in SubVerb<Name>]: LineOf<(typeof verbs)[Name]['lines'][Sub]>;
};

/** Returns the output of a command: lines for people, data for programs. */
export const output = <Data extends object>(
  lines: readonly string[],
  data: Data,
  hasFailed = false,
): Output<Data> => ({
  text: lines.map((line) => `${line}\n`).join(''),
  data,
  hasFailed,
});

/** Returns rows as a table; without a row `none`, or the header alone. */
export function tableLines<Row extends object>(
  rows: readonly Row[],
  header: readonly string[],
  cellsOf: (row: Row) => readonly (string | number)[],
  none?: string,
): Output {
  const isEmpty = rows.length === 0 && none !== undefined;
  return output(isEmpty ? [none] : table(header, rows.map(cellsOf)), rows);
}

/** Returns the lines of a table with aligned columns, its header first. */
export function table(
  header: readonly string[],
  rows: readonly (readonly (string | number)[])[],
): readonly string[] {
  const all = [header, ...rows.map((row) => row.map(String))];
  const widths = header.map((_, at) => Math.max(...all.map((row) => stringWidth(row[at] ?? ''))));
  const cell = (text: string, at: number) =>
    text + ' '.repeat((widths[at] ?? 0) - stringWidth(text));
  return all.map((row) => row.map(cell).join('  ').trimEnd());
}
