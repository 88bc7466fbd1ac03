import pg from 'pg';
import { expect, test } from 'vitest';
import { createTestContext } from '../testing/test-app.ts';

test('[R45] a job that another worker is taking at this moment is left to it, and holds up nobody', async () => {
  const received: unknown[] = [];
  const context = await createTestContext({ outgoing: async ({ n }) => void received.push(n) });
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
