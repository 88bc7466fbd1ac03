import { describe, expect, test, vi } from 'vitest';
import { readFileSync } from 'node:fs';
import { Agent, get } from 'node:http';
import { type CallName, ROUTES, routeOf } from '#contract/routes.ts';
import { sql } from 'kysely';
import { demoEmail } from '../demo/seed.ts';
import { CALLBACK, clientEntry, follow } from '../testing/relying-party.ts';
import { createTestApp, signUpBody, type TestApp } from '../testing/test-app.ts';
import { createVisitor } from '../testing/visitor.ts';
import { closeAtEnd } from '../testing/close-at-end.ts';

const testApp = closeAtEnd(await createTestApp());

const NAMES = Object.keys(ROUTES) as CallName[];
const CREATE = '/api/User/CreateUser';
const body = () => JSON.stringify(signUpBody({ emailAddress: 'http@example.test' }));

async function read(response: Response) {
  const envelope = (await response.json()) as { readonly messages: unknown };
  return { ...envelope, status: response.status, headers: response.headers };
}
const refusal = (status: number, errorFlag: string) => ({
  status,
  succeeded: false,
  data: null,
  messages: expect.any(Array),
  errorFlag,
});
const post = async (sent: string, type = 'application/json') =>
  read(await testApp.visitor().post(CREATE, sent, { 'content-type': type }));

describe('malformed input is 400 in an envelope, and tells no secrets', () => {
  test.each([
    ['half an object', '{"subtenantId":'],
    ['no JSON', 'hello'],
    ['nothing', ''],
    ['null', 'null'],
    ['an array', '[]'],
    ['a prototype', '{"__proto__":{"isAdmin":true},"subtenantId":742}'],
    ['wrong types', JSON.stringify({ subtenantId: '742', signUpPlateform: 1, user: 'x' })],
    ['unknown keys', JSON.stringify({ ...signUpBody(), isActive: true })],
    ['deep nesting', `${'{"a":'.repeat(2000)}1${'}'.repeat(2000)}`],
    ['a long text', JSON.stringify(signUpBody({ firstName: 'x'.repeat(201) }))],
    ['a subtenant beyond all numbers', JSON.stringify({ ...signUpBody(), subtenantId: 2 ** 31 })],
    ['a name twice', body().replace('{', '{"subtenantId":3,')],
    [
      '21 levels',
      JSON.stringify({ ...signUpBody(), more: JSON.parse('['.repeat(20) + ']'.repeat(20)) }),
    ],
    ['a NUL', JSON.stringify(signUpBody({ firstName: 'Ro\u0000sa' }))],
  ])('%s', async (_, sent) => {
    const answer = await post(sent);
    expect(answer).toMatchObject(refusal(400, 'BAD_REQUEST'));
    expect(JSON.stringify(answer)).not.toMatch(/node_modules|at .*\.ts|SyntaxError|stack/);
  });

  test('a NUL in the name of a person who signs in', async () => {
    const answer = await testApp.visitor().authenticate('ro\u0000sa@example.test', 'Wrong-Pass-1');
    expect(answer.status).toBe(400);
  });

  test.each([
    ['co/authenticate', 'a name twice', '{"client_id":"x","client_id":"y"}'],
    ['dbconnections/signup', 'a name twice', '{"client_id":"x","client_id":"y"}'],
    ['dbconnections/change_password', 'a NUL', '{"client_id":"x\\u0000"}'],
    ['passwordless/start', '21 levels', `{"client_id":${'['.repeat(20)}${']'.repeat(20)}}`],
    ['mfa/challenge', 'half an object', '{"client_id":'],
    ['oauth/token', 'a name twice', '{"grant_type":"password","grant_type":"refresh_token"}'],
    ['oauth/token', 'a NUL', '{"grant_type":"password","username":"a\\u0000"}'],
  ])('[SEC-03] /idp/%s: %s', async (path, _, sent) => {
    const answer = await testApp.visitor().post(`/idp/${path}`, sent);
    expect(answer.status).toBe(400);
    expect(await answer.json()).toMatchObject({ error: 'invalid_request' });
  });

  test.each(['username', 'client_id', 'grant_type', 'refresh_token'])(
    '[SEC-03] a NUL in the %s of a form is refused, not an error of the database',
    async (name) => {
      const form = {
        grant_type: 'refresh_token',
        client_id: 'porchlight-portal',
        [name]: 'a\u0000b',
      };
      const answer = await testApp.visitor().request('/idp/oauth/token', {
        method: 'POST',
        headers: { 'content-type': 'application/x-www-form-urlencoded' },
        body: new URLSearchParams(form).toString(),
      });
      expect([400, 401, 403]).toContain(answer.status);
    },
  );

  test('[SEC-03] a NUL in an address of the hosted login is no error of the database', async () => {
    for (const path of [
      'authorize?client_id=a%00b',
      'v2/logout?client_id=a%00b',
      'api/v2/users/a%00',
    ]) {
      expect((await testApp.visitor().request(`/idp/${path}`)).status).toBeLessThan(500);
    }
  });

  test('fields are named, their values are not', async () => {
    const sent = signUpBody({ countryCode: 'my-secret-number' });
    const { messages } = await post(JSON.stringify(sent));
    expect(messages).toEqual([
      'We could not read this request.',
      expect.stringContaining('user.countryCode'),
    ]);
    expect(JSON.stringify(messages)).not.toContain('my-secret-number');
  });

  test('a broken address is 400 too', async () => {
    const answer = await read(await testApp.visitor().request('/api/UserAuth/IsAuthUser/%zz'));
    expect(answer).toMatchObject(refusal(400, 'BAD_REQUEST'));
    expect(answer.headers.get('x-content-type-options')).toBe('nosniff');
  });

  test('a NUL in a parameter is 400, not an error of the database', async () => {
    const visitor = testApp.visitor();
    for (const path of [
      '/api/user/GetUserStatusByUserName/a%00b@x.test',
      '/api/UserAuth/IsAuthUser/a%00b',
    ]) {
      expect((await visitor.request(path)).status).toBeLessThan(500);
    }
    expect((await visitor.verify('a\u0000b', 1, '1')).status).toBeLessThan(500);
    expect((await visitor.record({ code: 'a\u0000', state: 'b\u0000' })).status).toBeLessThan(500);
  });

  test('too large is 413', async () => {
    const answer = await post(JSON.stringify({ ...signUpBody(), padding: 'x'.repeat(33 * 1024) }));
    expect(answer).toMatchObject(refusal(413, 'TOO_LARGE'));
  });

  test.each([
    'text/plain',
    'application/x-www-form-urlencoded',
    'multipart/form-data; boundary=x',
    'application/xml',
  ])('%s is 415', async (type) => {
    expect(await post(body(), type)).toMatchObject(refusal(415, 'UNSUPPORTED_TYPE'));
  });
});

