import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { HOUR_MS } from '#domain/text/duration.ts';
import type { Db } from '../db/database.ts';
import { createTestApp, type TestApp } from '../testing/test-app.ts';
import { openTestDatabase, type TestDatabase } from '../testing/test-database.ts';
import { createAudit } from './audit.ts';
import { readLastSeal } from './audit-store.ts';
import { sealHead } from './verify.ts';
import { until } from '../testing/until.ts';

const SEAL_MS = 5000;
const SLOW_MS = 60_000;

let database: TestDatabase;
let testApp: TestApp;
let written: () => readonly string[];
beforeEach(async () => {
  const write = vi.spyOn(process.stdout, 'write').mockReturnValue(true);
  written = () => write.mock.calls.map(([line]) => String(line));
  // Time limits of statements are real ones.
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
  database = await openTestDatabase('keyed');
  // It is looked at after the server has ended.
  const kept = { ...database, close: async () => undefined };
  testApp = await createTestApp({ logLevel: 'info' }, null, { database: kept });
  // An hour of the clock is thousands of looks for jobs.
  await testApp.app.outbox.stop();
});
afterEach(async () => {
  vi.useRealTimers();
  vi.restoreAllMocks();
  await database.close();
});

const note = () => createAudit(testApp)({ kind: 'signOut' });
const openRows = async (db: Db) =>
  (
    await db
      .selectFrom('audit_events')
      .select('id')
      .where('seal', 'is', null)
      .orderBy('id')
      .execute()
  ).length;

test(
  '[R49] [AUD-01] a running server seals every five seconds, and tells the newest batch in its log every hour',
  async () => {
    const { db } = testApp;
    await note();
    vi.advanceTimersByTime(SEAL_MS);
    await until(async () => (await openRows(db)) === 0);
    const seal = await readLastSeal(db);
    const heads = () =>
      written()
        .filter((line) => line.includes('audit log sealed'))
        .map((line) => (JSON.parse(line) as { readonly head: string }).head);
    vi.advanceTimersByTime(HOUR_MS);
    await until(() => heads().length > 0);
    expect(heads()).toEqual([seal && sealHead(seal)]);
    await testApp.close();
  },
  SLOW_MS,
);

test(
  '[R49] [AUD-01] one that ends seals what its last requests left',
  { tags: 'long' },
  async () => {
    await note();
    await testApp.close();
    expect(await openRows(database.db)).toBe(0);
  },
);
