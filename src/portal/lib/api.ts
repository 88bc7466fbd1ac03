import type { Body, Data, Params, Query } from '#contract/index.ts';
import type { Envelope } from '#contract/envelope.ts';
import { type CallName, routeOf, XSRF_HEADER } from '#contract/routes.ts';
import { problems } from '#texts/problems.ts';
import { removeItems, getItem } from './storage.ts';
import { xsrfToken } from './xsrf.ts';

/** The outcome of a call. The caller decides on its meaning for the visitor. */
export type ApiResult<T> =
  | { readonly kind: 'ok'; readonly data: T; readonly messages: readonly string[] }
  /** The server refused: a business outcome that a screen shows. */
  | {
      readonly kind: 'refused';
      readonly errorFlag: string | null;
      readonly messages: readonly string[];
      readonly data: T | null;
    }
  /** `status` 0: no answer at all. */
  | {
      readonly kind: 'failed';
      readonly status: number;
      readonly errorFlag: string | null;
      readonly retryAfterSeconds: number | null;
    };

/** A call that brought no data. */
export type Failure = Exclude<ApiResult<unknown>, { kind: 'ok' }>;

export type Input<Name extends CallName> = {
  readonly params?: Params<Name>;
  readonly query?: Query<Name>;
  readonly body?: Body<Name>;
  /** In addition to those of every call. */
  readonly headers?: Readonly<Record<string, string>>;
};

export type Api = {
  readonly call: <Name extends CallName>(
    name: Name,
    input?: Input<Name>,
  ) => Promise<ApiResult<Data<Name>>>;
};

/**
 * Creates the API client: JSON, bearer, CSRF header (API-02). It waits as long as the browser does: forms show a way
 * on.
 */
export function createApi({ isDemo }: { readonly isDemo: boolean }): Api {
  let visit: Promise<unknown> | undefined;

  /** Two first calls at once would create two visits, and one cookie would be lost. */
  const ensureVisit = () => (visit ??= send('getVisit', {}));

  return {
    async call(name, input = {}) {
      if (xsrfToken() === null) await ensureVisit();
      const result = await send(name, input);
      if (result.kind === 'failed') {
        if (result.status === 401) removeItems('AuthToken');
        // oxlint-disable-next-line no-console -- API-02: a 503 is logged, in demo builds
        if (result.status === 503 && isDemo) console.error(problems.unavailable);
      }
      return result;
    },
  };
}

async function send<Name extends CallName>(
  name: Name,
  input: Input<Name>,
): Promise<ApiResult<Data<Name>>> {
  const { params, query, body, headers } = input;
  const { method, path } = routeOf(name);
  const token = xsrfToken();
  try {
    const response = await fetch(callUrl(path, params, query), {
      method,
      credentials: 'same-origin',
      headers: { ...headersFor(method, body), ...headers },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    // A sign-in, perhaps in another tab, renewed the cookie after the token was read: the server refused, and did nothing.
    if (response.status === 403 && xsrfToken() !== token) return await send(name, input);
    return await toResult<Data<Name>>(response);
  } catch {
    return { kind: 'failed', status: 0, errorFlag: null, retryAfterSeconds: null };
  }
}

/** Reads an answer: the envelope of WIR-01, or any answer of a proxy. */
export async function toResult<T>(response: Response): Promise<ApiResult<T>> {
  const envelope: Partial<Envelope<T>> = await response.json().catch(() => ({}));
  const { succeeded, data = null, messages = [], errorFlag = null } = envelope;
  if (response.ok && succeeded) return { kind: 'ok', data: data as T, messages };
  if (response.ok && succeeded === false) return { kind: 'refused', errorFlag, messages, data };
  const seconds = Number(response.headers.get('retry-after'));
  return {
    kind: 'failed',
    status: response.status,
    errorFlag,
    retryAfterSeconds: seconds > 0 ? seconds : null,
  };
}

/** Returns the address of a call with its parameters. */
export function callUrl(path: string, params: unknown, query: unknown): string {
  const values = { ...(params as Readonly<Record<string, string>> | undefined) };
  const filled = path.replace(/:(\w+)/g, (_, key: string) => encodeURIComponent(values[key] ?? ''));
  const search = new URLSearchParams(query as Record<string, string> | undefined).toString();
  return search ? `${filled}?${search}` : filled;
}

function headersFor(method: string, body: unknown): Record<string, string> {
  const headers: Record<string, string> = { accept: 'application/json' };
  const language: string = import.meta.env.LANGUAGE ?? '';
  if (language) headers['accept-language'] = language;
  const token = getItem('AuthToken');
  const xsrf = xsrfToken();
  if (token) headers.authorization = `Bearer ${token}`;
  if (body !== undefined) headers['content-type'] = 'application/json';
  if (method !== 'GET' && xsrf) headers[XSRF_HEADER] = xsrf;
  return headers;
}
