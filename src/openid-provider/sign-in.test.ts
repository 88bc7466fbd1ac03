import { afterEach, describe, expect, test } from 'vitest';
import { sessionLifeSeconds } from './sessions.ts';
import { createTestProvider, credentials, OTHER, webMessage } from './testing/test-provider.ts';
import type { TestProvider } from './testing/test-provider.ts';
import { SESSION_LIFE } from './testing/unused-ports.ts';
import type { TestBrowser } from './testing/browser.ts';
import { closeAtEnd } from '#server/testing/close-at-end.ts';

const testProvider = closeAtEnd(await createTestProvider());
afterEach(async () => {
  testProvider.during.claimsOf = async () => {};
  testProvider.unavailable.clear();
  await testProvider.database.query('DELETE FROM hosted_payloads');
  await testProvider.database.query('DELETE FROM hosted_tickets');
});

const SESSION = 'idp_session';
const sessions = () =>
  testProvider.database.query("SELECT * FROM hosted_payloads WHERE model = 'Session'");

async function silently(browser: TestBrowser, extra: Record<string, string> = {}) {
  const authorization = testProvider.authorization(extra);
  const message = await webMessage(await browser.fetch(authorization.url));
  return { ...message.response, authorization };
}

/** Follows the redirect that takes the ticket out of the address. */
async function redeem(browser: TestBrowser, ticket: string, extra: Record<string, string> = {}) {
  const authorization = testProvider.authorization({ login_ticket: ticket, ...extra });
  const first = await browser.fetch(authorization.url);
  if (first.status !== 303)
    return { ...(await webMessage(first)).response, status: first.status, location: '' };
  const location = first.headers.get('location') ?? '';
  return {
    ...(await webMessage(await browser.fetch(location))).response,
    status: first.status,
    location,
  };
}

async function idToken(browser: TestBrowser) {
  const { code = '', authorization } = (await silently(browser)) as Record<string, string> & {
    authorization: ReturnType<TestProvider['authorization']>;
  };
  const response = await testProvider.token(authorization, code);
  const body = (await response.json()) as Record<string, string>;
  const [, payload = ''] = (body.id_token ?? '').split('.');
  return JSON.parse(Buffer.from(payload, 'base64url').toString()) as Record<string, unknown>;
}

