/** [IDP-32] Tokens that are bound to a key (RFC 9449), for clients that send a proof of it. */

import { createHash, randomUUID } from 'node:crypto';
import { calculateJwkThumbprint, decodeJwt, exportJWK, generateKeyPair, SignJWT } from 'jose';
import * as oidc from 'openid-client';
import { describe, expect, test } from 'vitest';
import { CALLBACK, clientEntry, createRelyingParty } from '../../testing/relying-party.ts';
import { createTestApp } from '../../testing/test-app.ts';
import { API, BOUND, createWire, SPA, wireClients } from '../../testing/wire.ts';
import { closeAtEnd } from '../../testing/close-at-end.ts';

const testApp = closeAtEnd(
  await createTestApp((url) => {
    const { clients = [], ...settings } = wireClients(url);
    const garden = clientEntry({
      dpop: 'required',
      scopes: ['openid', 'profile', 'email', 'offline_access'],
      grants: ['authorization_code', 'refresh_token'],
    });
    return { ...settings, clients: [...clients, garden], limitFactor: 50 };
  }),
);
const wire = createWire(testApp);
const visitor = testApp.visitor();
await visitor.signIn('member');
const key = await createKey();

/** A key pair of a client, and its proofs. */
async function createKey() {
  const { privateKey, publicKey } = await generateKeyPair('ES256');
  const jwk = await exportJWK(publicKey);
  const proof = (path: string, claims: object = {}) =>
    new SignJWT({ htm: 'POST', htu: `${wire.issuer}${path}`, ...claims })
      .setProtectedHeader({ alg: 'ES256', typ: 'dpop+jwt', jwk })
      .setIssuedAt()
      .setJti(randomUUID())
      .sign(privateKey);
  return {
    thumbprint: await calculateJwkThumbprint(jwk),
    proof,
    tokenProof: async () => ({ dpop: await proof('oauth/token') }),
    /** For a call with a token. */
    useProof: (token: string, path: string) =>
      proof(path, {
        htm: 'GET',
        ath: createHash('sha256').update(token).digest('base64url'),
      }),
  };
}

async function userInfo(headers: Record<string, string>) {
  const answer = await fetch(`${wire.issuer}userinfo`, { headers });
  return { status: answer.status, challenge: answer.headers.get('www-authenticate') ?? '' };
}

const boundTokens = async (extra: Record<string, string | undefined> = {}) =>
  wire.tokens(visitor, extra, await key.tokenProof());

test('discovery names the algorithms, and no client has to use it', async () => {
  const found = await fetch(`${wire.issuer}.well-known/openid-configuration`);
  expect(await found.json()).toMatchObject({
    dpop_signing_alg_values_supported: ['ES256', 'RS256', 'PS256', 'Ed25519'],
  });
  expect(await wire.tokens(visitor)).toMatchObject({ status: 200, token_type: 'Bearer' });
});

test('[IDP-33] H27: /userinfo takes no token from the address', async () => {
  const { access_token: token } = await wire.tokens(visitor);
  const answer = await fetch(`${wire.issuer}userinfo?access_token=${token}`);
  expect(answer.status).toBe(400);
  expect(await answer.json()).toMatchObject({ error: 'invalid_request' });
});

