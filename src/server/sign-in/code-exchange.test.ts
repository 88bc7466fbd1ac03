import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { exportJWK, generateKeyPair, SignJWT } from 'jose';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createTestProvider, PORTAL, webMessage } from '#openid-provider/testing/test-provider.ts';
import type { TestProvider } from '#openid-provider/testing/test-provider.ts';
import { createCodeExchange } from './code-exchange.ts';
import type { CodeExchangeOptions } from './code-exchange.ts';

describe('against the embedded hosted login', () => {
  let testProvider: TestProvider;
  beforeAll(async () => {
    testProvider = await createTestProvider();
  });
  afterAll(() => testProvider.close());

  const options = (): CodeExchangeOptions => ({
    issuer: testProvider.issuer,
    clientId: PORTAL,
    redirectUri: `${testProvider.origin}/account/Redirect`,
    organization: '742',
    timeoutMs: 5000,
  });

  test('[GEN-05] [API-05] password, code, silent check, exchange: the whole sign-in', async () => {
    const exchange = createCodeExchange(options());
    const browser = testProvider.browser();
    const before = await exchange.begin();
    const ticket = await testProvider.ticket(browser);
    const redirected = await browser.fetch(`${before.authorizeUrl}&login_ticket=${ticket}`);
    const silent = await webMessage(await browser.fetch(redirected.headers.get('location') ?? ''));
    expect(silent.response.error).toBe('login_required');
    expect(testProvider.events.at(-1)?.state).toBe(before.state);
    await testProvider.verifyCode(browser);

    const begun = await exchange.begin();
    const { response } = await webMessage(await browser.fetch(begun.authorizeUrl));
    const { code = '', state = '' } = response;
    const result = await exchange.exchange({ code, state, expected: begun });
    expect(result).toEqual({
      kind: 'ok',
      identity: {
        sub: 'mary',
        amr: ['pwd', 'otp'],
        authTime: expect.any(Number),
        sid: expect.any(String),
        email: 'mary@demo.porchlight.test',
        isEmailVerified: true,
        orgId: '742',
      },
    });
    expect(await exchange.exchange({ code, state, expected: begun })).toMatchObject({
      kind: 'refused',
      error: 'invalid_grant',
    });
  });

  test('[API-05] [ARC-05] asks for the specified scope, with PKCE, silently', async () => {
    const { authorizeUrl, state, nonce } = await createCodeExchange({
      ...options(),
      audience: 'urn:api',
    }).begin();
    const url = new URL(authorizeUrl);
    expect(`${url.origin}${url.pathname}`).toBe(`${testProvider.issuer}authorize`);
    expect(Object.fromEntries(url.searchParams)).toMatchObject({
      client_id: PORTAL,
      response_type: 'code',
      response_mode: 'web_message',
      prompt: 'none',
      scope: 'openid profile email offline_access',
      code_challenge_method: 'S256',
      organization: '742',
      audience: 'urn:api',
      state,
      nonce,
    });
  });

  test('[OPS-64] metadata is asked for once; a provider that is down is worth a retry', async () => {
    let isDown = true;
    const asked: string[] = [];
    const exchange = createCodeExchange({
      ...options(),
      fetch: async (url, init) => {
        asked.push(url);
        if (isDown) throw new TypeError('fetch failed');
        return fetch(url, init as RequestInit);
      },
    });
    const expected = { state: 's', nonce: 'n', codeVerifier: 'v'.repeat(43) };
    expect(await exchange.exchange({ code: 'c', state: 's', expected })).toMatchObject({
      kind: 'unavailable',
    });
    await expect(exchange.begin()).rejects.toMatchObject({ code: 'UNAVAILABLE' });
    isDown = false;
    await exchange.begin();
    await exchange.begin();
    expect(asked).toHaveLength(3);
  });

  test('an issuer without TLS is taken on this machine only', async () => {
    const exchange = createCodeExchange({ ...options(), issuer: 'http://login.example/' });
    await expect(exchange.begin()).rejects.toThrow(/HTTPS/i);
  });
});

