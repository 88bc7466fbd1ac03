import { beforeEach, describe, expect, it, vi } from 'vitest';
import { createApi } from './api.ts';

type Sent = { url: string; method: string; headers: Record<string, string>; body: unknown };

let sent: Sent[];
let cookie: string;
let session: Map<string, string>;

function answer(body: unknown, init?: ResponseInit) {
  return new Response(JSON.stringify(body), init);
}

const OK = { succeeded: true, data: true, messages: [], errorFlag: null };

/** Stands in for the network; each answer is made by what was asked. */
function network(respond: (request: Sent) => Response | Promise<Response>) {
  vi.stubGlobal('fetch', async (url: string, init: RequestInit) => {
    const request = {
      url,
      method: init.method ?? '',
      headers: init.headers as Record<string, string>,
      body: typeof init.body === 'string' ? JSON.parse(init.body) : null,
    };
    sent.push(request);
    return respond(request);
  });
}

describe('the API client', () => {
  beforeEach(() => {
    sent = [];
    cookie = 'other=1; XSRF-TOKEN=xsrf%2D1';
    session = new Map();
    vi.stubGlobal('document', {
      get cookie() {
        return cookie;
      },
    });
    vi.stubGlobal('sessionStorage', {
      getItem: (key: string) => session.get(key) ?? null,
      setItem: (key: string, value: string) => session.set(key, value),
      removeItem: (key: string) => session.delete(key),
    });
    return () => vi.unstubAllGlobals();
  });

  it('[API-02] sends JSON, the bearer and the CSRF header', async () => {
    session.set('AuthToken', 'token-12345');
    network(() => answer({ ...OK, data: { remainingMs: 1, canExtend: true } }));
    await createApi({ isDemo: true }).call('extendOtp', { body: { id: 'a', createdBy: 1 } });
    expect(sent).toEqual([
      {
        url: '/api/OTP/Extend',
        method: 'POST',
        headers: {
          accept: 'application/json',
          authorization: 'Bearer token-12345',
          'content-type': 'application/json',
          'x-xsrf-token': 'xsrf-1',
        },
        body: { id: 'a', createdBy: 1 },
      },
    ]);
  });

  it('fills the path and the query, each value escaped', async () => {
    network(() => answer(OK));
    const api = createApi({ isDemo: true });
    await api.call('checkUser', { params: { email: 'a/b@c.org' } });
    await api.call('getLoginUser', { query: { emailId: 'a+b@c.org' } });
    expect(sent.map(({ url }) => url)).toEqual([
      '/api/user/GetUserStatusByUserName/a%2Fb%40c.org',
      '/api/Account/GetUserDetailByEmailId?emailId=a%2Bb%40c.org',
    ]);
    expect(sent[0]?.headers).not.toHaveProperty('x-xsrf-token');
  });

  it('makes the visit once before the first calls of a new browser', async () => {
    cookie = '';
    network(({ url }) => {
      if (url === '/api/Visit/State') cookie = 'XSRF-TOKEN=fresh';
      return answer(OK);
    });
    const api = createApi({ isDemo: true });
    await Promise.all([
      api.call('getSubtenant', { body: { subtenantId: 742 } }),
      api.call('checkUser', { params: { email: 'a@b.org' } }),
    ]);
    const [first, ...others] = sent;
    expect(first?.url).toBe('/api/Visit/State');
    expect(others.map(({ url }) => url).toSorted()).toEqual([
      '/api/Subtenant/get-subtenant-details',
      '/api/user/GetUserStatusByUserName/a%40b.org',
    ]);
    const post = others.find(({ method }) => method === 'POST');
    expect(post?.headers['x-xsrf-token']).toBe('fresh');
  });

  it('[SES-04] [API-02] sends a call again that met the new cookie of a sign-in, and only then', async () => {
    const api = createApi({ isDemo: false });
    network(({ headers }) => {
      cookie = 'XSRF-TOKEN=renewed';
      return headers['x-xsrf-token'] === 'renewed'
        ? answer(OK)
        : answer({ ...OK, succeeded: false, errorFlag: 'FORBIDDEN' }, { status: 403 });
    });
    expect((await api.call('getSubtenant', { body: { subtenantId: 742 } })).kind).toBe('ok');
    expect(sent.map(({ headers }) => headers['x-xsrf-token'])).toEqual(['xsrf-1', 'renewed']);

    sent = [];
    network(() =>
      sent.length > 1
        ? answer(OK)
        : answer({ ...OK, succeeded: false, errorFlag: 'FORBIDDEN' }, { status: 403 }),
    );
    const refused = await api.call('getSubtenant', { body: { subtenantId: 742 } });
    expect(refused).toMatchObject({ kind: 'failed', status: 403, errorFlag: 'FORBIDDEN' });
    expect(sent).toHaveLength(1);
  });

  it('tells a refusal from a success', async () => {
    network(() =>
      answer({ succeeded: false, data: null, messages: ['No'], errorFlag: 'INVALID_OTP' }),
    );
    const result = await createApi({ isDemo: true }).call('getCountries');
    expect(result).toEqual({
      kind: 'refused',
      errorFlag: 'INVALID_OTP',
      messages: ['No'],
      data: null,
    });
  });

  it.each([
    [400, {}, 'BAD_REQUEST', null],
    [404, {}, 'NOT_FOUND', null],
    [429, { 'retry-after': '90' }, 'TOO_MANY', 90],
    [503, { 'retry-after': '2' }, 'UNAVAILABLE', 2],
  ])(
    '[API-02] passes a %i to the caller',
    async (status, headers, errorFlag, retryAfterSeconds) => {
      network(() =>
        answer({ succeeded: false, data: null, messages: [], errorFlag }, { status, headers }),
      );
      const result = await createApi({ isDemo: false }).call('getCountries');
      expect(result).toEqual({ kind: 'failed', status, errorFlag, retryAfterSeconds });
    },
  );

  it('[SUP-20] [API-02] clears the bearer on a 401', async () => {
    session.set('AuthToken', 'token-12345');
    network(() => answer({ errorFlag: 'NO_SESSION' }, { status: 401 }));
    await createApi({ isDemo: true }).call('getCountries');
    expect(session.has('AuthToken')).toBe(false);
  });

  it.each([
    [true, 1],
    [false, 0],
  ])('[API-02] logs a 503 in demo mode only (demo: %s)', async (isDemo, times) => {
    const log = vi.spyOn(console, 'error').mockReturnValue(undefined);
    network(() => answer({}, { status: 503 }));
    await createApi({ isDemo }).call('getCountries');
    expect(log.mock.calls).toEqual(Array.from({ length: times }, () => ['Something went wrong']));
    log.mockRestore();
  });

  it('takes a page of HTML, a lost connection and silence for failures', async () => {
    const api = createApi({ isDemo: true });
    network(() => new Response('<h1>Bad gateway</h1>', { status: 502 }));
    expect(await api.call('getCountries')).toMatchObject({ kind: 'failed', status: 502 });
    network(() => new Response('<h1>Hotel WiFi</h1>'));
    expect(await api.call('getCountries')).toMatchObject({ kind: 'failed', status: 200 });
    network(() => Promise.reject(new TypeError('Failed to fetch')));
    expect(await api.call('getCountries')).toMatchObject({ kind: 'failed', status: 0 });
  });

  it('[API-02] A9: sets no request time-out: a late answer is an answer', async () => {
    vi.useFakeTimers();
    network(() => new Promise((resolve) => setTimeout(() => resolve(Response.json(OK)), 180_000)));
    const result = createApi({ isDemo: true }).call('getCountries');
    await vi.advanceTimersByTimeAsync(180_000);
    expect(await result).toMatchObject({ kind: 'ok' });
    vi.useRealTimers();
  });
});
