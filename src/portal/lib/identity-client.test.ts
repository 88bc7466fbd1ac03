import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { authenticate, checkSession, logoutUrl } from './identity-client.ts';

const ISSUER = 'https://login.example/idp/';
const AUTHORIZE = `${ISSUER}authorize?client_id=p&state=s1`;
const signIn = {
  base: ISSUER,
  clientId: 'p',
  realm: 'users',
  username: 'mary@x.test',
  password: 'secret',
};

/** As much of a browser as a frame and a message need. */
function fakeBrowser() {
  const listeners = new Set<(event: unknown) => void>();
  const frames: { src: string; hidden: boolean; contentWindow: object }[] = [];
  vi.stubGlobal('location', { href: 'https://portal.example/account/Redirect' });
  vi.stubGlobal('addEventListener', (_type: string, listener: (event: unknown) => void) =>
    listeners.add(listener),
  );
  vi.stubGlobal('removeEventListener', (_type: string, listener: (event: unknown) => void) =>
    listeners.delete(listener),
  );
  vi.stubGlobal('document', {
    createElement: () => {
      const frame = {
        contentWindow: {},
        remove: () => void frames.splice(frames.indexOf(frame as never), 1),
      };
      return frame;
    },
    body: { append: (frame: never) => frames.push(frame) },
  });
  return {
    frames,
    listeners,
    post(
      response: object,
      {
        origin = 'https://login.example',
        source = frames[0]?.contentWindow as unknown,
        type = 'authorization_response',
      } = {},
    ) {
      for (const listener of listeners) listener({ origin, source, data: { type, response } });
    },
  };
}

let browser: ReturnType<typeof fakeBrowser>;
beforeEach(() => {
  vi.useFakeTimers();
  browser = fakeBrowser();
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

describe('checkSession', () => {
  test('a code comes back with its state; the frame and the listener are gone', async () => {
    const result = checkSession(AUTHORIZE, { loginTicket: 't1' });
    expect(browser.frames.map(({ src, hidden }) => [src, hidden])).toEqual([
      [`${AUTHORIZE}&login_ticket=t1`, true],
    ]);
    browser.post({ code: 'c1', state: 's1' });
    expect(await result).toEqual({ kind: 'session', code: 'c1', state: 's1' });
    expect([browser.frames.length, browser.listeners.size]).toEqual([0, 0]);
  });

  test.each(['login_required', 'consent_required', 'interaction_required'])(
    '%s asks for a sign-in',
    async (error) => {
      const result = checkSession(AUTHORIZE);
      browser.post({ error, state: 's1' });
      expect(await result).toEqual({ kind: 'loginRequired' });
    },
  );

  test('any other error is a failure', async () => {
    const result = checkSession(AUTHORIZE);
    browser.post({ error: 'server_error', state: 's1' });
    expect(await result).toEqual({ kind: 'failed', error: 'server_error' });
  });

  test.each([
    ['another origin', { origin: 'https://login.example.evil.example' }],
    ['another scheme', { origin: 'http://login.example' }],
    ['another window', { source: {} }],
    ['another message', { type: 'something' }],
  ])('a message from %s is ignored', async (_name, from) => {
    const result = checkSession(AUTHORIZE);
    browser.post({ code: 'forged', state: 's1' }, from);
    browser.post({ code: 'c1', state: 's1' });
    expect(await result).toMatchObject({ code: 'c1' });
  });

  test('a message for another state is ignored', async () => {
    const result = checkSession(AUTHORIZE);
    browser.post({ code: 'forged', state: 's2' });
    browser.post({ code: 'c1', state: 's1' });
    expect(await result).toMatchObject({ code: 'c1' });
  });

  test('[API-05] it gives up after 5000 ms', async () => {
    const result = checkSession(AUTHORIZE);
    await vi.advanceTimersByTimeAsync(4999);
    expect(browser.frames).toHaveLength(1);
    await vi.advanceTimersByTimeAsync(1);
    expect(await result).toEqual({ kind: 'timeout' });
    expect([browser.frames.length, browser.listeners.size]).toEqual([0, 0]);
  });

  test('the same check asked twice opens one frame; another one waits', async () => {
    const [first, second] = [checkSession(AUTHORIZE), checkSession(AUTHORIZE)];
    const other = checkSession(`${ISSUER}authorize?state=s2`);
    expect(browser.frames).toHaveLength(1);
    browser.post({ code: 'c1', state: 's1' });
    expect(await first).toBe(await second);
    await vi.waitFor(() => expect(browser.frames).toHaveLength(1));
    browser.post({ code: 'c2', state: 's2' });
    expect(await other).toMatchObject({ code: 'c2' });
  });
});

describe('authenticate', () => {
  const answer = (status: number, body: object, headers = {}) =>
    vi.stubGlobal(
      'fetch',
      vi.fn(async () => Response.json(body, { status, headers })),
    );

  test('sends what Auth0 expects, with cookies', async () => {
    answer(200, { login_ticket: 't1' });
    expect(await authenticate(signIn)).toEqual({ kind: 'ok', loginTicket: 't1' });
    const [url, init] = vi.mocked(fetch).mock.calls[0] ?? [];
    expect(url).toBe(`${ISSUER}co/authenticate`);
    expect(init).toMatchObject({ method: 'POST', credentials: 'include' });
    expect(JSON.parse(init?.body as string)).toEqual({
      client_id: 'p',
      credential_type: 'http://auth0.com/oauth/grant-type/password-realm',
      realm: 'users',
      username: 'mary@x.test',
      password: 'secret',
    });
  });

  test('A9: it sets no request time-out: a late answer is an answer', async () => {
    const late = Response.json({ login_ticket: 't' });
    vi.stubGlobal(
      'fetch',
      () => new Promise((resolve) => setTimeout(() => resolve(late), 180_000)),
    );
    const result = authenticate(signIn);
    await vi.advanceTimersByTimeAsync(180_000);
    expect(await result).toEqual({ kind: 'ok', loginTicket: 't' });
  });

  test.each([
    [
      403,
      { error: 'access_denied', error_description: 'Wrong email or password.' },
      { kind: 'wrong' },
    ],
    [403, { error: 'invalid_grant' }, { kind: 'wrong' }],
    [400, { error: 'invalid_user_password' }, { kind: 'wrong' }],
    [403, { error: 'unauthorized_client' }, { kind: 'failed' }],
    [500, {}, { kind: 'failed' }],
  ])('%i %o', async (status, body, expected) => {
    answer(status, body);
    expect(await authenticate(signIn)).toEqual(expected);
  });

  test('too many attempts say when to come back', async () => {
    answer(429, {}, { 'retry-after': '42' });
    expect(await authenticate(signIn)).toEqual({ kind: 'tooMany', retryAfterSeconds: 42 });
  });

  test('no network is a failure, not an exception', async () => {
    vi.stubGlobal('fetch', async () => Promise.reject(new TypeError('offline')));
    expect(await authenticate(signIn)).toEqual({ kind: 'failed' });
  });
});

test('the sign-out address carries the client and the way back', () => {
  expect(logoutUrl(ISSUER, 'p', 'https://portal.example/account/Signout')).toBe(
    'https://login.example/idp/v2/logout?client_id=p&returnTo=https%3A%2F%2Fportal.example%2Faccount%2FSignout',
  );
});
