import { expect, test } from 'vitest';
import { forEachRow, RowsFailed } from './each-row.ts';

const failure = (message: string, code?: string) => Object.assign(new Error(message), { code });
const ROWS = Array.from({ length: 20 }, (_, id) => ({ id }));

/** Walks rows of which one fails. @returns the rows that were tried, and what was thrown */
async function walk(error: unknown) {
  const tried: number[] = [];
  const thrown: unknown = await forEachRow(ROWS, async ({ id }) => {
    tried.push(id);
    if (id === 0) throw error;
  }).catch((reason: unknown) => reason);
  return { tried, thrown };
}

test.each([
  ['wrong', failure('duplicate key', '23505')],
  ['slow', failure('canceling statement due to statement timeout', '57014')],
  ['locked', failure('canceling statement due to lock timeout', '55P03')],
  ['slow behind a pooler', failure('Query read timeout')],
  ['in a deadlock', failure('deadlock detected', '40P01')],
])('[OPS-98] S68: a row that is %s keeps no other from its turn', async (_, error) => {
  const { tried, thrown } = await walk(error);
  expect(tried).toHaveLength(ROWS.length);
  expect(thrown).toBeInstanceOf(RowsFailed);
  expect(thrown).toMatchObject({ count: 1, example: 0, cause: error });
});

test.each([
  failure('connection failure', '08006'),
  failure('terminating connection', '57P01'),
  failure('crash of another process', '57P02'),
  failure('the database system is starting up', '57P03'),
  failure('connect ECONNREFUSED', 'ECONNREFUSED'),
  failure('Connection terminated unexpectedly'),
])('[OPS-98] S68: a lost connection ends the round: %s', async (error) => {
  const { tried, thrown } = await walk(error);
  expect(thrown).toBe(error);
  expect(tried.at(-1)).toBe(0);
});

test('[OPS-98] S68: each run begins with another row', async () => {
  const orders = new Set<string>();
  for (let run = 0; run < 5; run += 1) {
    const tried: number[] = [];
    await forEachRow(ROWS, async ({ id }) => tried.push(id));
    expect(tried.toSorted((a, b) => a - b)).toEqual(ROWS.map(({ id }) => id));
    orders.add(tried.join());
  }
  expect(orders.size).toBeGreaterThan(1);
});