describe('the password step', () => {
  test('[GEN-05] the right password alone makes no session: no row, no cookie, login_required', async () => {
    const browser = testProvider.browser();
    const answer = await redeem(browser, await testProvider.ticket(browser));
    expect(answer).toMatchObject({ status: 303, error: 'login_required' });
    expect(answer.location).not.toContain('login_ticket');
    expect(await sessions()).toEqual([]);
    expect(browser.cookies.has(SESSION)).toBe(false);
  });

  test('redeeming tells the portal which sign-in this was', async () => {
    const browser = testProvider.browser(new Map([['visit', 'v1']]));
    const authorization = testProvider.authorization({
      login_ticket: await testProvider.ticket(browser),
    });
    testProvider.events.length = 0;
    await browser.fetch(authorization.url);
    expect(testProvider.events).toEqual([
      {
        accountId: 'mary',
        state: authorization.state,
        cookieHeader: expect.stringContaining('visit=v1'),
      },
    ]);
  });

  test("the sign-in of another application does not move the portal's", async () => {
    const browser = testProvider.browser();
    const body = credentials({ client_id: OTHER });
    const response = await browser.post('/idp/co/authenticate', body, {
      origin: 'https://other.example',
    });
    const { login_ticket: ticket } = (await response.json()) as { login_ticket: string };
    testProvider.events.length = 0;
    expect((await redeem(browser, ticket, { client_id: OTHER })).status).toBe(303);
    expect(testProvider.events).toEqual([]);
  });

  test('a ticket works once, also when it is shown twice at the same moment', async () => {
    const browser = testProvider.browser();
    const ticket = await testProvider.ticket(browser);
    testProvider.events.length = 0;
    const answers = await Promise.all([1, 2, 3, 4].map(() => redeem(browser, ticket)));
    expect(answers.filter(({ status }) => status === 303)).toHaveLength(1);
    expect(testProvider.events).toHaveLength(1);
  });

  test('a ticket is dead after 60 seconds', async () => {
    const browser = testProvider.browser();
    const ticket = await testProvider.ticket(browser);
    testProvider.advance(60);
    expect((await redeem(browser, ticket)).status).not.toBe(303);
  });

  test('a ticket is refused in another browser, and burnt by the attempt', async () => {
    const browser = testProvider.browser();
    const thief = testProvider.browser();
    await testProvider.ticket(thief, 'thief');
    const ticket = await testProvider.ticket(browser);
    testProvider.events.length = 0;
    expect((await redeem(thief, ticket)).status).not.toBe(303);
    expect((await redeem(browser, ticket)).status).not.toBe(303);
    expect(
      (await redeem(testProvider.browser(), await testProvider.ticket(browser))).status,
    ).not.toBe(303);
    expect(testProvider.events).toEqual([]);
  });

  test('a ticket is refused for another client', async () => {
    const browser = testProvider.browser();
    expect(
      (await redeem(browser, await testProvider.ticket(browser), { client_id: OTHER })).status,
    ).not.toBe(303);
  });

  test('the ticket and the browser secret are stored only as hashes', async () => {
    const browser = testProvider.browser();
    const ticket = await testProvider.ticket(browser);
    const stored = JSON.stringify(
      await testProvider.database.query('SELECT * FROM hosted_tickets'),
    );
    expect(stored).not.toContain(ticket);
    expect(stored).not.toContain(browser.cookies.get('co_id'));
  });

  test('a redeemed ticket ends an earlier session of this browser first', async () => {
    const browser = testProvider.browser();
    await testProvider.signIn(browser, 'peter');
    const old = new Map(browser.cookies);
    await redeem(browser, await testProvider.ticket(browser));
    expect(await silently(testProvider.browser(old))).toMatchObject({ error: 'login_required' });
  });

  test('a bad ticket never falls back on an earlier session, and does not end it either', async () => {
    const browser = testProvider.browser();
    await testProvider.signIn(browser, 'peter');
    expect(await redeem(browser, 'made-up')).toMatchObject({ error: 'login_required' });
    expect(await silently(browser)).toHaveProperty('code');
  });

  test('[API-05] wrong password, too many attempts, unknown client, foreign page: as Auth0 answers', async () => {
    const browser = testProvider.browser();
    const call = async (body: Record<string, unknown>, headers = {}) => {
      const response = await browser.post('/idp/co/authenticate', credentials(body), headers);
      return {
        status: response.status,
        retry: response.headers.get('retry-after'),
        ...((await response.json()) as object),
      };
    };
    expect(await call({ password: 'x' })).toMatchObject({
      status: 403,
      error: 'access_denied',
      error_description: 'Wrong email or password.',
    });
    expect(await call({ username: 'blocked' })).toMatchObject({
      status: 429,
      error: 'too_many_attempts',
      retry: '42',
    });
    expect(await call({ client_id: 'nobody' })).toMatchObject({
      status: 401,
      error: 'unauthorized',
    });
    expect(await call({}, { origin: 'https://evil.example' })).toMatchObject({
      status: 403,
      error: 'unauthorized_client',
      error_description: 'Cross origin login not allowed.',
    });
    expect(await call({}, { 'content-type': 'text/plain' })).toMatchObject({ status: 415 });
    expect(await call({ username: '' })).toMatchObject({ status: 400 });
    const padded = await browser.post(
      '/idp/co/authenticate',
      JSON.stringify(credentials()) + ' '.repeat(40_000),
    );
    expect(padded.status).toBe(400);
    expect(browser.cookies.size).toBe(0);
  });
});