describe('addresses and methods', () => {
  test.each([
    '/api',
    '/api/nothing',
    '/api/User',
    '/API/NOTHING',
    '/api/../api/x',
    '/assets/x.js',
    '/dev/x',
  ])('%s is 404', async (path) => {
    expect(await read(await testApp.visitor().request(path))).toMatchObject(
      refusal(404, 'NOT_FOUND'),
    );
  });

  test.each(NAMES)('[API-01] %s answers to its method alone', async (name) => {
    const path = routeOf(name).path.replace(/:\w+/g, '1');
    const known = NAMES.filter((each) => routeOf(each).path === routeOf(name).path);
    const methods = known.map((each) => routeOf(each).method as string);
    for (const method of ['GET', 'POST', 'PUT', 'DELETE', 'PATCH']) {
      const response = await testApp.visitor().request(path.toLowerCase(), { method });
      const refused = { status: response.status, ...((await response.json()) as object) };
      const isRefused =
        refused.status === 405 &&
        'errorFlag' in refused &&
        refused.errorFlag === 'METHOD_NOT_ALLOWED';
      expect([method, isRefused]).toEqual([method, !methods.includes(method)]);
      // RFC 9110, 15.5.6.
      expect(response.headers.get('allow')).toBe(isRefused ? methods.toSorted().join(', ') : null);
      expect(response.status).not.toBe(404);
    }
  });

  test(
    '[GEN-06] a path may be spelled in any case; values keep theirs',
    { tags: 'long' },
    async () => {
      const path = '/API/usER/getuserSTATUSbyusername/';
      const visitor = testApp.visitor();
      const known = await read(await visitor.request(path + demoEmail('member')));
      expect(known).toMatchObject({ status: 200, data: true });
      await visitor.ok('createUser', {
        body: signUpBody({ emailAddress: 'MixedCase@Example.test' }),
      });
      const row = await testApp.db
        .selectFrom('users')
        .select('email')
        .where('email_canonical', '=', 'mixedcase@example.test')
        .executeTakeFirst();
      expect(row?.email).toBe('MixedCase@Example.test');
      // A key in a path is worth nothing in another case.
      const { appState, loggedInUserId, logUserLoginId } = await visitor.signIn('member');
      const logOut = `/api/user/LOGOUTUSER/${loggedInUserId}/${appState}/${logUserLoginId}/1/`;
      expect(await read(await visitor.request(logOut))).toMatchObject({ status: 200, data: true });
    },
  );

  test('[API-01] the description lists every call with its level of detail', async () => {
    const document = (await (await testApp.visitor().request('/api/openapi.json')).json()) as {
      paths: Record<string, Record<string, { operationId: string; responses: object }>>;
    };
    for (const name of NAMES) {
      const { method, path } = routeOf(name);
      const operation = document.paths[path.replace(/:(\w+)/g, '{$1}')]?.[method.toLowerCase()];
      expect(operation).toMatchObject({ operationId: name, responses: { 200: expect.anything() } });
    }
    const listed = Object.values(document.paths).flatMap((methods) => Object.keys(methods));
    // And the key set of modules, which has no envelope.
    expect(listed).toHaveLength(NAMES.length + 1);
  });
});

