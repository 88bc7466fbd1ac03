import type { Output } from '#cli/command.ts';
import { readCommand } from '#cli/verbs.ts';
import { adminContextOf, type Given } from './admin-context.ts';

/** Runs `porchlight` with these words on the database of the test. */
export async function operate(given: Given, ...words: string[]): Promise<Output> {
  const context = adminContextOf(given);
  return readCommand(words).run({
    settingsFile: null,
    env: () => ({}),
    config: () => context.config,
    withDatabase: (work) => work(context),
  });
}
