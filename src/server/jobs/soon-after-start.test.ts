import { afterEach, expect, test, vi } from 'vitest';
import { createTestApp, type TestApp } from '../testing/test-app.ts';

let testApp: TestApp | null = null;
afterEach(async () => {
  vi.useRealTimers();
  await testApp?.close();
});

test('[SEC-20] a minute after its start a server cleans up, and encrypts what the release before wrote', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval'] });
  testApp = await createTestApp();
  const { db, clock } = testApp;
  const member = await db
    .selectFrom('users')
    .select('id')
    .where('status', '=', 'active')
    .orderBy('id')
    .executeTakeFirstOrThrow();
  const plain = {
    id: crypto.randomUUID(),
    user_id: member.id,
    subject_id: 217,
    response_id: 419,
    sub_response: 'Mr. Foxglove',
    created_at: clock.now(),
  };
  await db.insertInto('survey_answers').values(plain).execute();
  const old = { key: 'of long ago', points: 1, expires_at: new Date(0) };
  await db.insertInto('limits').values(old).execute();

  vi.advanceTimersByTime(59_000);
  expect(await testApp.dump()).toContain('Mr. Foxglove');
  vi.advanceTimersByTime(1000);
  vi.useRealTimers();
  const left = async () => {
    const text = (await testApp?.dump()) ?? '';
    return ['Mr. Foxglove', 'of long ago'].filter((each) => text.includes(each));
  };
  await vi.waitUntil(async () => (await left()).length === 0, { timeout: 30_000 });
}, 60_000);