describe('the verified code', () => {
  test('[GEN-05] the verified code makes the session; the silent check then answers a code', async () => {
    const browser = testProvider.browser();
    await testProvider.signIn(browser);
    const { authorization, ...answer } = await silently(browser);
    expect(answer).toMatchObject({
      code: expect.any(String),
      state: authorization.state,
      iss: testProvider.issuer,
    });
  });

  test('the ID token says who, how and when', async () => {
    const browser = testProvider.browser();
    await testProvider.signIn(browser);
    const claims = await idToken(browser);
    expect(claims).toMatchObject({
      iss: testProvider.issuer,
      sub: 'mary',
      amr: ['pwd', 'otp'],
      acr: 'urn:porchlight:acr:password-and-code',
      email: 'mary@demo.porchlight.test',
      email_verified: true,
      name: 'Mary Hill',
      org_id: '742',
      trial_ends_at: 1_800_000_000,
      sid: expect.any(String),
    });
    expect(Math.abs(Number(claims.auth_time) - Date.now() / 1000)).toBeLessThan(10);
  });

  test('the session cookie is HttpOnly, Lax, for the whole site, and stands beside cookies of the API', async () => {
    const browser = testProvider.browser();
    const response = await testProvider.verifyCode(browser);
    const lines = response.headers.getSetCookie();
    expect(lines.find((line) => line.startsWith(`${SESSION}=`))).toMatch(
      /; path=\/; samesite=lax; httponly$/i,
    );
    expect(lines.some((line) => line.startsWith(`${SESSION}.sig=`))).toBe(true);
    expect(lines.some((line) => line.startsWith('XSRF-TOKEN='))).toBe(true);
  });

  test('the session id and the code are stored only as hashes', async () => {
    const browser = testProvider.browser();
    await testProvider.signIn(browser);
    const { code = '' } = (await silently(browser)) as { code?: string };
    const stored = JSON.stringify(
      await testProvider.database.query('SELECT * FROM hosted_payloads'),
    );
    expect(stored).not.toContain(code);
    expect(stored).not.toContain(browser.cookies.get(SESSION));
  });

  test('each sign-in has a new session id, and the earlier session is gone', async () => {
    const browser = testProvider.browser();
    await testProvider.signIn(browser, 'peter');
    const old = new Map(browser.cookies);
    await testProvider.verifyCode(browser, 'mary');
    expect(browser.cookies.get(SESSION)).not.toBe(old.get(SESSION));
    expect(await silently(testProvider.browser(old))).toMatchObject({ error: 'login_required' });
    expect(await idToken(browser)).toMatchObject({ sub: 'mary' });
  });

  test.each([['pwd'], ['fed']])(
    '[FED-02] no session is made without the code: %s alone',
    async (factor) => {
      const response = await testProvider
        .browser()
        .post('/api/verify', { accountId: 'mary', amr: [factor] });
      expect(response.status).toBe(500);
      expect(await sessions()).toEqual([]);
    },
  );
});

describe('the life of a session', () => {
  test('it is not written again for nothing, and moved on once a minute has passed', async () => {
    const browser = testProvider.browser();
    await testProvider.signIn(browser);
    await silently(browser);
    const expiry = async () =>
      Number(
        (
          await testProvider.database.query(
            "SELECT payload->'exp' AS exp FROM hosted_payloads WHERE model = 'Session'",
          )
        )[0]?.exp,
      );
    const shorten = (seconds: number) =>
      testProvider.database.query(
        `UPDATE hosted_payloads SET payload = jsonb_set(payload, '{exp}', to_jsonb((payload->>'exp')::int - $1::int)) WHERE model = 'Session'`,
        [seconds],
      );
    const whole = await expiry();
    await shorten(30);
    await silently(browser);
    expect(await expiry()).toBe(whole - 30);
    await shorten(60);
    await silently(browser);
    expect(await expiry()).toBeGreaterThanOrEqual(whole);
  });

  test('half an hour idle ends it, and so do twelve hours in all', async () => {
    const browser = testProvider.browser();
    await testProvider.signIn(browser);
    const [row] = await sessions();
    const { exp, loginTs } = (row as { payload: { exp: number; loginTs: number } }).payload;
    expect(exp - loginTs).toBeLessThanOrEqual(1800);
    await testProvider.database.query(
      `UPDATE hosted_payloads SET payload = payload || jsonb_build_object('exp', (payload->>'exp')::int - 1900) WHERE model = 'Session'`,
    );
    expect(await silently(browser)).toMatchObject({ error: 'login_required' });
    const now = Math.floor(Date.now() / 1000);
    expect(sessionLifeSeconds(now - 12 * 3600 + 100, SESSION_LIFE)).toBeLessThanOrEqual(100);
    expect(sessionLifeSeconds(now, SESSION_LIFE)).toBe(1800);
  });
});

