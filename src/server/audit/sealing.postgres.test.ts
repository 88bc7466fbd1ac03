import { expect, test } from 'vitest';
import { createTestContext } from '../testing/test-app.ts';
import { lockChain } from './audit-store.ts';
import { createSealing } from './sealing.ts';
import { verifyAudit } from './verify.ts';

test('[AUD-01] nobody waits for the chain: events are written while it is held, and late commits are sealed in turn', async () => {
  const context = await createTestContext();
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
  await context.database.close();
});
