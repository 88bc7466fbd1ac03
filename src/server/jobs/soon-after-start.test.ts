import { afterEach, expect, test, vi } from 'vitest';
import { createTestApp, type TestApp } from '../testing/test-app.ts';

let testApp: TestApp | null = null;
afterEach(async () => {
  vi.useRealTimers();
  await testApp?.close();
});

test('[SEC-20] a minute after its start a server cleans up', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval'] });
  testApp = await createTestApp();
  const { db } = testApp;
  const old = { key: 'of long ago', points: 1, expires_at: new Date(0) };
  await db.insertInto('limits').values(old).execute();

  const isThere = async () => ((await testApp?.dump()) ?? '').includes('of long ago');
  vi.advanceTimersByTime(59_000);
  expect(await isThere()).toBe(true);
  vi.advanceTimersByTime(1000);
  vi.useRealTimers();
  await vi.waitUntil(async () => !(await isThere()), { timeout: 30_000 });
}, 60_000);
