/** [R30] A client that proves itself with its own key (RFC 7523): wherever it may, none of the forgeries is taken. */

import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  forge,
  type Forgery,
  type Honest,
  honestToken,
  type Key,
  makeKey,
  publicPart,
  taken,
} from '../forged-tokens.ts';
import { CALLBACK, clientEntry } from '../relying-party.ts';
import { createTestApp, type TestApp } from '../test-app.ts';

/** The provider's own. */
const LEEWAY_SECONDS = 15;
const ASSERTION = 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer';
const seconds = () => Math.floor(Date.now() / 1000);

let testApp: TestApp;
let key: Key;
let retired: Key;
let rows: readonly Forgery[];

const claimsOf = (client: string) => {
  const now = seconds();
  const issuer = `${testApp.url}/idp/`;
  return { iss: client, sub: client, aud: issuer, iat: now, exp: now + 120, jti: randomUUID() };
};

const honestOf = (client: string, changed: Honest['changed'] = {}): Honest => ({
  alg: 'ES256',
  typ: 'JWT',
  key,
  retired,
  claims: claimsOf(client),
  now: seconds(),
  leeway: LEEWAY_SECONDS,
  otherTypes: ['at+jwt', 'logout+jwt', 'dpop+jwt', 'oauth-authz-req+jwt', 'hand-off+jwt'],
  changed,
});

beforeAll(async () => {
  [key, retired] = [await makeKey('ES256', 'k2'), await makeKey('ES256', 'k1')];
  const keyed = (id: string, own: Key) =>
    clientEntry({
      id,
      firstParty: true,
      grants: ['authorization_code', 'refresh_token'],
      auth: { method: 'private_key_jwt', jwks: { keys: [publicPart(own, 'ES256')] } },
    });
  testApp = await createTestApp({
    clients: [keyed('keyed-app', key), keyed('other-app', retired), clientEntry()],
  });
  const honest = honestOf('keyed-app', {
    'of another client': { iss: 'other-app', sub: 'other-app' },
    'made by another client about this one': { iss: 'other-app' },
    'made by this client about another one': { sub: 'other-app' },
    'of a client with a secret': { iss: 'garden-club', sub: 'garden-club' },
    'of a client that is not here': { iss: 'nobody', sub: 'nobody' },
    'no id of its own': { jti: undefined },
    'an id that is a number': { jti: 7 },
    'for the portal': { aud: testApp.url },
    'for us and another party': { aud: [`${testApp.url}/idp/`, 'https://other.example/'] },
    'for the authorization endpoint': { aud: `${testApp.url}/idp/authorize` },
    'good for a day': { exp: seconds() + 24 * 3600 },
  });
  // RFC 7523 3: whether it says when it was made is the client's choice.
  rows = (await forge(honest)).filter(({ name }) => name !== 'made at no time');
});
afterAll(() => testApp.close());

const post = async (path: string, form: Record<string, string>) => {
  const response = await fetch(`${testApp.url}/idp/${path}`, {
    method: 'POST',
    body: new URLSearchParams(form),
  });
  const text = await response.text();
  const body = (text ? JSON.parse(text) : {}) as { error?: string };
  return { ...body, status: response.status, error: body.error };
};

const by = (assertion: string) => ({
  client_assertion: assertion,
  client_assertion_type: ASSERTION,
});

/** Each with what it says to a client that has proven itself. */
const PLACES: readonly [string, Record<string, string>, { status: number; error?: string }][] = [
  [
    'oauth/token',
    { grant_type: 'refresh_token', refresh_token: 'made-up' },
    { status: 400, error: 'invalid_grant' },
  ],
  [
    'oauth/par',
    {
      client_id: 'keyed-app',
      response_type: 'code',
      redirect_uri: CALLBACK,
      scope: 'openid',
      code_challenge: 'a'.repeat(43),
      code_challenge_method: 'S256',
    },
    { status: 201 },
  ],
  ['oauth/revoke', { token: 'made-up' }, { status: 200 }],
  ['oauth/introspect', { token: 'made-up' }, { status: 200 }],
];

describe.each(PLACES)('at %s', (path, form, proven) => {
  const ask = (assertion: string, extra: Record<string, string> = {}) =>
    post(path, { ...form, ...by(assertion), ...extra });

  test('every forged assertion is refused, the honest one is not', async () => {
    expect(await ask(honestToken(honestOf('keyed-app')))).toMatchObject(proven);
    const isTaken = async (assertion: string) => {
      // All have the same id: that one of them was taken must not be what refuses the next.
      await testApp.db
        .deleteFrom('hosted_payloads')
        .where('model', '=', 'ReplayDetection')
        .execute();
      const { status, error } = await ask(assertion, { client_id: 'keyed-app' });
      return status < 400 || !['invalid_client', 'invalid_request'].includes(error ?? '');
    };
    expect(await taken(rows, isTaken)).toEqual([]);
  });

  test('when it was made may be left out, when it ends may not', async () => {
    expect(await ask(honestToken(honestOf('keyed-app'), { iat: undefined }))).toMatchObject(proven);
    const endless = honestToken(honestOf('keyed-app'), { exp: undefined });
    expect(await ask(endless)).toMatchObject({ error: 'invalid_client' });
  });

  test('an assertion proves its client once', async () => {
    const assertion = honestToken(honestOf('keyed-app'));
    expect(await ask(assertion)).toMatchObject(proven);
    expect(await ask(assertion)).toMatchObject({ status: 401, error: 'invalid_client' });
  });

  test('for nobody else, beside no secret, and not under another name', async () => {
    const fresh = () => honestToken(honestOf('keyed-app'));
    for (const extra of [
      { client_id: 'other-app' },
      { client_secret: 'x' },
      { client_assertion_type: 'urn:ietf:params:oauth:client-assertion-type:saml2-bearer' },
    ]) {
      const { status, error } = await ask(fresh(), extra);
      expect([status, error]).toEqual([400, 'invalid_request']);
    }
    const nothing = await post(path, { ...form, client_id: 'keyed-app' });
    expect(nothing).toMatchObject({ status: 401, error: 'invalid_client' });
  });
});
