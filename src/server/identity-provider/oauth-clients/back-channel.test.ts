import { createServer, type Server } from 'node:http';
import { createRemoteJWKSet, jwtVerify } from 'jose';
import * as oidc from 'openid-client';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { createTestContext, createTestApp, type TestApp } from '../../testing/test-app.ts';
import { createNotifyClients, logoutNoticeJob } from './back-channel.ts';
import { createClientRegistry, fromSettings } from './registry.ts';
import { freePort } from '../../testing/free-port.ts';
import { resetPassword } from '../../testing/reset.ts';
import {
  clientEntry,
  createRelyingParty,
  follow,
  SIGNED_OUT,
} from '../../testing/relying-party.ts';

let testApp: TestApp;
let house: Awaited<ReturnType<typeof createRelyingParty>>;
let receiver: Server;
let isMoved = false;
/** How the receiver answers; it never ends the answer when it hangs. */
let mode: 'fine' | 'refuses' | 'hangs' | 'fails' | 'moved' = 'fine';
const received: string[] = [];
/** Every token that came, taken or not. */
const tries: string[] = [];

beforeAll(async () => {
  const port = await freePort();
  receiver = createServer((request, response) => {
    if (request.url !== '/logout') isMoved = true;
    let body = '';
    request.on('data', (chunk) => (body += chunk));
    request.on('end', () => {
      const token = new URLSearchParams(body).get('logout_token') ?? '';
      tries.push(token);
      if (mode === 'hangs') return;
      if (mode === 'fails') return response.writeHead(500).end();
      if (mode === 'moved') return response.writeHead(307, { location: '/elsewhere' }).end();
      received.push(token);
      response.writeHead(200).end();
    });
  });
  await new Promise<void>((ready) => receiver.listen(port, '127.0.0.1', ready));
  const backChannelLogoutUri = `http://127.0.0.1:${port}/logout`;
  testApp = await createTestApp({
    clients: [
      clientEntry({ id: 'house-app', name: 'House App', firstParty: true, backChannelLogoutUri }),
      clientEntry({ id: 'quiet-app', firstParty: true }),
    ],
    limitFactor: 100,
  });
  house = await createRelyingParty(testApp.url, 'house-app');
});
afterAll(async () => {
  await testApp.close();
  receiver.closeAllConnections();
  receiver.close();
});
afterEach(() => {
  mode = 'fine';
  received.length = 0;
  tries.length = 0;
});

async function signedIn(who = 'member') {
  const visitor = testApp.visitor();
  const { tokens } = await house.signIn(visitor, who);
  return { visitor, tokens, sid: tokens.claims()?.sid };
}

/** Does all that is due, also what was put off. */
async function settle(seconds = 0) {
  testApp.clock.advance(seconds);
  await testApp.app.outbox.settle();
}

async function verified(token: string | undefined) {
  const keys = createRemoteJWKSet(new URL(`${testApp.url}/idp/.well-known/jwks.json`));
  return jwtVerify(token ?? '', keys, { issuer: `${testApp.url}/idp/`, audience: 'house-app' });
}

const jobs = () =>
  testApp.db.selectFrom('outbox').selectAll().where('kind', '=', 'logoutNotice').execute();

