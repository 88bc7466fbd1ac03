/** [R25] What a third party may do at an API is asked for on the consent screen, once a session (decision 042). */

import { decodeJwt } from 'jose';
import * as oidc from 'openid-client';
import { describe, expect, test } from 'vitest';
import { clientEntry, createRelyingParty, follow } from '../../testing/relying-party.ts';
import { createTestApp, type Visitor } from '../../testing/test-app.ts';
import { closeAtEnd } from '../../testing/close-at-end.ts';

const API = 'https://api.example/';
const OTHER_API = 'https://other-api.example/';

const testApp = closeAtEnd(
  await createTestApp({
    apis: [
      { identifier: API, scopes: ['read:plants', 'write:plants', 'delete:plants'] },
      { identifier: OTHER_API, scopes: ['read:secrets'] },
    ],
    clients: [
      clientEntry({
        scopes: ['openid', 'profile', 'email', 'roles'],
        apis: [{ audience: API, scopes: ['read:plants', 'write:plants'] }],
      }),
      clientEntry({
        id: 'house-app',
        firstParty: true,
        apis: [{ audience: API, scopes: ['read:plants'] }],
      }),
    ],
    limitFactor: 100,
  }),
);
const garden = await createRelyingParty(testApp.url);

const ask = (scope: string, extra: Record<string, string> = {}) => ({
  audience: API,
  scope,
  ...extra,
});

async function open(visitor: Visitor, extra: Record<string, string>) {
  const begun = await garden.begin(extra);
  return { begun, place: await follow(visitor, begun.url, testApp.url) };
}

const shown = async (visitor: Visitor, request: string) =>
  (await visitor.ok('getVisit', { query: { request } })).client?.scopes;

const scopesOf = (token: string) => String(decodeJwt(token).scope).split(' ').sort();

async function signedIn(who: string) {
  const visitor = testApp.visitor();
  await visitor.signIn(who);
  return visitor;
}

test('the screen names what is asked for at the API, and the token holds what was allowed', async () => {
  const visitor = await signedIn('member');
  const { begun, place } = await open(visitor, ask('openid email read:plants write:plants'));
  expect(place.url.pathname).toBe('/account/Consent');
  expect(await shown(visitor, place.request)).toEqual([
    'openid',
    'email',
    'read:plants',
    'write:plants',
  ]);
  const { url } = await visitor.ok('allowInteraction', { body: { request: place.request } });
  const back = await follow(visitor, url, testApp.url);
  const { access_token: token } = await garden.redeem(begun, back.url);
  expect(scopesOf(token)).toEqual(['email', 'openid', 'read:plants', 'write:plants']);
  expect(decodeJwt(token).aud).toContain(API);
});

test('in the same session it is not asked again, nor for less; more is asked for alone', async () => {
  const visitor = testApp.visitor();
  await garden.signIn(visitor, 'top', ask('openid read:plants'));
  expect((await open(visitor, ask('openid read:plants'))).place.isClient).toBe(true);
  expect((await open(visitor, ask('openid'))).place.isClient).toBe(true);
  const more = await open(visitor, ask('openid read:plants write:plants'));
  expect(more.place.url.pathname).toBe('/account/Consent');
  expect(await shown(visitor, more.place.request)).toEqual(['write:plants']);
});

test('the next session asks again, also silently; what is told about the person stays allowed', async () => {
  await garden.signIn(testApp.visitor(), 'admin', ask('openid email read:plants'));
  const visitor = await signedIn('admin');
  const silent = await open(visitor, ask('openid email read:plants', { prompt: 'none' }));
  expect(silent.place.url.searchParams.get('error')).toBe('consent_required');
  const { place } = await open(visitor, ask('openid email read:plants'));
  expect(place.url.pathname).toBe('/account/Consent');
  expect(await shown(visitor, place.request)).toEqual(['read:plants']);
  expect((await open(visitor, { scope: 'openid email' })).place.isClient).toBe(true);
});

test('a no gives neither code nor token, and is asked again', async () => {
  const visitor = await signedIn('counter');
  const { place } = await open(visitor, ask('openid read:plants'));
  const { url } = await visitor.ok('denyInteraction', { body: { request: place.request } });
  const back = await follow(visitor, url, testApp.url);
  expect(back.url.searchParams.get('error')).toBe('access_denied');
  expect(back.url.searchParams.get('code')).toBeNull();
  const again = await open(visitor, ask('openid read:plants'));
  expect(again.place.url.pathname).toBe('/account/Consent');
});

