import { createHash } from 'node:crypto';
import { createServer } from 'node:http';
import { describe, expect, test, vi } from 'vitest';
import { decodeProtectedHeader } from 'jose';
import { fixedClients } from './testing/fixed-clients.ts';
import { createOpenIdProvider } from './openid-provider.ts';
import {
  clientsOf,
  createTestProvider,
  credentials,
  newKeys,
  OTHER,
  PASSWORD,
  PORTAL,
  webMessage,
} from './testing/test-provider.ts';
import { createBrowser } from './testing/browser.ts';
import { SESSION_LIFE, unusedPorts } from './testing/unused-ports.ts';
import { closeAtEnd } from '#server/testing/close-at-end.ts';

const testProvider = closeAtEnd(await createTestProvider());

async function signedIn() {
  const browser = testProvider.browser();
  await testProvider.signIn(browser);
  return browser;
}

async function codeFor(
  browser: Awaited<ReturnType<typeof signedIn>>,
  extra: Record<string, string> = {},
) {
  const authorization = testProvider.authorization(extra);
  const { response } = await webMessage(await browser.fetch(authorization.url));
  return { authorization, code: response.code ?? '' };
}

describe('the silent check', () => {
  test('[API-05] the page posts to the portal only, under a policy that allows this one script', async () => {
    const { url } = testProvider.authorization();
    const response = await testProvider.browser().fetch(url);
    const policy = response.headers.get('content-security-policy') ?? '';
    const page = await response.clone().text();
    expect(response.headers.get('x-frame-options')).toBeNull();
    expect(policy).not.toContain('frame-ancestors');
    const script = /<script>(.*?)<\/script>/s.exec(page)?.[1] ?? '';
    const digest = createHash('sha256').update(script).digest('base64');
    expect(policy).toContain(`script-src 'report-sample' 'sha256-${digest}'`);
    expect(script).not.toContain('close');
    expect(policy).not.toContain('unsafe');
    expect(page).toContain("{ type: 'authorization_response', response: response }");
    expect(page).toContain('postMessage(authorization_response, origin)');
    const message = await webMessage(response);
    expect(new URL(message.redirect_uri).origin).toBe(testProvider.origin);
    expect(message.response.error).toBe('login_required');
  });

  test('[H5] a redirect address that is not listed gets a page, never an answer', async () => {
    for (const redirect of [
      'https://evil.example/',
      `${testProvider.origin}/account/Redirect/x`,
      `${testProvider.origin}/account/redirect`,
    ]) {
      const response = await testProvider
        .browser()
        .fetch(testProvider.authorization({ redirect_uri: redirect }).url);
      const page = await response.text();
      expect([response.status, response.headers.get('location')]).toEqual([400, null]);
      expect(page).toContain('<h1>');
      expect(page).toContain('href="/account/signin"');
      expect(page).not.toContain('evil');
      expect(page).not.toContain('<script');
      // Who runs the portal finds the cause under the reference; a stranger does not read it.
      expect(page).toContain('Reference: reference');
      expect(page).not.toContain('redirect_uri');
      expect(testProvider.logged.splice(0)).toEqual([
        expect.objectContaining({
          reference: 'reference',
          cause: expect.stringMatching(/^invalid_redirect_uri: .*redirect_uri/),
        }),
      ]);
    }
  });

  test('no PKCE, plain PKCE, token and id_token in the front channel are refused', async () => {
    const browser = await signedIn();
    for (const extra of [
      { code_challenge: '', code_challenge_method: '' },
      { code_challenge_method: 'plain' },
      { response_type: 'id_token' },
      { response_type: 'token' },
    ]) {
      const { response } = await webMessage(
        await browser.fetch(testProvider.authorization(extra as Record<string, string>).url),
      );
      expect(response).not.toHaveProperty('code');
      expect(response).toHaveProperty('error');
    }
  });

  test('another application gets no code without consent', async () => {
    const browser = await signedIn();
    const { response } = await webMessage(
      await browser.fetch(testProvider.authorization({ client_id: OTHER }).url),
    );
    expect(response.error).toBe('consent_required');
  });

  test('without a session and without prompt=none the visitor goes to the sign-in page', async () => {
    const { url } = testProvider.authorization({ prompt: '', response_mode: 'query' });
    const response = await testProvider.browser().fetch(url.replace('prompt=&', ''));
    expect([response.status, response.headers.get('location')]).toEqual([
      303,
      expect.stringMatching(/^\/account\/request\/[\w-]+$/),
    ]);
  });
});