describe('who is told', () => {
  test('[IDP-31] /userinfo names no session: the one that ends is that of the ID token', async () => {
    const { visitor, tokens, sid } = await signedIn();
    const about = await oidc.fetchUserInfo(house.config, tokens.access_token, '4000000001');
    expect(about).toMatchObject({ sub: '4000000001' });
    expect(about).not.toHaveProperty('sid');
    await visitor.ok('logOut', {
      params: { userId: '1', appState: 'x', loggedInId: 'x', roleId: '1' },
    });
    await settle();
    expect(sid).toEqual(expect.any(String));
    expect((await verified(received[0])).payload.sid).toBe(sid);
  });

  test(
    'signing out in the portal tells the client, with a token of its own kind',
    { tags: 'long' },
    async () => {
      const { visitor, sid } = await signedIn();
      await visitor.ok('logOut', {
        params: { userId: '1', appState: 'x', loggedInId: 'x', roleId: '1' },
      });
      await settle();
      expect(received).toHaveLength(1);
      const { payload, protectedHeader } = await verified(received[0]);
      expect(protectedHeader.typ).toBe('logout+jwt');
      expect(payload).toMatchObject({
        sub: '4000000001',
        sid,
        events: { 'http://schemas.openid.net/event/backchannel-logout': {} },
        jti: expect.any(String),
      });
      expect(payload).not.toHaveProperty('nonce');
      expect((payload.exp ?? 0) - (payload.iat ?? 0)).toBe(120);
    },
  );

  test(
    'a new password tells every session of the account, and nobody else’s',
    { tags: 'long' },
    async () => {
      const [first, second, other] = [await signedIn(), await signedIn(), await signedIn('top')];
      await resetPassword(testApp, 'member@demo.porchlight.test', 'Another-Porch-9');
      await settle();
      const sids = await Promise.all(
        received.map(async (token) => (await verified(token)).payload.sid),
      );
      expect(new Set(sids)).toEqual(new Set([first.sid, second.sid]));
      expect(sids).not.toContain(other.sid);
    },
  );

  test(
    'a session without this client, or a client that wants nothing, makes no notice',
    { tags: 'long' },
    async () => {
      const before = (await jobs()).length;
      const visitor = testApp.visitor();
      const quiet = await createRelyingParty(testApp.url, 'quiet-app');
      await quiet.signIn(visitor, 'staff');
      await visitor.ok('logOut', {
        params: { userId: '1', appState: 'x', loggedInId: 'x', roleId: '1' },
      });
      await settle();
      expect(await jobs()).toHaveLength(before);
    },
  );
});

describe('a receiver that is not well', () => {
  for (const kind of ['fails', 'moved', 'hangs'] as const) {
    const tags = kind === 'hangs' ? ['long'] : [];
    test(`it ${kind}: tried again until it is well, with the same jti`, { tags }, async () => {
      const { visitor, sid } = await signedIn('agent');
      mode = kind;
      isMoved = false;
      await visitor.ok('logOut', {
        params: { userId: '1', appState: 'x', loggedInId: 'x', roleId: '1' },
      });
      await settle();
      expect(tries).toHaveLength(1);
      expect(received).toEqual([]);
      // Where it points to is not where we go.
      expect(isMoved).toBe(false);
      mode = 'fine';
      await settle(3600);
      await settle(3600);
      expect(received).toHaveLength(1);
      const payloads = await Promise.all(
        tries.map(async (token) => (await verified(token)).payload),
      );
      expect(payloads.length).toBeGreaterThan(1);
      expect(new Set(payloads.map((payload) => payload.jti)).size).toBe(1);
      expect(payloads.every((payload) => payload.sid === sid)).toBe(true);
      expect((await jobs()).every((job) => job.done_at)).toBe(true);
    });
  }
});