test('a scope that the client was not given is neither shown nor given', async () => {
  const visitor = await signedIn('agent');
  const wide = 'openid read:plants delete:plants read:secrets';
  const { begun, place } = await open(visitor, ask(wide));
  expect(await shown(visitor, place.request)).toEqual(['openid', 'read:plants']);
  const { url } = await visitor.ok('allowInteraction', { body: { request: place.request } });
  const back = await follow(visitor, url, testApp.url);
  const { access_token: token } = await garden.redeem(begun, back.url);
  expect(scopesOf(token)).toEqual(['openid', 'read:plants']);
});

test('an API that the client may not use is told to the client, without a question', async () => {
  const visitor = await signedIn('partner');
  for (const [audience, error] of [
    [OTHER_API, 'access_denied'],
    ['https://nobody.example/', 'invalid_target'],
  ] as const) {
    const { place } = await open(visitor, { scope: 'openid read:secrets', audience });
    expect([place.isClient, place.url.searchParams.get('error')]).toEqual([true, error]);
  }
});

test('a client of the house is not asked about', async () => {
  const visitor = await signedIn('intake');
  const house = await createRelyingParty(testApp.url, 'house-app');
  const begun = await house.begin(ask('openid read:plants'));
  const place = await follow(visitor, begun.url, testApp.url);
  expect(place.isClient).toBe(true);
  expect(scopesOf((await house.redeem(begun, place.url)).access_token)).toContain('read:plants');
});

test('taken back, it is asked for again in the same session, and userinfo is closed', async () => {
  const visitor = testApp.visitor();
  const { tokens } = await garden.signIn(visitor, 'special', ask('openid email read:plants'));
  const sub = tokens.claims()?.sub ?? '';
  expect((await oidc.fetchUserInfo(garden.config, tokens.access_token, sub)).sub).toBe(sub);
  await visitor.ok('revokeConsent', { body: { clientId: 'garden-club' } });
  await expect(oidc.fetchUserInfo(garden.config, tokens.access_token, sub)).rejects.toThrow(
    'server responded with a challenge',
  );
  const { place } = await open(visitor, ask('openid email read:plants'));
  expect(place.url.pathname).toBe('/account/Consent');
  expect(await shown(visitor, place.request)).toEqual(['openid', 'email', 'read:plants']);
});

describe('[PRF-06] the roles of a person', () => {
  const ROLES = {
    roles: [
      { roleId: 1, roleKey: 'Member' },
      { roleId: 4, roleKey: 'Admin' },
      { roleId: 6, roleKey: 'Event Counter' },
      { roleId: 16, roleKey: 'Mobile Event Counter' },
    ],
    subtenant_id: 742,
  };

  test('are asked for by name, and are in the ID token, at /userinfo and in an API token', async () => {
    const visitor = await signedIn('multi');
    const { begun, place } = await open(visitor, ask('openid roles read:plants'));
    expect(await shown(visitor, place.request)).toEqual(['openid', 'roles', 'read:plants']);
    const { url } = await visitor.ok('allowInteraction', { body: { request: place.request } });
    const back = await follow(visitor, url, testApp.url);
    const tokens = await garden.redeem(begun, back.url);
    expect(tokens.claims()).toMatchObject(ROLES);
    expect(decodeJwt(tokens.access_token)).toMatchObject(ROLES);
    const subject = tokens.claims()?.sub ?? '';
    const person = await oidc.fetchUserInfo(garden.config, tokens.access_token, subject);
    expect(person).toMatchObject(ROLES);
  });

  test('are told to nobody who did not ask', async () => {
    const { tokens } = await garden.signIn(testApp.visitor(), 'multi', ask('openid read:plants'));
    for (const told of [tokens.claims(), decodeJwt(tokens.access_token)]) {
      expect(told).not.toHaveProperty('roles');
      expect(told).not.toHaveProperty('subtenant_id');
    }
  });

  test.each(['begin', 'push'] as const)(
    'H24: a client whose entry does not name them goes without, and is told so (%s)',
    async (way) => {
      const house = await createRelyingParty(testApp.url, 'house-app');
      const visitor = await signedIn('multi');
      for (const scope of ['openid roles', 'openid email phone roles address']) {
        const begun = await house[way]({ scope });
        const place = await follow(visitor, begun.url, testApp.url);
        const tokens = await house.redeem(begun, place.url);
        expect(tokens.scope).toBe(scope.includes('email') ? 'openid email' : 'openid');
        const person = await oidc.fetchUserInfo(
          house.config,
          tokens.access_token,
          tokens.claims()?.sub ?? '',
        );
        for (const told of [tokens.claims(), person]) {
          expect(told).not.toHaveProperty('roles');
          expect(told).not.toHaveProperty('phone_number');
        }
      }
    },
  );

  test('H24: nobody is asked to allow what the application may not have', async () => {
    const visitor = await signedIn('academy');
    const { place } = await open(visitor, ask('openid phone read:plants'));
    expect(await shown(visitor, place.request)).toEqual(['openid', 'read:plants']);
  });
});
