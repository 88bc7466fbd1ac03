import type { KyselyPlugin } from 'kysely';
import pg from 'pg';
import { expect, test } from 'vitest';
import { createTestContext } from '../testing/test-app.ts';
import { until } from '../testing/until.ts';
import { createOutbox } from './outbox.ts';

test('[R45] a job that another worker is taking at this moment is left to it, and holds up nobody', async () => {
  const received: unknown[] = [];
  const context = await createTestContext({ parcel: async ({ n }) => void received.push(n) });
  for (const n of [1, 2]) {
    await context.outbox.add(context.db, {
      kind: 'parcel',
      payload: { n },
      idempotencyKey: `parcel:${n}`,
    });
  }
  const other = new pg.Client({ connectionString: context.database.url ?? '' });
  await other.connect();
  await other.query('begin');
  await other.query(`select id from outbox where idempotency_key = 'parcel:1' for update`);
  expect(await context.outbox.runDue()).toBe(1);
  expect(received).toEqual([2]);
  await other.query('rollback');
  await other.end();
  expect(await context.outbox.runDue()).toBe(1);
  expect(received).toEqual([2, 1]);
  await context.database.close();
});

test('settles what a job has added that ended while the worker looked for due jobs', async () => {
  const received: unknown[] = [];
  const free = Promise.withResolvers<void>();
  let isLooking = false;
  /** Lets the first job end between the worker's look at the table and its answer. */
  const slowAnswer: KyselyPlugin = {
    transformQuery: ({ node }) => node,
    async transformResult({ result }) {
      if (isLooking) {
        isLooking = false;
        free.resolve();
        await until(async () => (await rows()).some(({ done_at }) => done_at !== null));
      }
      return result;
    },
  };
  const context = await createTestContext();
  const { db, clock, secretBox } = context;
  const rows = () => db.selectFrom('outbox').selectAll().execute();
  const outbox = createOutbox({
    db: db.withPlugin(slowAnswer),
    clock,
    secretBox,
    onError: (error) => context.errors.push(error),
  });
  const add = (n: number) =>
    outbox.add(db, { kind: 'parcel', payload: { n }, idempotencyKey: `parcel:${n}` });
  outbox.define({
    kind: 'parcel',
    async deliver({ n }) {
      if (n === 1) {
        await free.promise;
        await add(2);
      }
      received.push(n);
    },
  });
  await add(1);
  outbox.wake();
  await until(async () => (await rows()).some(({ attempts }) => attempts === 1));
  isLooking = true;
  await outbox.settle();
  expect(received).toEqual([1, 2]);
  await context.database.close();
});
