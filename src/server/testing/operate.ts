import type { CommandContext, Output } from '#cli/command.ts';
import { readCommand } from '#cli/verbs.ts';

/** Runs `porchlight` with these words on the database of the test. */
export async function operate(context: CommandContext, ...words: string[]): Promise<Output> {
  return readCommand(words).run({
    settingsFile: null,
    env: () => ({}),
    config: () => context.config,
    withDatabase: (work) => work(context),
  });
}
