import { afterAll, describe, expect, test } from 'vitest';
import { createAudit } from '../audit/audit.ts';
import { demoEmail } from '../demo/seed.ts';
import { createTestApp, type TestApp } from '../testing/test-app.ts';
import { untilHolds } from '../testing/until.ts';

const UUID = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/;

const behindProxy = await createTestApp();
const direct = await createTestApp({ trustedProxies: ['203.0.113.0/24'] });
afterAll(async () => {
  await behindProxy.close();
  await direct.close();
});

const eventsOf = ({ db }: TestApp, requestId: string) =>
  db
    .selectFrom('audit_events')
    .orderBy('id')
    .selectAll()
    .where('request_id', '=', requestId)
    .execute();

const idOf = async ({ url }: TestApp, path: string, given?: string) => {
  const headers = given === undefined ? undefined : { 'x-request-id': given };
  const response = await fetch(new URL(path, url), { ...(headers && { headers }) });
  await response.text();
  return response.headers.get('x-request-id') ?? '';
};

describe('[AUD-04] [R50] the id of a request', () => {
  test('is that of a trusted proxy', async () => {
    expect(await idOf(behindProxy, '/api/health/live', 'edge-1234567890')).toBe('edge-1234567890');
    expect(await idOf(behindProxy, '/nowhere', 'edge-1234567891')).toBe('edge-1234567891');
    expect(
      await idOf(behindProxy, '/idp/.well-known/openid-configuration', 'edge-1234567892'),
    ).toBe('edge-1234567892');
  });

  test('is a new one for everybody else, and for what is no id', async () => {
    expect(await idOf(direct, '/api/health/live', 'edge-1234567890')).toMatch(UUID);
    expect(await idOf(behindProxy, '/api/health/live')).toMatch(UUID);
    for (const given of ['short', 'x'.repeat(65), 'somebody@example.test', 'with space in it']) {
      expect(await idOf(behindProxy, '/api/health/live', given)).toMatch(UUID);
    }
  });

  test('stands in every event of the request, with the subtenant and who acted', async () => {
    const visitor = behindProxy.visitor('198.51.100.20');
    const response = await visitor.signUp(
      { emailAddress: 'audited@example.test' },
      {
        'x-request-id': 'the-sign-up-1',
      },
    );
    expect(response.headers.get('x-request-id')).toBe('the-sign-up-1');
    expect(await eventsOf(behindProxy, 'the-sign-up-1')).toMatchObject([
      {
        kind: 'signUp.created',
        actor: 'visitor',
        outcome: 'success',
        reason: null,
        ip: '198.51.100.20',
        subtenant_id: 742,
      },
    ]);
    // What the event does not say itself, the visit does.
    const { userId = 0 } = response.data ?? {};
    await visitor.call(
      'sendOtp',
      { body: { createdBy: userId, otpSendMedium: 3, otpType: 'USER_ACTIVATION' } },
      { 'x-request-id': 'the-code-1' },
    );
    expect(await eventsOf(behindProxy, 'the-code-1')).toMatchObject([
      { kind: 'otp.sent', subtenant_id: 742, visit_id: expect.any(String) },
    ]);
    // Through the hosted login, whose code has only the raw request.
    const { headers } = await visitor.authenticate(demoEmail('member'), 'Wrong-Pass-1');
    const id = headers.get('x-request-id') ?? '';
    expect(await eventsOf(behindProxy, id)).toMatchObject([
      { kind: 'signIn.wrongPassword', outcome: 'failure', reason: 'wrongPassword' },
    ]);
  });

  test('names another server that acted, not the visitor', { tags: 'long' }, async () => {
    const { db } = behindProxy;
    const visitor = behindProxy.visitor();
    await visitor.signIn(demoEmail('member'));
    const actors = async () =>
      (
        await db
          .selectFrom('audit_events')
          .orderBy('id')
          .select('actor')
          .where('kind', '=', 'hosted.tokens')
          .execute()
      ).map(({ actor }) => actor);
    const { hostedLogin } = await visitor.ok('getSettings', {});
    await untilHolds(async () =>
      expect(await actors()).toEqual([`client:${hostedLogin.clientId}`]),
    );
  });

  test('what a worker does is no part of the request that woke it', { tags: 'long' }, async () => {
    const { db, clock, app } = behindProxy;
    const audit = createAudit({ db, clock });
    app.outbox.define({ kind: 'probe', deliver: () => audit({ kind: 'module.checked' }) });
    const visitor = behindProxy.visitor();
    const { userId } = await visitor.reachCode(demoEmail('member'));
    for (let n = 0; n < 3; n += 1) {
      // A job that is under way while the clock jumps over its lease is done twice.
      await app.outbox.settle();
      clock.advance(121);
      await app.outbox.add(db, { kind: 'probe', payload: {}, idempotencyKey: `probe:${n}` });
      // Wakes the worker, which finds the probe as well.
      await visitor.sendCode(userId, 'TWOFACTORAUTHENTICATION');
    }
    await app.outbox.settle();
    const rows = await db
      .selectFrom('audit_events')
      .orderBy('id')
      .select(['request_id', 'actor'])
      .where('kind', '=', 'module.checked')
      .execute();
    expect(rows).toEqual(rows.map(() => ({ request_id: null, actor: 'server' })));
    expect(rows).toHaveLength(3);
  });
});