describe('[IDP-13] posted requests', () => {
  const post = (path: string, body: URLSearchParams, browser = testProvider.browser()) =>
    browser.fetch(`/idp${path}`, { method: 'POST', body });

  test('an authorization request is answered as its GET is', async () => {
    const browser = await signedIn();
    const authorization = testProvider.authorization();
    const { searchParams } = new URL(authorization.url);
    const moved = await post('/authorize', searchParams, browser);
    const target = moved.headers.get('location') ?? '';
    expect([moved.status, target.startsWith('/idp/authorize?')]).toEqual([303, true]);
    const { response } = await webMessage(await browser.fetch(target));
    expect((await testProvider.token(authorization, response.code ?? '')).status).toBe(200);
  });

  test('so is a sign-out', async () => {
    const moved = await post('/oidc/logout', new URLSearchParams({ client_id: PORTAL }));
    expect([moved.status, moved.headers.get('location')]).toEqual([
      303,
      `/idp/oidc/logout?client_id=${PORTAL}`,
    ]);
  });

  test('one that fits into no address, and one that is too large', async () => {
    const long = (length: number) => new URLSearchParams({ state: 'x'.repeat(length) });
    expect((await post('/authorize', long(9000))).status).toBe(414);
    expect((await post('/authorize', long(40_000))).status).toBe(400);
  });
});

test('[IDP-14] a request must name its redirect address, also where there is only one', async () => {
  const { url } = testProvider.authorization();
  const without = new URL(url);
  without.searchParams.delete('redirect_uri');
  const response = await testProvider.browser().fetch(without.href);
  expect([response.status, response.headers.get('location')]).toEqual([400, null]);
});

describe('the token call', () => {
  test('a code buys tokens once, and only with its verifier', async () => {
    const { authorization, code } = await codeFor(await signedIn());
    expect(
      (await testProvider.token({ ...authorization, verifier: 'x'.repeat(43) }, code)).status,
    ).toBe(400);
    expect((await testProvider.token(authorization, code)).status).toBe(200);
    expect((await testProvider.token(authorization, code)).status).toBe(400);
  });

  test.each([
    [55, 200],
    [61, 400],
  ])('[R26] a code lives a minute: after %i seconds %i', async (seconds, status) => {
    const { authorization, code } = await codeFor(await signedIn());
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + seconds * 1000 });
    const answer = await testProvider.token(authorization, code).finally(() => vi.useRealTimers());
    expect(answer.status).toBe(status);
  });

  test('of two requests that have both read the code, one gets tokens', async () => {
    const { authorization, code } = await codeFor(await signedIn());
    const { payloads } = testProvider.store;
    const consume = payloads.consume;
    const arrived: (() => void)[] = [];
    const meeting = vi.spyOn(payloads, 'consume').mockImplementation(async (model, id) => {
      await new Promise<void>((go) => {
        arrived.push(go);
        if (arrived.length === 2) for (const start of arrived) start();
      });
      return consume(model, id);
    });
    const answers = await Promise.all([1, 2].map(() => testProvider.token(authorization, code)));
    meeting.mockRestore();
    expect(answers.map(({ status }) => status).sort((a, b) => a - b)).toEqual([200, 400]);
  });

  test('an access token opens /userinfo and dies with the session', async () => {
    const browser = await signedIn();
    const { authorization, code } = await codeFor(browser);
    const tokens = (await (await testProvider.token(authorization, code)).json()) as Record<
      string,
      string
    >;
    const userinfo = () =>
      fetch(`${testProvider.issuer}userinfo`, {
        headers: { authorization: `Bearer ${tokens.access_token}` },
      });
    expect(await (await userinfo()).json()).toMatchObject({
      sub: 'mary',
      email: 'mary@demo.porchlight.test',
    });
    expect(tokens).not.toHaveProperty('refresh_token');
    await browser.post('/api/signout', {});
    expect((await userinfo()).status).toBe(401);
  });

  test('JSON is taken as well as a form', async () => {
    const { authorization, code } = await codeFor(await signedIn());
    const response = await fetch(`${testProvider.issuer}oauth/token`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({
        grant_type: 'authorization_code',
        client_id: PORTAL,
        code,
        code_verifier: authorization.verifier,
        redirect_uri: `${testProvider.origin}/account/Redirect`,
      }),
    });
    expect([response.status, await response.json()]).toMatchObject([200, { token_type: 'Bearer' }]);
  });

  test('what is not offered is not there', async () => {
    const password = await testProvider.token(testProvider.authorization(), '', {
      grant_type: 'password',
      username: 'mary',
      password: PASSWORD,
    });
    expect([password.status, await password.json()]).toMatchObject([
      403,
      { error: 'unauthorized_client' },
    ]);
    for (const path of ['reg', 'device/auth', 'interaction/x']) {
      const response = await fetch(`${testProvider.issuer}${path}`, { method: 'POST' });
      expect([path, response.status]).toEqual([path, 404]);
    }
  });
});