test('[OPS-80] the description tells a module all that Redeem answers, and where the keys are', async () => {
  const document = (await (await testApp.visitor().request('/api/openapi.json')).json()) as {
    paths: Record<string, Record<string, { responses: Record<string, unknown> }>>;
    components: object;
  };
  const redeem = document.paths['/api/Handoff/Redeem']?.post;
  const page = readFileSync('docs/modules.md', 'utf8');
  const [, table = ''] = page.split('### Refusals of Redeem');
  const told = [...table.matchAll(/^\| (\d{3}) \| `(\w+)` \|/gm)];
  expect(told.length).toBeGreaterThan(6);
  const described = Object.entries(redeem?.responses ?? {}).flatMap(([status, response]) => {
    const [, flags = ''] = /"enum":\[(.*?)\]/.exec(JSON.stringify(response)) ?? [];
    return flags.split(',').flatMap((flag) => (flag ? [`${status} ${flag.slice(1, -1)}`] : []));
  });
  expect(described.sort()).toEqual(told.map(([, status, flag]) => `${status} ${flag}`).sort());
  expect(redeem).toMatchObject({ security: [{ module: [] }] });
  expect(document.components).toMatchObject({
    securitySchemes: { module: { type: 'http', scheme: 'basic' } },
  });
  const unsecured = document.paths['/api/Handoff/Issue']?.post;
  expect(unsecured).not.toHaveProperty('security');
  const keys = document.paths['/api/Handoff/Keys']?.get;
  expect(keys?.responses).toHaveProperty('200');
  expect((await testApp.visitor().request('/api/Handoff/Keys')).status).toBe(200);
});

