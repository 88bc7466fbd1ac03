import {
  createLocalJWKSet,
  decodeJwt,
  decodeProtectedHeader,
  type JSONWebKeySet,
  jwtVerify,
} from 'jose';
import { sql } from 'kysely';
import { describe, expect, test } from 'vitest';
import {
  API,
  createWire,
  LEGACY,
  MACHINE,
  MACHINE_SECRET,
  NAMED_API,
  PLAIN,
  SPA,
  SPA_ORIGIN,
  type Tokens,
  wireClients,
} from '../../testing/wire.ts';
import { createTestApp, type Visitor } from '../../testing/test-app.ts';
import { closeAtEnd } from '../../testing/close-at-end.ts';

// A demo's limits: here other things are counted.
const testApp = closeAtEnd(
  await createTestApp((url) => ({ ...wireClients(url), limitFactor: 50 })),
);
const wire = createWire(testApp);

const members = ['member', 'top', 'admin', 'counter', 'intake', 'agent', 'partner'];
let next = 0;
async function signedIn(): Promise<Visitor> {
  const visitor = testApp.visitor();
  await visitor.signIn(members[(next += 1) % members.length] ?? '');
  return visitor;
}

const refresh = (token: string | undefined, extra: object = {}, headers = {}) =>
  wire.token(
    { grant_type: 'refresh_token', client_id: SPA, refresh_token: token, ...extra },
    headers,
  );

/** Moves the moment at which a token was used into the past, by the database's clock. */
const age = (seconds: number) =>
  sql`UPDATE hosted_payloads SET consumed_at = consumed_at - make_interval(secs => ${seconds})
    WHERE model = 'RefreshToken' AND consumed_at IS NOT NULL`.execute(testApp.db);

const audited = async (kind: string) =>
  (
    await testApp.db
      .selectFrom('audit_events')
      .orderBy('id')
      .select('id')
      .where('kind', '=', kind)
      .execute()
  ).length;

describe('[R27] refresh tokens', () => {
  test('a client of the house that may refresh gets one, without a consent screen', async () => {
    const tokens = await wire.tokens(await signedIn());
    expect(tokens.scope).toBe('openid profile email offline_access');
    expect(tokens.refresh_token).toMatch(/^[\w-]{40,}$/);
    const renewed = await refresh(tokens.refresh_token);
    expect(renewed).toMatchObject({ status: 200, id_token: expect.any(String) });
    expect(renewed.refresh_token).not.toBe(tokens.refresh_token);
    expect(renewed.access_token).not.toBe(tokens.access_token);
  });

  test('not without asking for offline_access, and not a client that may not', async () => {
    const visitor = await signedIn();
    expect(await wire.tokens(visitor, { scope: 'openid profile' })).not.toHaveProperty(
      'refresh_token',
    );
    const plain = await wire.tokens(visitor, { client_id: PLAIN });
    expect(plain).not.toHaveProperty('refresh_token');
    expect(plain.scope).not.toContain('offline_access');
  });

  test('twenty at once get the same successor, nobody is signed out, and the successor works', async () => {
    const tokens = await wire.tokens(await signedIn());
    const answers = await Promise.all(
      Array.from({ length: 20 }, () => refresh(tokens.refresh_token)),
    );
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
    const successors = new Set(answers.map((answer) => answer.refresh_token));
    expect(successors.size).toBe(1);
    expect((await refresh([...successors][0])).status).toBe(200);
  });

  test('within three seconds the same successor; after that the whole family is revoked', async () => {
    const visitor = await signedIn();
    const tokens = await wire.tokens(visitor);
    const first = await refresh(tokens.refresh_token);
    expect((await refresh(tokens.refresh_token)).refresh_token).toBe(first.refresh_token);
    await age(4);
    const before = await audited('hosted.revoked');
    expect(await refresh(tokens.refresh_token)).toMatchObject({
      status: 400,
      error: 'invalid_grant',
    });
    expect(await refresh(first.refresh_token)).toMatchObject({
      status: 400,
      error: 'invalid_grant',
    });
    const userInfo = await fetch(`${wire.issuer}userinfo`, {
      headers: { authorization: `Bearer ${first.access_token}` },
    });
    expect(userInfo.status).toBe(401);
    // The answer does not wait for the log.
    await expect.poll(() => audited('hosted.revoked')).toBe(before + 1);
  });

  test('a late save of the successor does not make it unused again', async () => {
    const tokens = await wire.tokens(await signedIn());
    const first = await refresh(tokens.refresh_token);
    const second = await refresh(first.refresh_token);
    // Still within the grace of the very first: its successor is handed out again, used as it is.
    expect((await refresh(tokens.refresh_token)).refresh_token).toBe(first.refresh_token);
    await age(4);
    expect((await refresh(first.refresh_token)).status).toBe(400);
    expect((await refresh(second.refresh_token)).status).toBe(400);
  });

  test("another client's token is refused, and a wider scope than granted", async () => {
    const tokens = await wire.tokens(await signedIn(), { scope: 'openid offline_access' });
    expect((await refresh(tokens.refresh_token, { client_id: PLAIN })).status).not.toBe(200);
    expect(await refresh(tokens.refresh_token, { scope: 'openid email' })).toMatchObject({
      error: 'invalid_scope',
    });
    expect((await refresh(tokens.refresh_token)).status).toBe(200);
  });

  test('half an hour unused, or twelve hours after the sign-in, it is over', async () => {
    const { refreshLifeSeconds } = await import('#openid-provider/refresh-rotation.ts');
    const now = Math.floor(Date.now() / 1000);
    const life = { idleSeconds: 1800, seconds: 12 * 3600 };
    expect(refreshLifeSeconds({ iiat: now, authTime: now }, life)).toBe(1800);
    const late = { iiat: now, authTime: now - 12 * 3600 + 60 };
    expect(refreshLifeSeconds(late, life)).toBeLessThanOrEqual(60);
    expect(refreshLifeSeconds({ iiat: now - 13 * 3600 }, life)).toBe(1);
  });

  test('dies with sign-out and with a reset', async () => {
    const visitor = await signedIn();
    const tokens = await wire.tokens(visitor);
    await visitor.request('/idp/v2/logout?client_id=spa&returnTo=https://app.example/', {
      headers: { 'sec-fetch-dest': 'document' },
    });
    expect((await refresh(tokens.refresh_token)).status).toBe(400);
  });

  test('a token without the second factor, forged into the database, is refused', async () => {
    const tokens = await wire.tokens(await signedIn());
    await testApp.db
      .updateTable('hosted_payloads')
      .set((eb) => ({
        payload: eb.fn<string>('jsonb_set', [
          'payload',
          eb.val('{amr}'),
          eb.cast(eb.val('["pwd"]'), 'jsonb'),
        ]),
      }))
      .where('model', '=', 'RefreshToken')
      .execute();
    expect(await refresh(tokens.refresh_token)).toMatchObject({
      status: 400,
      error: 'invalid_grant',
    });
  });
});

