import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { RATE_LIMITS } from '../config/limits.ts';
import { DEMO_PASSWORD, demoEmail } from '../demo/seed.ts';
import { createTestApp, type TestApp } from '../testing/test-app.ts';

let testApp: TestApp;
beforeAll(async () => {
  testApp = await createTestApp();
});
afterAll(() => testApp.close());

const refusals = ({ db }: TestApp, ip: string) =>
  db
    .selectFrom('audit_events')
    .selectAll()
    .where('kind', '=', 'request.refused')
    .where('ip', '=', ip)
    .orderBy('id')
    .execute();
const accountOf = async (email: string) => {
  const { id } = await testApp.db
    .selectFrom('users')
    .select('id')
    .where('email_canonical', '=', email)
    .executeTakeFirstOrThrow();
  return id;
};

describe('[AUD-06] [R50] every refusal leaves an event with its reason', () => {
  test('a locked account: which account, from where, on which way', async () => {
    const ip = '198.51.100.31';
    const email = demoEmail('staff');
    const visitor = testApp.visitor(ip);
    for (let n = 0; n < RATE_LIMITS.passwordPerAccountAndIp.max; n += 1) {
      await visitor.authenticate(email, 'Wrong-Pass-1');
    }
    const { status, headers } = await visitor.authenticate(email, DEMO_PASSWORD);
    expect(status).toBe(429);
    await vi.waitFor(async () => expect(await refusals(testApp, ip)).toHaveLength(1));
    const userId = await accountOf(email);
    expect(await refusals(testApp, ip)).toMatchObject([
      {
        user_id: userId,
        outcome: 'failure',
        reason: 'TOO_MANY',
        request_id: headers.get('x-request-id'),
        details: { path: '/idp/co/authenticate', count: 1 },
      },
    ]);
  });

  test('a call of the portal: the account that the browser last tried to be', async () => {
    const ip = '198.51.100.32';
    const email = demoEmail('member');
    const visitor = testApp.visitor(ip);
    const { userId } = await visitor.reachCode(email);
    let answer = await visitor.sendCode(userId, 'TWOFACTORAUTHENTICATION');
    for (let n = 0; n < RATE_LIMITS.codePerAccount.max && answer.status !== 429; n += 1) {
      testApp.clock.advance(121);
      answer = await visitor.sendCode(userId, 'TWOFACTORAUTHENTICATION');
    }
    expect(answer.status).toBe(429);
    await vi.waitFor(async () => expect(await refusals(testApp, ip)).not.toEqual([]));
    expect((await refusals(testApp, ip)).at(-1)).toMatchObject({
      user_id: await accountOf(email),
      reason: answer.errorFlag,
      details: { path: '/api/OTP/Send-OTP-To-User' },
    });
  });

  test('what no page sends leaves none', async () => {
    const ip = '198.51.100.33';
    const visitor = testApp.visitor(ip);
    await visitor.request('/api/nowhere');
    await visitor.post('/api/OTP/Verify', { nothing: true });
    await visitor.ok('getVisit', {});
    await visitor.call('issueHandoff', {
      body: { choice: { kind: 'role', roleId: 4 }, entrance: 'portal' },
    });
    await vi.waitFor(async () => expect(await refusals(testApp, ip)).not.toEqual([]));
    const rows = await refusals(testApp, ip);
    expect(rows.map(({ reason }) => reason)).toEqual(['NO_SESSION']);
  });
});

describe('[AUD-07] a flood of refusals', () => {
  let flooded: TestApp;
  beforeEach(async () => {
    flooded = await createTestApp();
    flooded.clock.pin(new Date());
  });
  afterEach(() => flooded.close());

  test('leaves one event a minute with the number it stands for', async () => {
    const ip = '198.51.100.41';
    const visitor = flooded.visitor(ip);
    const email = demoEmail('member');
    const attempts = async (count: number) => {
      for (let n = 0; n < count; n += 1) await visitor.authenticate(email, 'Wrong-Pass-1');
    };
    await attempts(RATE_LIMITS.passwordPerAccountAndIp.max + 12);
    await vi.waitFor(async () => expect(await refusals(flooded, ip)).toHaveLength(1));
    flooded.clock.advance(60);
    await attempts(3);
    await vi.waitFor(async () => expect(await refusals(flooded, ip)).toHaveLength(2));
    const counts = (await refusals(flooded, ip)).map(({ details }) => details.count);
    expect(counts).toEqual([1, 12]);
  });
});

describe('[AUD-08] [PRF-09] a suspended account with the right password', () => {
  test('is told as suspended, counts as no failure, and is never a wrong password', async () => {
    const email = demoEmail('suspended');
    const ip = '198.51.100.51';
    const visitor = testApp.visitor(ip);
    for (let n = 0; n <= RATE_LIMITS.passwordPerAccountAndIp.max; n += 1) {
      expect((await visitor.authenticate(email, DEMO_PASSWORD)).status).toBe(200);
    }
    const userId = await accountOf(email);
    const kinds = await testApp.db
      .selectFrom('audit_events')
      .orderBy('id')
      .select(['kind', 'reason'])
      .where('user_id', '=', userId)
      .where('ip', '=', ip)
      .execute();
    expect(new Set(kinds.map(({ kind }) => kind))).toEqual(new Set(['signIn.suspended']));
    expect(kinds[0]).toMatchObject({ reason: 'suspended' });
  });
});
