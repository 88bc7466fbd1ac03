import type { Config } from '../config/config.ts';
import type { ServerContext } from '../context.ts';

export type CommandContext = Pick<ServerContext, 'db' | 'clock' | 'config' | 'secretBox' | 'audit'>;

/** What a command can open: the same settings and the same database as the server's own. */
export type Installation = {
  readonly config: () => Config;
  /** Opens and migrates the database, and closes it in every case. */
  readonly withDatabase: <T>(work: (context: CommandContext) => Promise<T>) => Promise<T>;
};

export type Output = {
  readonly text: string;
  /** The command found something to mend: exit code 1. */
  readonly hasFailed?: boolean;
};

/**
 * One verb of the command line. It reads its words before anything is opened.
 * @throws OperatorError that says how it is meant
 */
export type Command = (words: readonly string[]) => (at: Installation) => Promise<Output>;

export const output = (lines: readonly string[], hasFailed = false): Output => ({
  text: `${lines.join('\n')}\n`,
  hasFailed,
});