describe('against a provider that answers as it likes', () => {
  const expected = { state: 's1', nonce: 'n1', codeVerifier: 'v'.repeat(43) };
  let issuer: string;
  let answer: () => Promise<{ status: number; body: unknown }>;
  let sign: (claims: Record<string, unknown>) => Promise<string>;
  let stop: () => void;

  beforeAll(async () => {
    const { publicKey, privateKey } = await generateKeyPair('ES256');
    const jwk = { ...(await exportJWK(publicKey)), kid: 'k1', alg: 'ES256', use: 'sig' };
    const respond = async (req: IncomingMessage, res: ServerResponse) => {
      res.setHeader('content-type', 'application/json');
      if (req.url === '/token') {
        const { status, body } = await answer();
        return res.writeHead(status).end(JSON.stringify(body));
      }
      const metadata = {
        issuer,
        authorization_endpoint: `${issuer}authorize`,
        token_endpoint: `${issuer}token`,
        jwks_uri: `${issuer}jwks`,
        id_token_signing_alg_values_supported: ['ES256', 'HS256'],
      };
      return res.end(JSON.stringify(req.url === '/jwks' ? { keys: [jwk] } : metadata));
    };
    const server = createServer((req, res) => void respond(req, res)).listen(0);
    const { port } = server.address() as { port: number };
    issuer = `http://localhost:${port}/`;
    stop = () => server.close();
    sign = (claims) =>
      new SignJWT(claims).setProtectedHeader({ alg: 'ES256', kid: 'k1' }).sign(privateKey);
  });
  afterAll(() => stop());

  const seconds = () => Math.floor(Date.now() / 1000);
  const good = (): Record<string, unknown> => ({
    iss: issuer,
    aud: 'portal',
    sub: 'mary',
    nonce: 'n1',
    org_id: '742',
    iat: seconds(),
    exp: seconds() + 300,
  });

  async function exchangeOf(idToken: string | undefined, state = 's1') {
    answer = async () => ({
      status: 200,
      body: { access_token: 'at', token_type: 'bearer', id_token: idToken },
    });
    return exchangeWith(issuer).exchange({ code: 'c1', state, expected });
  }

  function exchangeWith(expectedIssuer: string) {
    return createCodeExchange({
      issuer: expectedIssuer,
      clientId: 'portal',
      redirectUri: 'http://localhost/account/Redirect',
      organization: '742',
      timeoutMs: 5000,
    });
  }

  test('a good token is taken', async () => {
    expect(await exchangeOf(await sign(good()))).toMatchObject({
      kind: 'ok',
      identity: { sub: 'mary', amr: [] },
    });
  });

  test('[API-05] metadata of another issuer is refused', async () => {
    await expect(exchangeWith(`${issuer}other/`).begin()).rejects.toThrow(/issuer/);
    expect((await exchangeWith(issuer).begin()).authorizeUrl).toContain(issuer);
  });

  test('[API-05] the texts of state, nonce and org_id are those of the hosted login', async () => {
    expect(await exchangeOf(await sign(good()), 's2')).toEqual({
      kind: 'refused',
      error: 'invalid_token',
      message: '`state` does not match.',
    });
    expect(await exchangeOf(await sign({ ...good(), nonce: 'n2' }))).toMatchObject({
      kind: 'refused',
      message: 'Nonce (nonce) claim value mismatch in the ID token; expected "n1", found "n2"',
    });
    expect(await exchangeOf(await sign({ ...good(), org_id: '3' }))).toMatchObject({
      kind: 'refused',
      message:
        'Organization Id (org_id) claim value mismatch in the ID token; expected "742", found "3"',
    });
  });

  test.each([
    ['another issuer', () => ({ iss: 'https://evil.example/' })],
    ['another audience', () => ({ aud: 'other' })],
    ['no nonce', () => ({ nonce: undefined })],
    ['no organization', () => ({ org_id: undefined })],
    ['no subject', () => ({ sub: undefined })],
    ['no end', () => ({ exp: undefined })],
    ['expired beyond the leeway', () => ({ exp: seconds() - 75 })],
    ['valid only later', () => ({ nbf: seconds() + 90 })],
  ])('refused: %s', async (_name, change) => {
    expect(await exchangeOf(await sign({ ...good(), ...change() }))).toMatchObject({
      kind: 'refused',
    });
  });

  test('[API-05] 60 seconds of leeway', async () => {
    expect(await exchangeOf(await sign({ ...good(), exp: seconds() - 45 }))).toMatchObject({
      kind: 'ok',
    });
    expect(await exchangeOf(await sign({ ...good(), nbf: seconds() + 45 }))).toMatchObject({
      kind: 'ok',
    });
  });

  test('refused: no ID token, no signature, a signature of somebody else, HS256', async () => {
    const { privateKey } = await generateKeyPair('ES256');
    const foreign = await new SignJWT(good())
      .setProtectedHeader({ alg: 'ES256', kid: 'k1' })
      .sign(privateKey);
    const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
    const unsigned = `${part({ alg: 'none' })}.${part(good())}.`;
    const symmetric = await new SignJWT(good())
      .setProtectedHeader({ alg: 'HS256' })
      .sign(new Uint8Array(32));
    for (const token of [undefined, unsigned, foreign, symmetric]) {
      expect(await exchangeOf(token)).toMatchObject({ kind: 'refused' });
    }
  });

  test('a fault of the provider is no refusal', async () => {
    await exchangeOf(await sign(good()));
    const options = {
      issuer,
      clientId: 'portal',
      redirectUri: 'http://localhost/account/Redirect',
      timeoutMs: 5000,
    };
    answer = async () => ({ status: 500, body: { error: 'server_error' } });
    expect(
      await createCodeExchange(options).exchange({ code: 'c', state: 's1', expected }),
    ).toMatchObject({ kind: 'unavailable' });
    answer = async () => ({ status: 400, body: { error: 'invalid_grant' } });
    expect(
      await createCodeExchange(options).exchange({ code: 'c', state: 's1', expected }),
    ).toMatchObject({
      kind: 'refused',
      error: 'invalid_grant',
    });
  });
});