describe('keys and metadata', () => {
  test('[PRF-08] no header of a client names our host', async () => {
    const headers = {
      'x-forwarded-host': 'evil.example',
      forwarded: 'host=evil.example',
      'x-forwarded-proto': 'https',
    };
    const answer = await fetch(`${testProvider.issuer}.well-known/openid-configuration`, {
      headers,
    });
    expect(answer.headers.get('cache-control')).toBe('public, max-age=300');
    const metadata = await answer.text();
    expect(metadata).not.toContain('evil.example');
    expect(metadata).toContain(`"${testProvider.issuer}oauth/token"`);
  });

  test('discovery names Auth0 paths, both algorithms and S256 only', async () => {
    const metadata = (await (
      await fetch(`${testProvider.issuer}.well-known/openid-configuration`)
    ).json()) as Record<string, unknown>;
    expect(metadata).toMatchObject({
      issuer: testProvider.issuer,
      authorization_endpoint: `${testProvider.issuer}authorize`,
      token_endpoint: `${testProvider.issuer}oauth/token`,
      userinfo_endpoint: `${testProvider.issuer}userinfo`,
      jwks_uri: `${testProvider.issuer}.well-known/jwks.json`,
      end_session_endpoint: `${testProvider.issuer}oidc/logout`,
      code_challenge_methods_supported: ['S256'],
      response_types_supported: ['code'],
      grant_types_supported: ['authorization_code'],
      authorization_response_iss_parameter_supported: true,
      prompt_values_supported: ['none', 'login', 'consent', 'select_account', 'create'],
      ui_locales_supported: ['en', 'es'],
    });
    for (const name of ['request_object_signing_alg_values_supported', 'registration_endpoint']) {
      expect(metadata).not.toHaveProperty(name);
    }
    expect([...(metadata.id_token_signing_alg_values_supported as string[])].sort()).toEqual([
      'ES256',
      'RS256',
    ]);
  });

  test('the portal gets ES256; the key set has both keys and nothing private', async () => {
    const { authorization, code } = await codeFor(await signedIn());
    const { id_token: idToken } = (await (
      await testProvider.token(authorization, code)
    ).json()) as {
      id_token: string;
    };
    const { keys } = (await (
      await fetch(`${testProvider.issuer}.well-known/jwks.json`)
    ).json()) as {
      keys: Record<string, string>[];
    };
    expect(new Set(keys.map(({ alg }) => alg))).toEqual(new Set(['ES256', 'RS256']));
    expect(keys.some((key) => 'd' in key || 'p' in key)).toBe(false);
    const { alg, kid } = decodeProtectedHeader(idToken);
    expect(keys.find((key) => key.kid === kid)?.alg).toBe(alg);
    expect(alg).toBe('ES256');
  });

  test('[R30] other keys: no restart, old tokens, sessions and cookies stay good', async () => {
    const browser = await signedIn();
    const { authorization, code } = await codeFor(browser);
    const idTokenOf = async (response: Response) =>
      ((await response.json()) as { id_token: string }).id_token;
    const before = await newKeys();
    const hint = await idTokenOf(await testProvider.token(authorization, code));
    const pending = await codeFor(browser);

    const { signing, cookies } = testProvider.keys;
    testProvider.provider.useKeys({
      signing: [...before.signing, ...signing],
      cookies: [...before.cookies, ...cookies],
    });
    const after = await idTokenOf(await testProvider.token(pending.authorization, pending.code));
    expect(decodeProtectedHeader(after).kid).toBe(before.signing[0]?.kid);
    const silent = await webMessage(await browser.fetch(testProvider.authorization().url));
    expect(silent.response.code).toEqual(expect.any(String));
    const { keys } = (await (
      await fetch(`${testProvider.issuer}.well-known/jwks.json`)
    ).json()) as {
      keys: { kid: string }[];
    };
    expect(keys.map(({ kid }) => kid)).toContain(decodeProtectedHeader(hint).kid);
    const logout = new URLSearchParams({
      id_token_hint: hint,
      post_logout_redirect_uri: `${testProvider.origin}/account/Signout`,
    });
    expect(
      (await browser.fetch(`${testProvider.issuer}oidc/logout?${String(logout)}`)).status,
    ).toBe(200);

    testProvider.provider.useKeys(before);
    expect(
      (await browser.fetch(`${testProvider.issuer}oidc/logout?${String(logout)}`)).status,
    ).toBe(400);
    testProvider.provider.useKeys(testProvider.keys);
  });

  test('a request under way when the keys change ends as it began', async () => {
    const browser = await signedIn();
    const { authorization, code } = await codeFor(browser);
    testProvider.during.claimsOf = async () => {
      testProvider.during.claimsOf = async () => {};
      testProvider.provider.useKeys(await newKeys());
    };
    const response = await testProvider.token(authorization, code);
    const { id_token: idToken } = (await response.json()) as { id_token: string };
    expect(decodeProtectedHeader(idToken).kid).toBe(testProvider.keys.signing[0]?.kid);
    testProvider.provider.useKeys(testProvider.keys);
  });
});