describe('[R25] audiences', () => {
  const verify = async (token: string, audience: string) => {
    const keys = (await (
      await fetch(`${wire.issuer}.well-known/jwks.json`)
    ).json()) as JSONWebKeySet;
    return jwtVerify(token, createLocalJWKSet(keys), {
      issuer: wire.issuer,
      audience,
      typ: 'at+jwt',
    });
  };

  test.each([
    [API, 'openid read:messages write:messages', 'openid read:messages', 300],
    [NAMED_API, 'openid read:orders', 'openid read:orders', 600],
  ])(
    '%s: a signed token of RFC 9068, for what was granted',
    async (audience, scope, granted, life) => {
      const tokens = await wire.tokens(await signedIn(), { audience, scope });
      expect(tokens).toMatchObject({ status: 200, scope: granted, expires_in: life });
      const { payload, protectedHeader } = await verify(tokens.access_token, audience);
      expect(protectedHeader).toMatchObject({ typ: 'at+jwt', alg: 'RS256' });
      expect(payload).toMatchObject({ scope: granted, client_id: SPA, sub: expect.any(String) });
      expect(Number(payload.exp) - Number(payload.iat)).toBe(life);
    },
  );

  test('an unknown API, and one that the client may not use', async () => {
    const visitor = await signedIn();
    const unknown = await wire.silently(visitor, { audience: 'https://nobody.example/' });
    expect(unknown.answer).toMatchObject({ error: 'invalid_target' });
    const foreign = await wire.silently(visitor, { audience: API, client_id: PLAIN });
    expect(foreign.answer).toMatchObject({ error: 'access_denied' });
  });

  test('the audience stays through a refresh', async () => {
    const tokens = await wire.tokens(await signedIn(), {
      audience: API,
      scope: 'openid read:messages offline_access',
    });
    const renewed = await refresh(tokens.refresh_token);
    const { payload } = await verify(renewed.access_token, API);
    expect(String(payload.scope).split(' ').sort()).toEqual([
      'offline_access',
      'openid',
      'read:messages',
    ]);
  });

  test("[IDP-13] such a token opens /userinfo until its person signs out; a machine's does not", async () => {
    const visitor = await signedIn();
    const tokens = await wire.tokens(visitor, {
      audience: API,
      scope: 'openid email read:messages',
    });
    const ask = (token: string) =>
      fetch(`${wire.issuer}userinfo`, { headers: { authorization: `Bearer ${token}` } });
    const answer = await ask(tokens.access_token);
    expect(answer.status).toBe(200);
    const claims = (await answer.json()) as Record<string, unknown>;
    expect(Object.keys(claims).sort()).toEqual(['acr', 'email', 'email_verified', 'org_id', 'sub']);
    const machine = await wire.machine({ audience: API });
    expect(decodeProtectedHeader(machine.access_token).typ).toBe('at+jwt');
    // H25: no API takes a machine for a person.
    expect(decodeJwt(machine.access_token)).toMatchObject({
      sub: `${MACHINE}@clients`,
      client_id: MACHINE,
      gty: 'client-credentials',
    });
    expect(decodeJwt(tokens.access_token)).not.toHaveProperty('gty');
    expect((await ask(machine.access_token)).status).toBe(401);
    const noOpenid = await wire.tokens(visitor, {
      audience: API,
      scope: 'read:messages',
      nonce: '',
    });
    expect((await ask(noOpenid.access_token)).status).toBe(401);
    expect((await ask(tokens.id_token ?? '')).status).toBe(401);
    // RFC 6750, 2.2: in a form, once, and not beside a header.
    const post = (...fields: [string, string][]) =>
      fetch(`${wire.issuer}userinfo`, { method: 'POST', body: new URLSearchParams(fields) });
    const field: [string, string] = ['access_token', tokens.access_token];
    expect(await (await post(field)).json()).toEqual(claims);
    expect((await post(field, field)).status).toBe(401);
    expect((await post(['access_token', 'wrong'])).status).toBe(401);
    await visitor.request('/idp/v2/logout?client_id=spa&returnTo=https://app.example/', {
      headers: { 'sec-fetch-dest': 'document' },
    });
    expect((await ask(tokens.access_token)).status).toBe(401);
    expect((await post(field)).status).toBe(401);
  });
});

