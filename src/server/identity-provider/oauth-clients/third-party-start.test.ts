/** Links to an application's own sign-in: `/account/start/<client id>` (OIDC Core 4). */

import { describe, expect, test } from 'vitest';
import { DEMO_PASSWORD } from '../../demo/seed.ts';
import { CALLBACK, clientEntry, createRelyingParty } from '../../testing/relying-party.ts';
import { createTestApp, type Visitor } from '../../testing/test-app.ts';
import { closeAtEnd } from '../../testing/close-at-end.ts';

const INITIATE = 'https://garden.example.org/sign-in?from=portal';

const testApp = closeAtEnd(
  await createTestApp({
    clients: [
      clientEntry({ initiateLoginUri: INITIATE }),
      clientEntry({ id: 'second', name: 'Second', initiateLoginUri: 'https://second.example/go' }),
      clientEntry({ id: 'no-start', name: 'No Start' }),
      clientEntry({
        id: 'native',
        type: 'native',
        redirectUris: ['org.example.garden:/callback'],
        auth: { method: 'none' },
        initiateLoginUri: 'https://native.example/go',
      }),
    ],
    limitFactor: 100,
  }),
);

async function start(id: string, target?: string, visitor: Visitor = testApp.visitor()) {
  const query = target === undefined ? '' : `?target_link_uri=${encodeURIComponent(target)}`;
  const response = await visitor.request(`/account/start/${id}${query}`);
  const to = new URL(response.headers.get('location') ?? '', testApp.url);
  return { status: response.status, to, given: Object.fromEntries(to.searchParams) };
}

const hintOf = async (visitor: Visitor, id = 'garden-club') =>
  (await start(id, undefined, visitor)).given.login_hint;

test('leads to where the client begins, and says which provider sends the person', async () => {
  const { status, to, given } = await start('garden-club', 'https://garden.example.org/beds?row=3');
  expect(status).toBe(303);
  expect(to.origin + to.pathname).toBe('https://garden.example.org/sign-in');
  expect(given).toEqual({
    from: 'portal',
    iss: `${testApp.url}/idp/`,
    target_link_uri: 'https://garden.example.org/beds?row=3',
  });
});

test('the target may also be where the client answers; without one there is none', async () => {
  const { given } = await start('garden-club', new URL('/beds', CALLBACK).href);
  expect(given.target_link_uri).toBe('http://localhost:4999/beds');
  expect((await start('garden-club')).given).not.toHaveProperty('target_link_uri');
});

describe('[D20] no open redirect', () => {
  test.each([
    'https://evil.example/',
    'https://garden.example.org.evil.example/',
    'https://evil.example/garden.example.org',
    'https://garden.example.org@evil.example/',
    'http://garden.example.org/',
    'https://garden.example.org:444/',
    'https://second.example/go',
    'http://localhost:4998/',
    '//garden.example.org/',
    '/beds',
    'javascript:alert(1)',
    'data:text/html,x',
    'blob:https://garden.example.org/1',
    '',
  ])('a target at %s leads nowhere', async (target) => {
    const { status, to } = await start('garden-club', target);
    expect([status, to.pathname]).toEqual([303, '/account/RequestOver']);
    expect(to.origin).toBe(testApp.url);
  });

  test.each(['other.scheme:/x', 'org.example.garden:/x', 'null', 'about:blank'])(
    'schemes of the makers of apps have no origin that could be compared: %s',
    async (target) => {
      expect((await start('native', target)).to.pathname).toBe('/account/RequestOver');
    },
  );

  test('an unknown client, one without a beginning, and a name that no client can have', async () => {
    for (const id of ['nobody', 'no-start', 'porchlight-portal', '__proto__', '%00', '..%2Fidp']) {
      for (const target of [undefined, CALLBACK]) {
        const { to } = await start(id, target);
        expect([id, to.origin, to.pathname]).toEqual([id, testApp.url, '/account/RequestOver']);
      }
    }
  });
});

describe('what the client learns about the person', () => {
  test('nothing without a sign-in, nor before the code is right', async () => {
    const visitor = testApp.visitor();
    expect(await hintOf(visitor)).toBeUndefined();
    await visitor.reachCode('member@demo.porchlight.test', DEMO_PASSWORD);
    expect(await hintOf(visitor)).toBeUndefined();
  });

  test(
    'that it is the same one as last time, and not who; another client cannot compare',
    { tags: 'long' },
    async () => {
      const [first, again, other] = [testApp.visitor(), testApp.visitor(), testApp.visitor()];
      await first.signIn('agent');
      await again.signIn('agent');
      await other.signIn('partner');
      const hint = await hintOf(first);
      expect(hint).toMatch(/^[\w-]{20,}$/);
      expect(await hintOf(again)).toBe(hint);
      expect(await hintOf(other)).not.toBe(hint);
      expect(await hintOf(first, 'second')).not.toBe(hint);
      expect(hint).not.toContain('4000000');
      await first.ok('logOut', {
        params: { userId: '1', appState: 'a', loggedInId: 'b', roleId: '1' },
      });
      expect(await hintOf(first)).toBeUndefined();
    },
  );

  test('the hint comes back with the request and fills in nothing', { tags: 'long' }, async () => {
    const visitor = testApp.visitor();
    await visitor.signIn('counter');
    const hint = (await hintOf(visitor)) ?? '';
    const garden = await createRelyingParty(testApp.url);
    const { place, tokens } = await garden.signIn(visitor, 'counter', { login_hint: hint });
    expect(place.isClient).toBe(true);
    expect(tokens.claims()?.sub).toBeTruthy();
  });
});
