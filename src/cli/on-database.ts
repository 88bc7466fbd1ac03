import type { CommandContext, Output, Run } from './command.ts';

/** Returns the run of a line that works on the database. */
export const onDatabase =
  (work: (context: CommandContext) => Promise<Output>): Run =>
  (at) =>
    at.withDatabase(work);