describe('[API-02] requests that another site made a browser send', () => {
  const attempt = async (headers: Record<string, string>) => {
    const visitor = testApp.visitor();
    await visitor.ok('getVisit', {});
    return read(
      await visitor.post('/api/Session/Begin', { entrance: 'portal', isFresh: true }, headers),
    );
  };

  test.each([
    ['a cross-site request', { 'sec-fetch-site': 'cross-site' }],
    ['a sibling domain', { 'sec-fetch-site': 'same-site' }],
    ['a foreign origin', { 'sec-fetch-site': '', origin: 'https://evil.example' }],
    ['a foreign port', { 'sec-fetch-site': '', origin: 'http://localhost:1' }],
    ['an opaque origin', { 'sec-fetch-site': '', origin: 'null' }],
    ['no token', { 'x-xsrf-token': '' }],
    ['a wrong token', { 'x-xsrf-token': 'x'.repeat(43) }],
    ['no token, no metadata', { 'sec-fetch-site': '', origin: '', 'x-xsrf-token': '' }],
  ])('%s is refused', async (_, headers) => {
    expect(await attempt(headers as Record<string, string>)).toMatchObject(
      refusal(403, 'FORBIDDEN'),
    );
  });

  test('the own page, a browser without metadata, and a first visit are welcome', async () => {
    expect(await attempt({})).toMatchObject({ status: 200 });
    expect(await attempt({ 'sec-fetch-site': '' })).toMatchObject({ status: 200 });
    const first = testApp.visitor();
    expect(
      (await first.call('beginSession', { body: { entrance: 'portal', isFresh: true } })).status,
    ).toBe(200);
  });

  test('the token of one visit is none of another', async () => {
    const [one, other] = [testApp.visitor(), testApp.visitor()];
    await one.ok('getVisit', {});
    await other.ok('getVisit', {});
    one.cookies.set('XSRF-TOKEN', other.cookies.get('XSRF-TOKEN') ?? '');
    expect(
      (await one.post('/api/Session/Begin', { entrance: 'portal', isFresh: true })).status,
    ).toBe(403);
    // The next look brings the right one back.
    await one.ok('getVisit', {});
    expect(
      (await one.post('/api/Session/Begin', { entrance: 'portal', isFresh: true })).status,
    ).toBe(200);
  });

  test('reading across sites is refused as well', async () => {
    const visitor = testApp.visitor();
    await visitor.ok('getVisit', {});
    expect((await visitor.call('getVisit', {}, { 'sec-fetch-site': 'cross-site' })).status).toBe(
      403,
    );
  });
});

describe('cookies', () => {
  test('the visit cookie is HttpOnly, Lax, for the whole site; the CSRF cookie is for scripts', async () => {
    const response = await testApp.visitor().request('/api/Visit/State');
    const [visit = '', xsrf = ''] = response.headers.getSetCookie();
    expect(visit).toMatch(/^visit=[\w-]{43}; Max-Age=\d+; Path=\/; HttpOnly; SameSite=Lax$/);
    expect(xsrf).toMatch(/^XSRF-TOKEN=[\w-]{43}; Max-Age=\d+; Path=\/; SameSite=Lax$/);
  });

  test('[R24] [SES-01] [SEC-21] on https every one is Secure and Lax, bound to the host by its name, and not for scripts', async () => {
    const url = 'https://login.example.test';
    const secure = await createTestApp({ publicUrl: url, clients: [clientEntry()] });
    const { codeFor } = secure;
    const visitor = createVisitor({ url, codeFor, behindProxy: secure.url });
    try {
      const asked = new URLSearchParams({
        client_id: 'garden-club',
        redirect_uri: CALLBACK,
        response_type: 'code',
        scope: 'openid',
        code_challenge: 'c'.repeat(43),
        code_challenge_method: 'S256',
      });
      const { request } = await follow(visitor, `/idp/authorize?${String(asked)}`, url);
      const login = await visitor.signIn('member');
      const onward = await visitor.ok('continueInteraction', { body: { request } });
      const consent = await follow(visitor, onward.url, url);
      await visitor.ok('allowInteraction', { body: { request: consent.request } });
      await visitor.ok('logOut', {
        params: {
          userId: String(login.loggedInUserId),
          appState: login.appState,
          loggedInId: login.logUserLoginId,
          roleId: '1',
        },
      });
    } finally {
      await secure.close();
    }
    const cookies = visitor.setCookies.map((line) => {
      expect(line.length).toBeLessThan(4096);
      const [pair = '', ...attributes] = line.split(/; */);
      const lasting = attributes
        .map((each) => each.toLowerCase())
        .filter((each) => !/^(?:max-age|expires)=/.test(each));
      const name = pair.split('=', 1)[0]?.replace(/\.sig$/, '');
      const rules = lasting
        .toSorted()
        .join(' ')
        .replace(/[\w-]{43}/, 'its-id');
      return `${name}: ${rules}`;
    });
    const ofHost = 'httponly path=/ samesite=lax secure';
    expect([...new Set(cookies)].toSorted()).toEqual([
      // Read by our own script, under the name that clients look for.
      'XSRF-TOKEN: path=/ samesite=lax secure',
      `__Host-co_id: ${ofHost}`,
      `__Host-device: ${ofHost}`,
      `__Host-idp_session: ${ofHost}`,
      `__Host-visit: ${ofHost}`,
      // Bound to the address of one request of an application: its tabs stay apart.
      '_interaction: httponly path=/account/request/its-id samesite=lax secure',
      '_interaction_resume: httponly path=/idp/authorize/its-id samesite=lax secure',
    ]);
  });

  test('a cookie of our own making is nobody', async () => {
    const visitor = testApp.visitor();
    visitor.cookies.set('visit', 'x'.repeat(43));
    await visitor.ok('getVisit', {});
    expect(visitor.cookies.get('visit')).not.toBe('x'.repeat(43));
  });

  test(
    '[D8] who is not a trusted proxy is counted by the own address',
    { tags: 'long' },
    async () => {
      const direct = await createTestApp({ trustedProxies: [] });
      try {
        for (let n = 0; n < 5; n += 1) {
          await direct
            .visitor(`192.0.2.${n}`)
            .signUp({ emailAddress: 'x@example.test', subtenantId: 4711 });
        }
        const sixth = await direct.visitor('198.51.100.1').signUp();
        expect(sixth.errorFlag).toBe('CAPTCHA_NEEDED');
      } finally {
        await direct.close();
      }
    },
  );
});