describe('revocation and introspection (RFC 7009, 7662)', () => {
  const form = async (path: string, body: Record<string, string>) => {
    const response = await fetch(`${wire.issuer}${path}`, {
      method: 'POST',
      body: new URLSearchParams(body),
    });
    const text = await response.text();
    return {
      status: response.status,
      body: (text ? JSON.parse(text) : {}) as Record<string, unknown>,
    };
  };
  const machine = { client_id: MACHINE, client_secret: MACHINE_SECRET };

  test('a client ends its own tokens, and sees them when it has a secret', async () => {
    const tokens = await wire.tokens(await signedIn());
    // RFC 7662, 2.1: a client_id alone authenticates no client.
    const seen = await form('oauth/introspect', {
      client_id: SPA,
      token: tokens.refresh_token ?? '',
    });
    expect(seen.body).toEqual({ active: false });
    expect(
      (await wire.post('oauth/revoke', { client_id: SPA, token: tokens.refresh_token })).status,
    ).toBe(200);
    expect((await refresh(tokens.refresh_token)).status).toBe(400);
    const own = await wire.machine();
    expect(
      (await form('oauth/introspect', { ...machine, token: own.access_token })).body.active,
    ).toBe(true);
  });

  test('H28: a JWT is not introspected, and not active', async () => {
    const { id_token: token = '' } = await wire.tokens(await signedIn());
    const answer = await form('oauth/introspect', { ...machine, token });
    expect(answer).toEqual({ status: 200, body: { active: false } });
  });

  test("nobody else's", async () => {
    const tokens = await wire.tokens(await signedIn());
    const token = tokens.refresh_token ?? '';
    expect((await form('oauth/introspect', { ...machine, token })).body).toEqual({ active: false });
    expect((await form('oauth/revoke', { ...machine, token })).status).toBe(200);
    expect((await form('oauth/introspect', { client_id: PLAIN, token })).body).toEqual({
      active: false,
    });
    await form('oauth/revoke', { client_id: PLAIN, token });
    expect((await refresh(token)).status).toBe(200);
  });
});

describe('pushed authorization requests (RFC 9126)', () => {
  test('carry everything, also offline_access and the audience, and are used once', async () => {
    const visitor = await signedIn();
    const asked = wire.authorization({
      audience: API,
      scope: 'openid read:messages offline_access',
    });
    const pushed = await wire.post(
      'oauth/par',
      Object.fromEntries(new URL(asked.url).searchParams),
    );
    expect(pushed.status).toBe(201);
    const { request_uri: uri } = (await pushed.json()) as { request_uri: string };
    const go = () =>
      visitor.request(`/idp/authorize?client_id=${SPA}&request_uri=${encodeURIComponent(uri)}`);
    const page = await (await go()).text();
    const [, json = '{}'] = /var data = (\{.*\});/.exec(page) ?? [];
    const { response } = JSON.parse(json) as { response: Record<string, string> };
    const tokens = await wire.token({
      grant_type: 'authorization_code',
      client_id: SPA,
      code: response.code,
      code_verifier: asked.verifier,
      redirect_uri: `${SPA_ORIGIN}/callback`,
    });
    expect(tokens).toMatchObject({ status: 200, refresh_token: expect.any(String) });
    expect((await (await go()).text()).includes('"code"')).toBe(false);
  });
});

