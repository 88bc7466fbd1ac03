/** [OPS-56] Modules hear that a session is over, from the real server, at a receiver of their own. */

import { createRemoteJWKSet, type JWTPayload, jwtVerify } from 'jose';
import { afterAll, beforeEach, describe, expect, test } from 'vitest';
import { LOGOUT_EVENT } from '#domain/hand-off/logout-token.ts';
import { createAudit } from '../audit/audit.ts';
import type { ModuleConfig } from '../config/modules-file.ts';
import { createSecretBox, hashToken } from '../crypto/secret-box.ts';
import { operate } from '../testing/operate.ts';
import { startHttpReceiver } from '../testing/receivers.ts';
import { resetPassword } from '../testing/reset.ts';
import { createTestApp, createTestContext, type Visitor } from '../testing/test-app.ts';
import { createHandOffKeys } from './keys.ts';
import { signOutNoticeJob } from './sign-out-notices.ts';

const SECRET = 'the secret of these modules';

const receiver = await startHttpReceiver();
const testApp = await createTestApp({
  // A module that hangs is waited out.
  providerTimeoutMs: 1500,
  modules: [
    moduleOf('member-intake', `${receiver.url}/signed-out`),
    moduleOf('admin', `${receiver.url}/admin-signed-out`),
    moduleOf('event-counter', null),
  ],
  limitFactor: 100,
});
afterAll(async () => {
  await testApp.close();
  await receiver.close();
});
beforeEach(async () => {
  await receiver.setMood(200);
  receiver.received.length = 0;
});

function moduleOf(id: ModuleConfig['id'], signOutUrl: string | null): ModuleConfig {
  const [rootUrl, loginUrl] = ['http://localhost:1/', 'http://localhost:1/login'];
  return {
    id,
    rootUrl,
    loginUrl,
    secretHash: hashToken(SECRET),
    sealedTo: null,
    signOutUrl,
    accepts: ['otp'],
  };
}

type Choice = { kind: 'role'; roleId: number } | null;

/** The address of a hand-off, and its token. */
async function issued(visitor: Visitor, choice: Choice = null) {
  const { url } = await visitor.ok('issueHandoff', { body: { choice, entrance: 'portal' } });
  const token = Buffer.from(new URL(url).searchParams.get('token') ?? '', 'base64').toString();
  return { sid: new URL(url).searchParams.get('loggenInId'), token };
}

async function redeem(id: string, token: string) {
  const authorization = `Basic ${Buffer.from(`${id}:${SECRET}`).toString('base64')}`;
  const headers = { authorization, origin: '', 'sec-fetch-site': '' };
  return testApp.visitor().call('redeemHandoff', { body: { token } }, headers);
}

/** Signed in, and received by the module. */
async function atModule(name: string, id = 'member-intake', choice: Choice = null) {
  const visitor = testApp.visitor();
  await visitor.signIn(name);
  const { sid, token } = await issued(visitor, choice);
  const { status, data } = await redeem(id, token);
  expect([status, data?.loggedInId]).toEqual([200, sid]);
  return { visitor, sid, userId: data?.userId ?? 0 };
}

const signOut = (visitor: Visitor) =>
  visitor.ok('logOut', { params: { userId: '1', appState: 'x', loggedInId: 'x', roleId: '1' } });

/** Does all that is due, also what was put off. */
async function settle(seconds = 0) {
  testApp.clock.advance(seconds);
  await testApp.app.outbox.settle();
}

async function verified(body: string | undefined, audience = 'member-intake') {
  const keys = createRemoteJWKSet(new URL(`${testApp.url}/api/Handoff/Keys`));
  const token = new URLSearchParams(body).get('logout_token') ?? '';
  const currentDate = testApp.clock.now();
  const rules = { issuer: testApp.url, audience, typ: 'logout+jwt', currentDate };
  return (await jwtVerify(token, keys, { ...rules, algorithms: ['ES256'] })).payload;
}
const told = () => Promise.all(receiver.received.map(({ body }) => verified(body)));
const sidsOf = (payloads: readonly JWTPayload[]) => new Set(payloads.map(({ sid }) => sid));