/** What a row may say when the code was never verified. */
const WITHOUT_CODE = ['["pwd"]', '[]', 'null', '["OTP"]', '["pwd", "mfa"]'];

describe('[D1] three lines of defence, each without the other two', () => {
  const forgeAmr = (model: string, amr: string) =>
    testProvider.database.query(
      `UPDATE hosted_payloads SET payload = jsonb_set(payload, '{amr}', $2::text::jsonb) WHERE model = $1`,
      [model, amr],
    );

  test('first line: nobody but the verified code makes a session, whatever the other two would say', async () => {
    const browser = testProvider.browser();
    const ticket = await testProvider.ticket(browser);
    expect((await redeem(browser, ticket)).status).toBe(303);
    expect(await sessions()).toEqual([]);
    for (const amr of [['pwd'], [], ['OTP'], ['mfa']]) {
      const response = await browser.post('/api/verify', { accountId: 'mary', amr });
      expect([amr, response.status]).toEqual([amr, 500]);
    }
    expect(await sessions()).toEqual([]);
    expect(browser.cookies.has(SESSION)).toBe(false);
  });

  test.each(WITHOUT_CODE)(
    'second line: a session that says %s, forged in the database, gets no code',
    async (amr) => {
      const browser = testProvider.browser();
      await testProvider.signIn(browser);
      await forgeAmr('Session', amr);
      const answer = await silently(browser);
      expect(answer).toMatchObject({ error: 'login_required' });
      expect(answer).not.toHaveProperty('code');
      const codes = await testProvider.database.query(
        `SELECT 1 FROM hosted_payloads WHERE model = 'AuthorizationCode'`,
      );
      expect(codes).toEqual([]);
    },
  );

  test.each(WITHOUT_CODE)(
    'third line: a code that says %s, forged in the database, gets no token',
    async (amr) => {
      const browser = testProvider.browser();
      await testProvider.signIn(browser);
      const { code = '', authorization } = (await silently(browser)) as Record<string, string> & {
        authorization: ReturnType<TestProvider['authorization']>;
      };
      await forgeAmr('AuthorizationCode', amr);
      const response = await testProvider.token(authorization, code);
      expect([response.status, await response.json()]).toMatchObject([
        400,
        { error: 'invalid_grant' },
      ]);
    },
  );
});

describe('the end', () => {
  test('an account that may no longer sign in gets login_required, not a crash', async () => {
    const browser = testProvider.browser();
    await testProvider.signIn(browser);
    testProvider.unavailable.add('mary');
    expect(await silently(browser)).toMatchObject({ error: 'login_required' });
    expect(testProvider.logged).toEqual([]);
  });

  test('the API ends the session of its browser', async () => {
    const browser = testProvider.browser();
    await testProvider.signIn(browser);
    const old = new Map(browser.cookies);
    await browser.post('/api/signout', {});
    expect(browser.cookies.has(SESSION)).toBe(false);
    expect(await sessions()).toEqual([]);
    expect(await silently(testProvider.browser(old))).toMatchObject({ error: 'login_required' });
  });

  test('a reset ends sessions in every browser, codes, tokens and open tickets', async () => {
    const [one, two] = [testProvider.browser(), testProvider.browser()];
    await testProvider.signIn(one);
    await testProvider.signIn(two);
    const { code = '', authorization } = (await silently(one)) as Record<string, string> & {
      authorization: ReturnType<TestProvider['authorization']>;
    };
    const ticket = await testProvider.ticket(one);
    await testProvider.provider.endAccount('mary');
    expect(await silently(one)).toMatchObject({ error: 'login_required' });
    expect(await silently(two)).toMatchObject({ error: 'login_required' });
    expect((await testProvider.token(authorization, code)).status).toBe(400);
    expect((await redeem(one, ticket)).status).not.toBe(303);
  });

  test('a request under way when the reset happens does not bring the session back', async () => {
    const browser = testProvider.browser();
    await testProvider.signIn(browser);
    testProvider.during.claimsOf = async () => {
      await testProvider.provider.endAccount('mary');
      testProvider.during.claimsOf = async () => {};
    };
    await silently(browser);
    expect(await silently(browser)).toMatchObject({ error: 'login_required' });
  });
});