describe('sign-out', () => {
  const logout = (params: Record<string, string>) =>
    `/idp/v2/logout?${new URLSearchParams(params).toString()}`;
  const target = () => `${testProvider.origin}/account/Signout`;
  const isAlive = async (browser: Awaited<ReturnType<typeof signedIn>>) =>
    Boolean((await codeFor(browser)).code);

  test('[API-06] /v2/logout ends the session and returns to a listed address', async () => {
    const browser = await signedIn();
    const response = await browser.fetch(logout({ client_id: PORTAL, returnTo: target() }));
    expect([response.status, response.headers.get('location')]).toEqual([302, target()]);
    expect(browser.cookies.has('idp_session')).toBe(false);
    expect(await isAlive(browser)).toBe(false);
    // The portal's sign-in of the same browser ends with it.
    expect(testProvider.signedOut.at(-1)).toContain('idp_session');
  });

  test('an address that is not listed gets a page with a way on, and signs nobody out', async () => {
    const browser = await signedIn();
    const bad = [
      'https://evil.example/',
      `${target()}x`,
      `${target()}?x=1`,
      '//evil.example',
      'javascript:alert(1)',
      '',
    ];
    for (const returnTo of bad) {
      for (const client of [{ client_id: PORTAL }, {}, { client_id: 'nobody' }]) {
        const response = await browser.fetch(
          logout({ ...client, returnTo } as Record<string, string>),
        );
        expect([returnTo, response.status, response.headers.get('location')]).toEqual([
          returnTo,
          400,
          null,
        ]);
        expect(await response.text()).toContain('href="/account/signin"');
      }
    }
    const twice = await browser.fetch(
      `${logout({ returnTo: target() })}&returnTo=https://evil.example`,
    );
    expect(twice.status).toBe(400);
    expect(await isAlive(browser)).toBe(true);
  });

  test('an image, a frame or a prefetch signs nobody out; another site has to ask', async () => {
    const browser = await signedIn();
    const url = logout({ client_id: PORTAL, returnTo: target() });
    for (const headers of [
      { 'sec-fetch-dest': 'image' },
      { 'sec-fetch-dest': 'iframe' },
      { 'sec-purpose': 'prefetch' },
    ]) {
      expect(
        (await browser.fetch(url, { headers: headers as Record<string, string> })).status,
      ).toBe(204);
    }
    const asked = await browser.fetch(url, {
      headers: { 'sec-fetch-dest': 'document', 'sec-fetch-site': 'cross-site' },
    });
    expect(asked.headers.get('location')).toContain('/idp/oidc/logout?');
    expect(await isAlive(browser)).toBe(true);
  });

  test('/oidc/logout asks, and the yes signs out', async () => {
    const browser = await signedIn();
    const ask = await browser.fetch(
      `/idp/oidc/logout?${new URLSearchParams({ client_id: PORTAL, post_logout_redirect_uri: target() }).toString()}`,
    );
    const page = await ask.text();
    expect(page).toContain('<h1>Do you want to sign out?</h1>');
    expect(ask.headers.get('content-security-policy')).toContain(
      `form-action 'self' ${testProvider.origin}`,
    );
    const [, action = ''] = /action="([^"]+)"/.exec(page) ?? [];
    const [, xsrf = ''] = /name="xsrf" value="([^"]+)"/.exec(page) ?? [];
    const done = await browser.fetch(action, {
      method: 'POST',
      body: new URLSearchParams({ xsrf, logout: 'yes' }),
    });
    expect([done.status, done.headers.get('location')]).toEqual([303, target()]);
    expect(await isAlive(browser)).toBe(false);
  });
});

