import { describe, expect, test } from 'vitest';
import { OIDC_SCOPES } from './scopes.ts';
import {
  createClientDirectory,
  mayReadFrom,
  scopesOf,
  toClientMetadata,
  WEB_ORIGINS,
} from './clients.ts';
import type { OAuthClient } from './client-port.ts';
import { fixedClients } from './testing/fixed-clients.ts';

const PASSWORDLESS = 'http://auth0.com/oauth/grant-type/passwordless/otp';

const client = (clientId: string, more: Partial<OAuthClient> = {}): OAuthClient => ({
  clientId,
  redirectUris: [`https://${clientId}.example/callback`],
  postLogoutRedirectUris: [`https://${clientId}.example/bye`],
  webOrigins: [`https://${clientId}.example`],
  firstParty: false,
  ...more,
});

const { list, find } = fixedClients([
  client('house', { firstParty: true, grants: ['authorization_code', PASSWORDLESS] }),
  client('other-house', { firstParty: true, grants: ['authorization_code', PASSWORDLESS] }),
  client('garden'),
]);
/** A database makes a text of whatever it is asked for. */
const directory = createClientDirectory({ list, find: (id) => find(String(id)) });

describe('[R25] where an application is at home', () => {
  test('a page reads answers to the clients that list its origin, and to no other', () => {
    const garden = toClientMetadata(client('garden'));
    expect(mayReadFrom(garden, 'https://garden.example')).toBe(true);
    for (const origin of ['https://house.example', 'https://garden.example.evil.example', 'null']) {
      expect(mayReadFrom(garden, origin)).toBe(false);
    }
    expect(mayReadFrom({}, 'https://garden.example')).toBe(false);
    const listed = { [WEB_ORIGINS]: 'https://garden.example' };
    expect(mayReadFrom(listed, 'https://garden.example')).toBe(false);
  });

  test('a call without a client is that of the page it came from, if that may', async () => {
    const found = async (origin: string, grant: string) =>
      (await directory.findByOrigin(origin, grant))?.clientId;
    expect(await found('https://other-house.example', PASSWORDLESS)).toBe('other-house');
    expect(await found('https://garden.example', PASSWORDLESS)).toBeUndefined();
    expect(await found('https://elsewhere.example', PASSWORDLESS)).toBeUndefined();
  });

  test('a sign-out leads to the pages of the client that is named, without one to those of the house', async () => {
    expect(await directory.logoutTargets('garden')).toEqual(['https://garden.example/bye']);
    expect(await directory.logoutTargets('nobody')).toEqual([]);
    expect(await directory.logoutTargets(['garden'])).toEqual([]);
    expect(await directory.logoutTargets(undefined)).toEqual([
      'https://house.example/bye',
      'https://other-house.example/bye',
    ]);
  });
});

test('an id is one text, and nothing else finds anybody', async () => {
  expect((await directory.find('house'))?.clientId).toBe('house');
  for (const id of [['house'], { toString: () => 'house' }, undefined, null, 0]) {
    expect(await directory.find(id)).toBeUndefined();
  }
});

test('a client with scopes of its own has those, any other has all there are', () => {
  const narrow = toClientMetadata(client('garden', { scopes: ['openid', 'email'] }));
  expect(scopesOf(narrow)).toEqual(['openid', 'email']);
  expect(scopesOf(toClientMetadata(client('garden')))).toEqual(OIDC_SCOPES);
});
