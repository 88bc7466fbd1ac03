import type { KyselyPlugin } from 'kysely';
import { sql } from 'kysely';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { erasePerson } from '../administration/privacy/erase.ts';
import { createTestContext } from '../testing/test-app.ts';
import { lockChain } from './audit-store.ts';
import { createSealing } from './sealing.ts';
import { verifyAudit } from './verify.ts';
import { until } from '../testing/until.ts';

let context: Awaited<ReturnType<typeof createTestContext>>;
beforeEach(async () => {
  context = await createTestContext();
});
afterEach(() => context.database.close());

test('[AUD-01] nobody waits for the chain: events are written while it is held, and late commits are sealed in turn', async () => {
  const { db, audit } = context;
  const sealing = createSealing(context);
  await db.transaction().execute(async (late) => {
    await audit({ kind: 'signUp.created', userId: 1 }, late);
    await audit({ kind: 'signOut', userId: 2 });
    // The later row is committed first.
    expect(await sealing.seal()).toBe(1);
    await db.transaction().execute(async (holder) => {
      await lockChain(holder);
      await audit({ kind: 'signOut', userId: 3 });
      expect(await sealing.seal()).toBe(0);
    });
  });
  expect(await sealing.seal()).toBe(2);
  expect(await verifyAudit(context, () => undefined)).toMatchObject({
    rows: 3,
    batches: 2,
    open: 0,
    faultCount: 0,
  });
});

test.each([
  ['retention', () => createSealing(context).clearBefore(context.clock.now())],
  ['erasure', () => erasePerson(context, 7)],
])('[AUD-01] %s waits for whoever seals', async (_, work) => {
  const { db } = context;
  let isDone = false;
  const begun = await db.transaction().execute(async (holder) => {
    await lockChain(holder);
    const way = work().finally(() => (isDone = true));
    await until(async () => {
      const { rows } = await sql`select 1 from pg_stat_activity
        where datname = current_database() and wait_event_type = 'Lock'`.execute(db);
      return isDone || rows.length > 0;
    });
    expect(isDone).toBe(false);
    return { way };
  });
  await begun.way;
});

test('[AUD-03] what retention takes while the chain is verified is no fault', async () => {
  const { db, audit, clock } = context;
  const sealing = createSealing(context);
  await audit({ kind: 'signOut' });
  await sealing.seal();
  clock.advanceMs(1000);
  let cleared = 0;
  const afterSeals: KyselyPlugin = {
    transformQuery: ({ node }) => node,
    async transformResult({ result }) {
      const isSeals = result.rows.some((row) => 'last_hash' in row);
      if (isSeals && cleared === 0) cleared = await sealing.clearBefore(clock.now());
      return result;
    },
  };
  const watched = { db: db.withPlugin(afterSeals), secretBox: context.secretBox };
  expect(await verifyAudit(watched, () => undefined)).toMatchObject({ rows: 1, faultCount: 0 });
  expect(cleared).toBe(1);
});
