import { randomInt } from 'node:crypto';
import { endsRound } from './availability.ts';

/** Rows that failed: their number, the id of one of them, and its error as the cause. */
export class RowsFailed extends Error {
  readonly count: number;
  readonly example: unknown;

  constructor(count: number, row?: unknown, cause?: unknown) {
    super(`Rows that failed: ${count}`, { cause });
    this.count = count;
    this.example = typeof row === 'object' && row !== null && 'id' in row ? row.id : row;
  }
}

/**
 * Runs the work on each row. A row that fails or is too slow does not stop the others; a lost connection does. The order
 * is random, so that no row comes first in each run.
 * @throws RowsFailed after the last row
 */
export async function forEachRow<T>(
  rows: readonly T[],
  work: (row: T) => Promise<unknown>,
  signal?: AbortSignal,
): Promise<void> {
  const failed: { readonly row: T; readonly error: unknown }[] = [];
  for (const row of shuffled(rows)) {
    if (signal?.aborted) break;
    try {
      await work(row);
    } catch (error) {
      if (endsRound(error)) throw error;
      failed.push({ row, error });
    }
  }
  const [first] = failed;
  if (first) throw new RowsFailed(failed.length, first.row, first.error);
}

/** Returns the rows in a random order. A time of the last try would be a write to a row that may be locked. */
const shuffled = <T>(rows: readonly T[]): readonly T[] =>
  rows
    .map((row) => ({ row, place: randomInt(2 ** 47) }))
    .toSorted((a, b) => a.place - b.place)
    .map(({ row }) => row);