describe('headers', () => {
  test('every answer is guarded and tells nothing about what answers', async () => {
    const paths = [
      'authorize',
      'v2/logout?returnTo=x',
      'nothing/here',
      '.well-known/openid-configuration',
      'userinfo',
    ];
    for (const path of paths) {
      const response = await fetch(`${testProvider.issuer}${path}`, {
        headers: { accept: 'text/html' },
        redirect: 'manual',
      });
      expect(response.headers.get('x-powered-by')).toBeNull();
      expect(response.headers.get('x-content-type-options')).toBe('nosniff');
      expect(response.headers.get('referrer-policy')).toBe('no-referrer');
      expect(response.headers.get('content-security-policy')).toContain("default-src 'none'");
    }
  });

  test('a fault inside shows a plain page and goes to the log', async () => {
    testProvider.logged.length = 0;
    const browser = await signedIn();
    testProvider.during.claimsOf = async () => {
      throw new Error('secret detail of the database');
    };
    const response = await browser.fetch(
      testProvider
        .authorization({ prompt: '', response_mode: 'query' })
        .url.replace('prompt=&', ''),
    );
    testProvider.during.claimsOf = async () => {};
    expect(response.headers.get('location') ?? '').not.toContain('secret');
    expect(await response.text()).not.toContain('secret');
    expect(testProvider.logged).toHaveLength(1);
    testProvider.logged.length = 0;
  });

  test('only listed pages may read the answer of /co/authenticate', async () => {
    const preflight = async (origin: string) => {
      const response = await fetch(`${testProvider.issuer}co/authenticate`, {
        method: 'OPTIONS',
        headers: { origin },
      });
      return [
        response.headers.get('access-control-allow-origin'),
        response.headers.get('access-control-allow-credentials'),
      ];
    };
    expect(await preflight('https://other.example')).toEqual(['https://other.example', 'true']);
    expect(await preflight('https://evil.example')).toEqual([null, null]);
  });
});

test('behind TLS the session cookie is Secure and bound to the host', async () => {
  const lines: string[] = [];
  const provider = createOpenIdProvider({
    sessionLife: SESSION_LIFE,
    issuer: 'https://portal.example/idp/',
    accounts: {
      verifyPassword: async () => ({ kind: 'ok', accountId: 'mary' }),
      claimsOf: async () => null,
    },
    store: testProvider.store,
    events: {
      passwordAccepted: async () => true,
      signedOut: async () => {},
      sessionEnded: async () => {},
    },
    consents: { scopesOf: async () => [] },
    findOrganization: async () => null,
    interactionPath: '/account/request',
    ...unusedPorts,
    clients: fixedClients(clientsOf('https://portal.example')),
    keys: testProvider.keys,
    now: () => new Date(),
    requestId: () => '',
    tellsCauses: false,
    log: { info() {}, warn() {}, error() {} },
  });
  const server = createServer((req, res) => {
    if (req.url?.startsWith('/idp/')) return provider.handle(req, res);
    const sink = { appendHeader: (_name: string, value: string) => lines.push(value) };
    void provider
      .establishSession(req, sink, { accountId: 'mary', amr: ['pwd', 'otp'], authTime: new Date() })
      .then(() => res.end());
  }).listen(0);
  const { port } = server.address() as { port: number };
  const browser = createBrowser(`http://localhost:${port}`);
  await browser.fetch('/api/verify');
  expect(lines.find((line) => line.startsWith('__Host-idp_session='))).toMatch(
    /; path=\/;.*; secure; httponly$/i,
  );
  // The connection itself has no TLS, and what a visitor claims about it does not count.
  const response = await browser.post('/idp/co/authenticate', credentials(), {
    origin: 'https://portal.example',
    'x-forwarded-proto': 'http',
  });
  expect(response.status).toBe(200);
  expect(response.headers.getSetCookie()[0]).toMatch(
    /^__Host-co_id=.*; path=\/; .*samesite=lax; secure; httponly$/i,
  );
  server.close();
});