describe('[R32] headers on every answer', () => {
  const cases: readonly (readonly [number, () => Promise<Response>])[] = [
    [200, () => testApp.visitor().request('/api/Visit/State')],
    [400, () => testApp.visitor().post(CREATE, '{')],
    [401, () => testApp.visitor().post('/api/Handoff/Issue', { choice: null, entrance: 'portal' })],
    [
      403,
      () =>
        testApp
          .visitor()
          .request('/api/Visit/State', { headers: { 'sec-fetch-site': 'cross-site' } }),
    ],
    [404, () => testApp.visitor().request('/api/nothing')],
    [405, () => testApp.visitor().request(CREATE)],
    [413, () => testApp.visitor().post(CREATE, JSON.stringify({ padding: 'x'.repeat(40_000) }))],
    [415, () => testApp.visitor().post(CREATE, 'x', { 'content-type': 'text/plain' })],
    [
      429,
      async () => {
        const visitor = testApp.visitor();
        for (let n = 0; n < 20; n += 1) {
          await visitor.signUp({ subtenantId: 4711 }, await visitor.prove('signUp'));
        }
        return visitor.post(CREATE, signUpBody(), await visitor.prove('signUp'));
      },
    ],
    [500, () => broken()],
  ];

  /** A table that is gone: the kind of fault nobody planned for. */
  async function broken(at: TestApp = testApp): Promise<Response> {
    await sql`alter table authorizations rename to authorizations_gone`.execute(at.db);
    try {
      return await at.visitor().post('/api/Session/Begin', { entrance: 'portal', isFresh: true });
    } finally {
      await sql`alter table authorizations_gone rename to authorizations`.execute(at.db);
    }
  }

  test.each(cases)('%i', async (status, request) => {
    const response = await request();
    expect(response.status).toBe(status);
    expect(Object.fromEntries(response.headers)).toMatchObject({
      'content-security-policy': "default-src 'none'; frame-ancestors 'none'; base-uri 'none'",
      'x-content-type-options': 'nosniff',
      'referrer-policy': 'no-referrer',
      'cross-origin-opener-policy': 'same-origin',
      'cross-origin-resource-policy': 'same-origin',
      'cache-control': 'no-store',
      'content-type': 'application/json; charset=utf-8',
    });
    expect(response.headers.has('server')).toBe(false);
    expect(response.headers.has('x-powered-by')).toBe(false);
  });

  test('also of the hosted login, whose pages others may open in a window', async () => {
    const paths = ['jwks.json', 'openid-configuration'].map((name) => `.well-known/${name}`);
    for (const path of [...paths, 'authorize?client_id=nobody', 'userinfo', 'no/such/place']) {
      const { headers } = await testApp.visitor().request(`/idp/${path}`);
      expect([path, Object.fromEntries(headers)]).toEqual([
        path,
        expect.objectContaining({
          'content-security-policy': expect.stringMatching(/^default-src 'none';/),
          'x-content-type-options': 'nosniff',
          'referrer-policy': 'no-referrer',
          'cross-origin-opener-policy': 'unsafe-none',
          'cross-origin-resource-policy': 'same-origin',
          'permissions-policy': expect.stringContaining('camera=()'),
        }),
      ]);
    }
  });

  test('[R54] an error of ours says a reference and nothing else', async () => {
    const answer = await read(await broken());
    expect(answer).toMatchObject(refusal(500, 'UNEXPECTED'));
    expect(answer.messages).toEqual([
      expect.stringMatching(/^Something went wrong on our side\. Reference: [\da-f-]{36}$/),
    ]);
    expect(JSON.stringify(answer)).not.toMatch(/authorizations|relation|select|insert/i);
  });

  test('[R54] the log has the cause of it under that reference', { tags: 'long' }, async () => {
    const write = vi.spyOn(process.stdout, 'write').mockReturnValue(true);
    const logging = await createTestApp({ logLevel: 'error' });
    try {
      const { messages } = await read(await broken(logging));
      const lines = write.mock.calls.map(([line]) => String(line));
      const [failed = '{}'] = lines.filter((line) => line.includes('request failed'));
      const { err, reference } = JSON.parse(failed) as { err: object; reference: string };
      expect(err).toMatchObject({ message: expect.stringContaining('authorizations') });
      expect(messages).toEqual([expect.stringContaining(`Reference: ${reference}`)]);
    } finally {
      write.mockRestore();
      await logging.close();
    }
  });
});

