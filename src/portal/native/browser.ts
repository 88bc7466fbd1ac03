import { type CallName, routeOf, XSRF_COOKIE, XSRF_HEADER } from '#contract/routes.ts';
import { type Api, type ApiResult, toResult, urlOf } from '../lib/api.ts';
import {
  authenticate,
  type SessionCheck,
  toResult as toSessionCheck,
} from '../lib/identity-client.ts';

/** A browser's requests, made in its place: its address, its headers, its cookies. */
export type Browser = {
  readonly userAgent: string;
  readonly origin: string;
  /** A cookie as it stands by now; `null` without one. */
  readonly cookie: (name: string) => string | null;
  readonly fetch: (path: string, init: RequestInit) => Promise<Response>;
};

/** The calls for which a captcha's challenge is fetched: a browser without script cannot solve one. */
const REFUSED: ApiResult<never> = {
  kind: 'refused',
  errorFlag: 'CAPTCHA_NEEDED',
  messages: [],
  data: null,
};

/** The portal's own calls in the place of a browser that runs no script: same routes, same checks, same limits. */
export function createNativeApi(browser: Browser): Api {
  let bearer: string | null = null;
  const send = async (name: CallName, input: Parameters<Api['call']>[1] = {}) => {
    const { method, path } = routeOf(name);
    const xsrf = browser.cookie(XSRF_COOKIE);
    const response = await browser.fetch(urlOf(path, input.params, input.query), {
      method,
      headers: {
        accept: 'application/json',
        ...(bearer && { authorization: `Bearer ${bearer}` }),
        ...(input.body !== undefined && { 'content-type': 'application/json' }),
        ...(xsrf && { [XSRF_HEADER]: xsrf }),
      },
      ...(input.body !== undefined && { body: JSON.stringify(input.body) }),
    });
    return toResult<never>(response);
  };
  return {
    async call(name, input) {
      if (name === 'getChallenge') return REFUSED;
      if (browser.cookie(XSRF_COOKIE) === null) await send('getVisit');
      const result = await send(name, input);
      // The bearer of a browser with script stays in its tab; here it ends with the request.
      const { authToken } = ((result.kind === 'ok' && result.data) || {}) as { authToken?: string };
      if (name === 'recordLogin' && authToken) bearer = authToken;
      return result;
    },
  };
}

/** With and without the ticket. */
const MOST_HOPS = 3;

/** The embedded hosted login, asked in the place of the browser. A tenant elsewhere cannot be. */
export function createNativeIdentity(browser: Browser) {
  return {
    authenticate: (signIn: Parameters<typeof authenticate>[0]) =>
      authenticate(signIn, (url, init) =>
        browser.fetch(ownPath(url as string, browser), init ?? {}),
      ),
    async checkSession(
      authorizeUrl: string,
      { loginTicket }: { loginTicket?: string } = {},
    ): Promise<SessionCheck> {
      const url = new URL(authorizeUrl, browser.origin);
      // The answer comes in the address that it would lead on to, instead of in a frame's message.
      url.searchParams.set('response_mode', 'query');
      if (loginTicket) url.searchParams.set('login_ticket', loginTicket);
      let next = url;
      for (let hop = 0; hop < MOST_HOPS; hop += 1) {
        const { headers } = await browser.fetch(ownPath(next.href, browser), { method: 'GET' });
        next = new URL(headers.get('location') ?? browser.origin, browser.origin);
        // Redeeming the ticket leads to the same request without it.
        if (next.pathname !== url.pathname) break;
      }
      return toSessionCheck(Object.fromEntries(next.searchParams.entries()));
    },
  };
}

function ownPath(href: string, { origin }: Browser): string {
  const url = new URL(href, origin);
  if (url.origin !== origin) throw new Error('The hosted login is elsewhere');
  return url.pathname + url.search;
}