describe('sign-out that a client asks for', () => {
  const ask = async (visitor: ReturnType<TestApp['visitor']>, params: Record<string, string>) =>
    visitor.request(oidc.buildEndSessionUrl(house.config, params).href);

  async function answerYes(visitor: ReturnType<TestApp['visitor']>, page: Response) {
    const html = await page.text();
    const [, action = ''] = /action="([^"]+)"/.exec(html) ?? [];
    const [, xsrf = ''] = /name="xsrf" value="([^"]+)"/.exec(html) ?? [];
    const done = await visitor.request(action, {
      method: 'POST',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body: new URLSearchParams({ xsrf, logout: 'yes' }).toString(),
    });
    return done.headers.get('location');
  }

  test('with the ID token of this session nobody is asked; portal and client are told', async () => {
    const { visitor, tokens, sid } = await signedIn('intake');
    const page = await ask(visitor, {
      id_token_hint: tokens.id_token ?? '',
      post_logout_redirect_uri: SIGNED_OUT,
      state: 'back',
    });
    const policy = page.headers.get('content-security-policy') ?? '';
    expect(policy).toMatch(/script-src 'sha256-[^']+'/);
    expect(policy).toContain('form-action');
    expect(await answerYes(visitor, page)).toBe(`${SIGNED_OUT}?state=back`);
    expect((await visitor.ok('getVisit', {})).login).toBeNull();
    await settle();
    expect((await verified(received[0])).payload.sid).toBe(sid);
  });

  test(
    'without one, or with another session’s, the person is asked',
    { tags: 'long' },
    async () => {
      const { visitor } = await signedIn('partner');
      const other = await signedIn('special');
      for (const params of [{}, { id_token_hint: other.tokens.id_token ?? '' }]) {
        const html = await (await ask(visitor, params as Record<string, string>)).text();
        expect(html).toContain('Do you want to sign out?');
        expect(html).not.toContain('<script>');
      }
      expect((await visitor.ok('getVisit', {})).login).not.toBeNull();
      expect(received).toEqual([]);
    },
  );

  test('[D20] an address that is not on the list leads nowhere', async () => {
    const { visitor, tokens } = await signedIn('counter');
    const page = await ask(visitor, {
      id_token_hint: tokens.id_token ?? '',
      post_logout_redirect_uri: 'https://evil.example/',
    });
    expect(page.status).toBe(400);
    expect(await page.text()).not.toContain('evil');
    const place = await follow(visitor, (await house.begin({ prompt: 'none' })).url, testApp.url);
    expect(place.url.searchParams.get('code')).toBeTruthy();
  });
});

describe('before anything is sent', () => {
  const SESSION = { accountId: '7', clients: [{ clientId: 'garden-club', sid: 's1' }] };
  const NOTICE = { accountId: '7', clientId: 'garden-club', sid: 's1', jti: 'j1' };
  const HERE = 'http://127.0.0.1:4999/logout';

  async function channel(
    backChannelLogoutUri: string | null,
    token: string | null = 'a token',
    mode: 'demo' | 'production' = 'demo',
  ) {
    const context = await createTestContext({ logoutNotice: async () => {} }, { mode });
    const client = fromSettings([clientEntry({ backChannelLogoutUri })]);
    const sent: string[] = [];
    const deps = {
      clients: createClientRegistry(context.db, client),
      interactions: { logoutToken: async () => token },
      fetch: async (url: string) => {
        sent.push(url);
        return new Response();
      },
    };
    const sessionEnded = createNotifyClients(context, deps.clients);
    return { ...context, sent, sessionEnded, job: logoutNoticeJob(context, deps) };
  }

  test('a session that ends twice makes one notice for a client', async () => {
    const { db, database, sessionEnded } = await channel(HERE);
    await sessionEnded(SESSION);
    await sessionEnded(SESSION);
    await sessionEnded({ ...SESSION, clients: [{ clientId: 'garden-club', sid: 's2' }] });
    await sessionEnded({ ...SESSION, clients: [{ clientId: 'nobody', sid: 's1' }] });
    const rows = await db.selectFrom('outbox').select('idempotency_key').execute();
    expect(rows).toHaveLength(2);
    await database.close();
  });

  test.each([
    ['the client wants to be told no more', null, 'a token'],
    ['the client is gone', HERE, null],
  ])('%s: nothing is sent, and nothing is tried again', async (_name, uri, token) => {
    const { database, job, sent } = await channel(uri, token);
    await job.deliver(NOTICE, 'notice', null);
    expect(sent).toEqual([]);
    await database.close();
  });

  test('[D20] an address that may not be called is not, whatever the database says', async () => {
    const { database, job, sent } = await channel(HERE, 'a token', 'production');
    await expect(job.deliver(NOTICE, 'notice', null)).rejects.toThrow(
      'The address is not one that may be called',
    );
    expect(sent).toEqual([]);
    await database.close();
  });
});
