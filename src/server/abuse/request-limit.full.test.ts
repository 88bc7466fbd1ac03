import { afterEach, describe, expect, test } from 'vitest';
import { createTestApp, type TestApp } from '../testing/test-app.ts';

let testApp: TestApp;
afterEach(() => testApp.close());

const total = async (table: 'visits' | 'sign_ins' | 'hosted_payloads') => {
  const { rows } = await testApp.db
    .selectFrom(table)
    .select((eb) => eb.fn.countAll().as('rows'))
    .executeTakeFirstOrThrow();
  return Number(rows);
};

describe('[LIM-11] [R20] rows come into being within a limit', () => {
  test('visits of one network: 64 at once are no more than it has left', async () => {
    testApp = await createTestApp({ limits: { startPerIp: { max: 10, windowMs: 300_000 } } });
    const ip = '203.0.113.60';
    const answers = await Promise.all(
      Array.from({ length: 64 }, () => testApp.visitor(ip).call('getVisit', {})),
    );
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(10);
    const [refused] = answers.filter(({ status }) => status === 429);
    expect(refused).toMatchObject({ errorFlag: 'TOO_MANY' });
    // Seconds of the window went by before the last one was refused.
    const wait = Number(refused?.headers.get('retry-after'));
    expect(wait).toBeGreaterThan(0);
    expect(wait).toBeLessThanOrEqual(300);
    expect(await total('visits')).toBe(10);
    expect((await testApp.visitor().call('getVisit', {})).status).toBe(200);
    testApp.clock.advance(wait);
    expect((await testApp.visitor(ip).call('getVisit', {})).status).toBe(200);
  });

  test('counted several at once, one after another or not, they are as many as the limit says', async () => {
    const max = 230;
    testApp = await createTestApp({ limits: { startPerIp: { max, windowMs: 300_000 } } });
    const ip = '203.0.113.61';
    const begin = async () => (await testApp.visitor(ip).call('getVisit', {})).status;
    const counts = async () =>
      (
        await testApp.db
          .selectFrom('limits')
          .select('points')
          .where('key', 'like', 'startPerIp:%')
          .execute()
      ).map(({ points }) => points);
    expect(await begin()).toBe(200);
    expect(await counts()).toEqual([1]);
    expect([await begin(), await begin(), await begin()]).toEqual([200, 200, 200]);
    expect(await counts()).toEqual([6]);
    let answered = 4;
    for (let round = 0; round < 40; round += 1) {
      const statuses = await Promise.all(Array.from({ length: 8 }, begin));
      answered += statuses.filter((status) => status === 200).length;
    }
    expect(answered).toBe(max);
    expect(await total('visits')).toBe(max);
    expect(await counts()).toEqual([max]);
    testApp.clock.advance(301);
    expect([await begin(), await begin()]).toEqual([200, 200]);
    expect(await counts()).toEqual([6]);
  });

  test('a day has its limit as well, however slowly they come', async () => {
    testApp = await createTestApp({
      limits: { startPerIpADay: { max: 10, windowMs: 86_400_000 } },
    });
    const ip = '203.0.113.62';
    const statuses: number[] = [];
    for (let n = 0; n < 11; n += 1) {
      statuses.push((await testApp.visitor(ip).call('getVisit', {})).status);
      testApp.clock.advance(6 * 60);
    }
    expect(statuses).toEqual([...Array<number>(10).fill(200), 429]);
    testApp.clock.advance(23 * 60 * 60);
    expect((await testApp.visitor(ip).call('getVisit', {})).status).toBe(200);
  });

  test('sign-ins that begin, and requests of applications', async () => {
    testApp = await createTestApp({ limits: { startPerIp: { max: 5, windowMs: 300_000 } } });
    const visitor = testApp.visitor();
    // The visit, two sign-ins, two requests.
    const { authorizeUrl } = await visitor.begin(true);
    await visitor.begin(true);
    for (let n = 0; n < 2; n += 1)
      expect((await visitor.request(authorizeUrl)).status).toBeLessThan(400);
    const before = [await total('sign_ins'), await total('hosted_payloads')];
    expect((await visitor.request(authorizeUrl)).status).toBe(429);
    const begun = await visitor.call('beginSession', {
      body: { entrance: 'portal', isFresh: true },
    });
    expect(begun.status).toBe(429);
    expect([await total('sign_ins'), await total('hosted_payloads')]).toEqual(before);
  });
});

describe('[LIM-11] [R20] errors of one network', () => {
  test('past the limit it is refused, other networks and pages are not, and what works counts nothing', async () => {
    testApp = await createTestApp({ limits: { errorPerIp: { max: 20, windowMs: 300_000 } } });
    const ip = '203.0.113.61';
    const visitor = testApp.visitor(ip);
    for (let n = 0; n < 50; n += 1)
      expect((await visitor.call('getSettings', {})).status).toBe(200);
    for (let n = 0; n < 20; n += 1) {
      expect((await visitor.request('/api/nothing')).status).toBe(404);
    }
    await expect.poll(async () => (await visitor.request('/api/nothing')).status).toBe(429);
    const refused = await visitor.call('getSettings', {});
    expect(refused).toMatchObject({ status: 429, errorFlag: 'TOO_MANY' });
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
    expect((await visitor.request('/api/health/live')).status).toBe(200);
    expect((await visitor.request('/idp/.well-known/openid-configuration')).status).toBe(429);
    expect((await testApp.visitor().call('getSettings', {})).status).toBe(200);
    testApp.clock.advance(301);
    expect((await visitor.call('getSettings', {})).status).toBe(200);
  });
});
