import type { FastifyInstance, FastifyRequest } from 'fastify';
import { asCall } from '../http/tracing/span.ts';
import type { Language } from '#locales/languages.ts';
import type { NativeBrowser } from './portal-build.ts';

/** What of a browser's request goes with the requests that are made in its place. */
const CARRIED = [
  'forwarded',
  'host',
  'user-agent',
  'x-forwarded-for',
  'x-forwarded-host',
  'x-forwarded-proto',
];

export type InProcessBrowser = NativeBrowser & {
  /** The Set-Cookie lines of all answers, in order. */
  readonly setCookies: readonly string[];
};

/**
 * Makes requests of our own in the place of a browser that runs no script (decision 124): inside this process, through
 * every check and limit, with its address and its cookies as they stand by then.
 * @param origin where the portal lives
 * @param language of the page
 */
export function createInProcessBrowser(
  app: FastifyInstance,
  request: FastifyRequest,
  origin: string,
  language: Language,
): InProcessBrowser {
  const cookies = new Map(Object.entries(request.cookies));
  const setCookies: string[] = [];
  const { 'user-agent': userAgent = '' } = request.headers;
  const carried = CARRIED.flatMap((name) => {
    const value = request.headers[name];
    return value === undefined ? [] : [[name, value] as const];
  });

  function take({ cookies: given, headers }: Awaited<ReturnType<typeof app.inject>>): void {
    const lines = headers['set-cookie'] ?? [];
    setCookies.push(...(typeof lines === 'string' ? [lines] : lines));
    for (const { name, value, maxAge, expires } of given) {
      const isGone = maxAge === 0 || (expires !== undefined && expires.getTime() <= 0);
      if (isGone) cookies.delete(name);
      else cookies.set(name, value);
    }
  }

  return {
    userAgent,
    origin,
    setCookies,
    cookie: (name) => cookies.get(name) ?? null,
    async fetch(path, { method = 'GET', headers, body }) {
      const pairs = [...cookies].map(
        ([name, value]) => `${name}=${encodeURIComponent(value ?? '')}`,
      );
      const answer = await asCall(method, {}, (traced) =>
        app.inject({
          method: method as 'GET' | 'POST',
          url: path,
          remoteAddress: request.socket.remoteAddress ?? request.ip,
          headers: {
            ...Object.fromEntries(carried),
            ...(headers as Record<string, string>),
            ...traced,
            origin,
            'sec-fetch-site': 'same-origin',
            'sec-fetch-dest': 'empty',
            'accept-language': language,
            cookie: pairs.join('; '),
          },
          ...(typeof body === 'string' && { payload: body }),
        }),
      );
      take(answer);
      const { location, 'retry-after': retryAfter } = answer.headers;
      return new Response([204, 304].includes(answer.statusCode) ? null : answer.body, {
        status: answer.statusCode,
        headers: {
          ...(location !== undefined && { location: String(location) }),
          ...(retryAfter !== undefined && { 'retry-after': String(retryAfter) }),
        },
      });
    },
  };
}