describe('a token for a proof', () => {
  test('is bound to the key, also at an API and for a machine', async () => {
    expect(await boundTokens()).toMatchObject({ status: 200, token_type: 'DPoP' });
    const forApi = await boundTokens({ audience: API, scope: 'openid read:messages' });
    const machine = await wire.machine({ audience: API }, await key.tokenProof());
    for (const { token_type: type, access_token: token } of [forApi, machine]) {
      expect(type).toBe('DPoP');
      expect(decodeJwt(token)).toMatchObject({ cnf: { jkt: key.thumbprint } });
    }
  });

  test('opens /userinfo with a proof of the same key, and without one nothing', async () => {
    const { access_token: token } = await boundTokens();
    const proof = await key.useProof(token, 'userinfo');
    const authorization = `DPoP ${token}`;
    expect(await userInfo({ authorization, dpop: proof })).toMatchObject({ status: 200 });
    // A proof is good for once.
    expect(await userInfo({ authorization, dpop: proof })).toMatchObject({ status: 401 });
    const other = await (await createKey()).useProof(token, 'userinfo');
    for (const headers of [
      { authorization: `Bearer ${token}` },
      { authorization },
      { authorization, dpop: other },
      { authorization, dpop: await key.useProof('another token', 'userinfo') },
      { authorization, dpop: await key.useProof(token, 'oauth/token') },
    ]) {
      const { status } = await userInfo(headers as Record<string, string>);
      expect([400, 401]).toContain(status);
    }
  });

  test('is no bearer token: neither of an API at /userinfo, nor at the Management API', async () => {
    const forApi = await boundTokens({ audience: API, scope: 'openid read:messages' });
    const bearer = { authorization: `Bearer ${forApi.access_token}` };
    expect(await userInfo(bearer)).toMatchObject({ status: 401 });
    const audience = `${wire.issuer}api/v2/`;
    const own = await boundTokens({ audience, scope: 'openid read:current_user' });
    expect(await userInfo({ authorization: `Bearer ${own.access_token}` })).toMatchObject({
      status: 401,
    });
    const { sub = '' } = decodeJwt(own.id_token ?? '');
    const machine = await wire.machine({ audience }, await key.tokenProof());
    for (const { access_token: token, token_type: type } of [own, machine]) {
      expect(type).toBe('DPoP');
      expect((await wire.manage(token, 'GET', `users/${sub}`)).status).toBe(401);
    }
  });
});

test('a refresh token of a page is bound as well', async () => {
  const { refresh_token: token } = await boundTokens();
  const refresh = async (headers: Record<string, string>) =>
    wire.token({ grant_type: 'refresh_token', client_id: SPA, refresh_token: token }, headers);
  const other = await createKey();
  expect(await refresh({})).toMatchObject({ error: 'invalid_grant' });
  expect(await refresh(await other.tokenProof())).toMatchObject({ error: 'invalid_grant' });
  expect(await refresh(await key.tokenProof())).toMatchObject({ status: 200, token_type: 'DPoP' });
});

test('of twenty requests with one proof at once, one gets a token', async () => {
  const proof = await key.tokenProof();
  const all = await Promise.all(
    Array.from({ length: 20 }, () => wire.machine({ audience: API }, proof)),
  );
  expect(all.filter(({ status }) => status === 200)).toHaveLength(1);
});

test('a client that has to use it gets no token without a proof', async () => {
  const asked = { client_id: BOUND };
  expect(await wire.tokens(visitor, asked)).toMatchObject({ error: 'invalid_grant' });
  expect(await wire.tokens(visitor, asked, await key.tokenProof())).toMatchObject({
    status: 200,
    token_type: 'DPoP',
  });
});

test(
  'openid-client: a pushed request, tokens, a refresh and /userinfo with its proofs',
  { tags: 'long' },
  async () => {
    const { config, goThrough } = await createRelyingParty(testApp.url);
    const DPoP = oidc.getDPoPHandle(config, await oidc.randomDPoPKeyPair());
    const pkceCodeVerifier = oidc.randomPKCECodeVerifier();
    const url = await oidc.buildAuthorizationUrlWithPAR(
      config,
      {
        redirect_uri: CALLBACK,
        scope: 'openid email offline_access',
        prompt: 'consent',
        code_challenge: await oidc.calculatePKCECodeChallenge(pkceCodeVerifier),
        code_challenge_method: 'S256',
      },
      { DPoP },
    );
    const place = await goThrough(testApp.visitor(), 'member', url);
    const checks = { pkceCodeVerifier, idTokenExpected: true };
    const tokens = await oidc.authorizationCodeGrant(config, place.url, checks, {}, { DPoP });
    expect(tokens.token_type).toBe('dpop');
    const { sub = '' } = tokens.claims() ?? {};
    const again = await oidc.refreshTokenGrant(config, tokens.refresh_token ?? '', {}, { DPoP });
    const person = await oidc.fetchUserInfo(config, again.access_token, sub, { DPoP });
    expect(person).toMatchObject({ sub, email: expect.any(String) });
  },
);
