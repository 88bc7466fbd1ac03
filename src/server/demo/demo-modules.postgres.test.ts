import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { untilWaiting } from '../testing/row-lock.ts';
import { createTestContext } from '../testing/test-app.ts';
import { setUpDemoModules } from './demo-modules.ts';

const STARTS = 5;

test('[R45] instances of a demo that start at once have one key for each module', async () => {
  const context = await createTestContext();
  const { db, database } = context;
  const starts = await db.transaction().execute(async (transaction) => {
    // Whoever looks finds none; whoever writes waits for the others.
    await sql`lock table demo_module_keys in share mode`.execute(transaction);
    const begun = Array.from({ length: STARTS }, () => setUpDemoModules(context));
    await untilWaiting(db, STARTS);
    return { all: Promise.all(begun) };
  });
  const keys = (await starts.all).map(({ modules }) =>
    JSON.stringify(modules.map(({ sealedTo }) => sealedTo)),
  );
  expect(new Set(keys).size).toBe(1);
  await database.close();
});