describe('health and closing', () => {
  test('alive and ready, and nothing more is told', async () => {
    const engine = testApp.database.engine;
    const ask = async (path: string) => (await fetch(new URL(path, testApp.url))).json();
    expect(await ask('/api/health/live')).toEqual({ status: 'live' });
    expect(await ask('/api/health/ready')).toEqual({
      status: 'ready',
      database: engine,
      providers: { inbox: 'up' },
    });
  });

  test('a lost database is "not ready", and the process lives', { tags: 'long' }, async () => {
    const lost = await createTestApp();
    const { port } = new URL(lost.url);
    await lost.app.outbox.stop();
    await lost.database.close();
    const ready = await fetch(`http://127.0.0.1:${port}/api/health/ready`);
    expect(ready.status).toBe(503);
    expect((await fetch(`http://127.0.0.1:${port}/api/health/live`)).status).toBe(200);
    // Its timers end too; the database cannot be closed twice.
    await lost.close().catch(() => undefined);
  });

  test(
    'closing waits for no idle connection and finishes what is under way',
    { tags: 'long' },
    async () => {
      const closing = await createTestApp();
      const { port } = new URL(closing.url);
      const agent = new Agent({ keepAlive: true, maxSockets: 1 });
      const ask = (path: string) =>
        new Promise<number>((resolve, reject) => {
          get({ host: '127.0.0.1', port, path, agent }, (response) => {
            response.resume().once('end', () => resolve(response.statusCode ?? 0));
          }).once('error', reject);
        });
      expect(await ask('/api/health/live')).toBe(200);
      const underWay = closing.visitor().signUp({ emailAddress: 'closing@example.test' });
      const closed = closing.close();
      // Either it was let in and is answered in full, or it never got in (503 is a door that closes); it is never cut in
      // the middle.
      const outcome = await underWay.then(
        (answer) => answer.status,
        () => 'refused',
      );
      expect([200, 503, 'refused']).toContain(outcome);
      await closed;
      agent.destroy();
    },
  );
});

test('[OPS-87] security.txt says whom to tell, for less than a year, with the address of this installation', async () => {
  const response = await fetch(`${testApp.url}/.well-known/security.txt`);
  expect(response.status).toBe(200);
  expect(response.headers.get('content-type')).toBe('text/plain; charset=utf-8');
  const fields = (await response.text())
    .trim()
    .split('\n')
    .map((line) => line.split(': '));
  const of = (name: string) => fields.filter(([key]) => key === name).map(([, value]) => value);
  const { help, publicUrl } = testApp.config;
  expect(of('Contact')).toEqual([`mailto:${help.email}`, expect.stringMatching(/^tel:\+\d+$/)]);
  expect(of('Canonical')).toEqual([`${publicUrl}/.well-known/security.txt`]);
  const [expires = ''] = of('Expires');
  const days = (Date.parse(String(expires)) - testApp.clock.now().getTime()) / 86_400_000;
  expect(days).toBeGreaterThan(170);
  expect(days).toBeLessThan(365);
});