describe('[D30] tokens in the front channel', () => {
  const ask = (visitor: Visitor, extra: Record<string, string | undefined>) =>
    wire.silently(visitor, { code_challenge: '', code_challenge_method: '', ...extra });

  test.each(['id_token', 'token id_token', 'token'])(
    '%s only for a client with that switch',
    async (type) => {
      const visitor = await signedIn();
      const { answer } = await ask(visitor, { client_id: LEGACY, response_type: type });
      expect(Object.keys(answer).includes('id_token')).toBe(type.includes('id_token'));
      expect(Object.keys(answer).includes('access_token')).toBe(type !== 'id_token');
      expect(answer).not.toHaveProperty('error');
      const refused = await ask(visitor, { client_id: PLAIN, response_type: type });
      expect(refused.answer).toHaveProperty('error');
      expect(refused.answer).not.toHaveProperty('id_token');
      expect(refused.answer).not.toHaveProperty('access_token');
    },
  );

  test('state and nonce are a must, and nothing comes without the second factor', async () => {
    const visitor = await signedIn();
    const legacy = { client_id: LEGACY, response_type: 'id_token' };
    expect((await ask(visitor, { ...legacy, nonce: '' })).answer.error).toBe('invalid_request');
    expect((await ask(visitor, { ...legacy, state: '' })).answer.error).toBe('invalid_request');
    expect((await ask(testApp.visitor(), legacy)).answer.error).toBe('login_required');
    await testApp.db
      .updateTable('hosted_payloads')
      .set((eb) => ({
        payload: eb.fn<string>('jsonb_set', [
          'payload',
          eb.val('{amr}'),
          eb.cast(eb.val('["pwd"]'), 'jsonb'),
        ]),
      }))
      .where('model', '=', 'Session')
      .execute();
    expect((await ask(visitor, legacy)).answer.error).toBe('login_required');
  });
});

describe('metadata', () => {
  const discover = async () =>
    (await (await fetch(`${wire.issuer}.well-known/openid-configuration`)).json()) as Record<
      string,
      string[]
    >;

  test('names what can be used, and no grant whose switch is off', async () => {
    const metadata = await discover();
    expect([...(metadata.grant_types_supported ?? [])].sort()).toEqual([
      'authorization_code',
      'client_credentials',
      'http://auth0.com/oauth/grant-type/passwordless/otp',
      'implicit',
      'refresh_token',
    ]);
    expect(metadata).toMatchObject({
      revocation_endpoint: `${wire.issuer}oauth/revoke`,
      introspection_endpoint: `${wire.issuer}oauth/introspect`,
      pushed_authorization_request_endpoint: `${wire.issuer}oauth/par`,
      response_types_supported: ['code', 'id_token', 'id_token token'],
    });
  });

  test('H26: stands where RFC 8414 has it, before the path of the issuer', async () => {
    const address = new URL('/.well-known/oauth-authorization-server/idp', wire.issuer);
    expect(await (await fetch(address)).json()).toEqual(await discover());
  });

  test('what is off is not named (decision 025)', async () => {
    const metadata = await discover();
    expect(metadata).toMatchObject({
      code_challenge_methods_supported: ['S256'],
      claims_parameter_supported: false,
      request_uri_parameter_supported: false,
    });
    expect([...(metadata.token_endpoint_auth_methods_supported ?? [])].sort()).toEqual([
      'client_secret_basic',
      'client_secret_post',
      'none',
      'private_key_jwt',
    ]);
    const off =
      /request_parameter|registration|device|ciba|check_session|encryption|mtls|tls_client|signed_/i;
    const named = Object.entries(metadata).filter(([name, value]) => off.test(name) && value);
    expect(named).toEqual([]);
    for (const path of ['reg', 'device/auth', 'backchannel', 'session/check'])
      expect((await fetch(`${wire.issuer}${path}`, { method: 'POST' })).status).toBe(404);
  });
});

test('no token, code or secret of these flows is readable in the database', async () => {
  const tokens: Tokens = await wire.tokens(await signedIn(), { audience: `${wire.issuer}api/v2/` });
  const renewed = await refresh(tokens.refresh_token);
  const dump = await testApp.dump();
  for (const secret of [
    tokens.access_token,
    tokens.refresh_token,
    renewed.refresh_token,
    MACHINE_SECRET,
  ]) {
    expect(secret).toBeTruthy();
    expect(dump).not.toContain(secret);
  }
});
