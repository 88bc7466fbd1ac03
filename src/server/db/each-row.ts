import { isDatabaseAway } from './availability.ts';

/** The rows that failed, beside their errors. */
export class RowsFailed extends AggregateError {
  readonly rows: readonly unknown[];

  constructor(failed: readonly { readonly row: unknown; readonly error: unknown }[]) {
    super(
      failed.map(({ error }) => error),
      `Rows that failed: ${failed.length}`,
    );
    this.rows = failed.map(({ row }) => row);
  }
}

/**
 * Runs the work on each row. A row that fails does not stop the others; a database that is away does.
 * @throws RowsFailed after the last row
 */
export async function forEachRow<T>(
  rows: readonly T[],
  work: (row: T) => Promise<unknown>,
  signal?: AbortSignal,
): Promise<void> {
  const failed: { readonly row: T; readonly error: unknown }[] = [];
  for (const row of rows) {
    if (signal?.aborted) break;
    try {
      await work(row);
    } catch (error) {
      if (isDatabaseAway(error)) throw error;
      failed.push({ row, error });
    }
  }
  if (failed.length > 0) throw new RowsFailed(failed);
}