describe('[OPS-56] a sign-out in the portal', () => {
  test('tells the module once, by a token that names module, person and session', async () => {
    const { visitor, sid, userId } = await atModule('member');
    const { token } = await issued(visitor);
    expect((await redeem('member-intake', token)).status).toBe(200);
    await signOut(visitor);
    await signOut(visitor);
    await settle();
    expect(receiver.received.map(({ path }) => path)).toEqual(['/signed-out']);
    const [{ headers, body } = { headers: {}, body: '' }] = receiver.received;
    expect(headers['content-type']).toBe('application/x-www-form-urlencoded');
    const payload = await verified(body);
    expect(payload).toEqual({
      iss: testApp.url,
      aud: 'member-intake',
      sub: String(userId),
      sid,
      jti: expect.any(String),
      iat: expect.any(Number),
      exp: (payload.iat ?? 0) + 120,
      events: { [LOGOUT_EVENT]: {} },
    });
  });

  test('tells each module of the session, and none that redeemed nothing or wants nothing', async () => {
    const visitor = testApp.visitor();
    await visitor.signIn('everything');
    await issued(visitor, { kind: 'role', roleId: 3 });
    const counter = await issued(visitor, { kind: 'role', roleId: 6 });
    const admin = await issued(visitor, { kind: 'role', roleId: 4 });
    expect((await redeem('event-counter', counter.token)).status).toBe(200);
    expect((await redeem('admin', admin.token)).status).toBe(200);
    await signOut(visitor);
    await settle();
    expect(receiver.received.map(({ path }) => path)).toEqual(['/admin-signed-out']);
    const { sid } = await verified(receiver.received[0]?.body, 'admin');
    expect(sid).toBe(admin.sid);
  });

  test('of another person tells nothing of this one', async () => {
    const here = await atModule('member');
    const other = await atModule('top');
    await signOut(other.visitor);
    await settle();
    expect(sidsOf(await told())).toEqual(new Set([other.sid]));
    expect((await issued(here.visitor)).sid).toBe(here.sid);
    await signOut(here.visitor);
    await settle();
    expect(sidsOf(await told())).toEqual(new Set([here.sid, other.sid]));
  });
});

describe('[OPS-56] every other end of a session', () => {
  const both = async (name: string) => [await atModule(name), await atModule(name)] as const;

  test('a new password ends all sessions of the account, and nobody else’s', async () => {
    const sessions = await both('member');
    await atModule('top');
    await resetPassword(testApp, 'member@demo.porchlight.test', 'Another-Porch-9');
    await settle();
    expect(sidsOf(await told())).toEqual(new Set(sessions.map(({ sid }) => sid)));
  });

  /** `porchlight user`, in a process beside the server. */
  const user = (...words: string[]) => {
    const { db, clock, config } = testApp;
    const secretBox = createSecretBox(config.secret);
    const context = { db, clock, config, secretBox, audit: createAudit({ db, clock }) };
    return operate(context, 'user', ...words);
  };

  test('suspension by an operator', async () => {
    const { sid, userId } = await atModule('top');
    await user('suspend', String(userId));
    await settle();
    expect(sidsOf(await told())).toContain(sid);
    await user('resume', String(userId));
  });

  test('[SEC-14] sign-out by an operator: of one session its module alone, of all of them each', async () => {
    const [first, second] = await both('member-agent');
    const other = await atModule('top');
    const id = String(first.userId);
    await user('sign-out', id, '--session', first.sid ?? '');
    await settle();
    expect(sidsOf(await told())).toEqual(new Set([first.sid]));
    await user('sign-out', id);
    await settle();
    expect(sidsOf(await told())).toEqual(new Set([first.sid, second.sid]));
    await signOut(other.visitor);
    await settle();
  });

  test('sign-out at the hosted login', async () => {
    const { visitor, sid } = await atModule('member-agent');
    await visitor.request('/idp/v2/logout');
    await settle();
    expect(sidsOf(await told())).toEqual(new Set([sid]));
  });

  test('somebody else signs in with this browser', async () => {
    const { visitor, sid } = await atModule('member-agent');
    await visitor.signIn('top');
    await settle();
    expect(sidsOf(await told())).toEqual(new Set([sid]));
  });

  test('but not that the portal was left alone: its person works in the module', async () => {
    const { visitor } = await atModule('member-agent');
    await settle(31 * 60);
    expect((await visitor.ok('getVisit', {})).login).toBeNull();
    await settle();
    expect(receiver.received).toEqual([]);
  });
});

describe('[OPS-56] a module that is not well', () => {
  test.each([500, 302, 'hang'] as const)(
    'answers %s: told again until it is well, by a new token with the same jti',
    async (mood) => {
      const { visitor, sid } = await atModule('top');
      await receiver.setMood(mood);
      await signOut(visitor);
      await settle();
      expect(receiver.received).toHaveLength(1);
      const first = await verified(receiver.received[0]?.body);
      await receiver.setMood(200);
      await settle(300);
      expect(receiver.received).toHaveLength(2);
      const second = await verified(receiver.received[1]?.body);
      expect(second).toMatchObject({ jti: first.jti, sid });
      expect(second.iat).toBeGreaterThan((first.iat ?? 0) + 290);
      await settle(3600);
      expect(receiver.received).toHaveLength(2);
    },
    30_000,
  );

  test('an address that production may not call is not called', async () => {
    const context = await createTestContext({}, { mode: 'production' });
    const calls: string[] = [];
    const job = signOutNoticeJob(context, {
      modules: [moduleOf('admin', 'http://127.0.0.1:4999/signed-out')],
      keys: createHandOffKeys(() => testApp.app.keys.current('handoff')),
      fetch: async (url) => {
        calls.push(url);
        return new Response();
      },
    });
    const payload = { module: 'admin', sid: 's', sub: '1', jti: 'j' };
    await expect(job.deliver(payload, 'key', null)).rejects.toThrow('may be called');
    await job.deliver({ ...payload, module: 'agent' }, 'key', null);
    expect(calls).toEqual([]);
    await context.database.close();
  });
});
