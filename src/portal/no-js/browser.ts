import { type CallName, routeOf, XSRF_COOKIE, XSRF_HEADER } from '#contract/routes.ts';
import { type Api, type ApiResult, toResult, callUrl } from '../lib/api.ts';
import {
  authenticate,
  type SessionCheck,
  toResult as toSessionCheck,
} from '../lib/identity-client.ts';

/** A browser's data for requests in its place: its address, its headers, its cookies. */
export type Browser = {
  readonly userAgent: string;
  readonly origin: string;
  /** Returns the current value of a cookie; `null` without one. */
  readonly cookie: (name: string) => string | null;
  readonly fetch: (path: string, init: RequestInit) => Promise<Response>;
};

/** The answer to calls that fetch a captcha's challenge: without JavaScript it cannot be solved. */
const REFUSED: ApiResult<never> = {
  kind: 'refused',
  errorFlag: 'CAPTCHA_NEEDED',
  messages: [],
  data: null,
};

/** Creates the portal's own calls in place of a browser without JavaScript: same routes, same checks, same limits. */
export function createNativeApi(browser: Browser): Api {
  let bearer: string | null = null;
  const send = async (name: CallName, input: Parameters<Api['call']>[1] = {}) => {
    const { method, path } = routeOf(name);
    const xsrf = browser.cookie(XSRF_COOKIE);
    const response = await browser.fetch(callUrl(path, input.params, input.query), {
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
      // A browser with script keeps the bearer in its tab; here it ends with the request.
      const { authToken } = ((result.kind === 'ok' && result.data) || {}) as { authToken?: string };
      if (name === 'recordLogin' && authToken) bearer = authToken;
      return result;
    },
  };
}

/** Redirects: with and without the ticket. */
const MOST_HOPS = 3;

/** Creates the client of the embedded hosted login in place of the browser. A tenant elsewhere is out of reach. */
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
      // The answer comes in the redirect's address, instead of in a frame's message.
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
