import type { TenantConfig } from '../../config/auth0-tenant-config.ts';

/** A failed call to the tenant; `status` 0: no response, or an unreadable one. */
export class TenantError extends Error {
  readonly status: number;

  constructor(status: number, what: string) {
    super(`The tenant answered ${status || 'nothing'} to ${what}`);
    this.name = 'TenantError';
    this.status = status;
  }
}

export type TenantApi = ReturnType<typeof createTenantApi>;

type Fetch = (url: string, init: RequestInit) => Promise<Response>;
type Token = { readonly value: string; readonly scope: string; readonly until: number };

const PASSWORD_REALM = 'http://auth0.com/oauth/grant-type/password-realm';
/** Seconds before its expiry at which the token is renewed, so that no running call outlives it. */
const TOKEN_MARGIN_SECONDS = 60;
const SHORTEST_TOKEN_SECONDS = 10;

/**
 * The backend's client at a tenant: Management API and password check. Its secret and tokens do not leave this
 * closure.
 */
export function createTenantApi(tenant: TenantConfig, fetch: Fetch, timeoutMs: number) {
  const { base, clientId, clientSecret } = tenant.backend;
  const credentials = { client_id: clientId, client_secret: clientSecret };
  let token: Promise<Token> | null = null;

  async function send(what: string, url: string, init: RequestInit): Promise<Response> {
    try {
      const signal = AbortSignal.timeout(timeoutMs);
      // A redirect would send the token to its target.
      return await fetch(url, { ...init, redirect: 'error', signal });
    } catch {
      throw new TenantError(0, what);
    }
  }

  async function read<T>(what: string, response: Response): Promise<T> {
    try {
      const text = await response.text();
      return (text === '' ? null : JSON.parse(text)) as T;
    } catch {
      throw new TenantError(0, what);
    }
  }

  const postJson = (what: string, path: string, body: object, headers = {}) =>
    send(what, `${base}${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body: JSON.stringify(body),
    });

  async function askForToken(): Promise<Token> {
    const what = 'POST oauth/token (client_credentials)';
    const response = await postJson(what, 'oauth/token', {
      grant_type: 'client_credentials',
      audience: `${base}api/v2/`,
      ...credentials,
    });
    if (!response.ok) throw new TenantError(response.status, what);
    const body = await read<{ access_token?: string; expires_in?: number; scope?: string } | null>(
      what,
      response,
    );
    if (!body?.access_token) throw new TenantError(0, what);
    const life = Number(body.expires_in) || 0;
    const seconds = Math.max(SHORTEST_TOKEN_SECONDS, life - TOKEN_MARGIN_SECONDS);
    return {
      value: body.access_token,
      scope: body.scope ?? '',
      until: performance.now() + seconds * 1000,
    };
  }

  /** The current token. Concurrent callers share one request; a failure is not cached. */
  async function currentToken(): Promise<Token> {
    const known = await token?.catch(() => null);
    if (known && known.until > performance.now()) return known;
    const asked: Promise<Token> = askForToken();
    token = asked;
    asked.catch(() => {
      if (token === asked) token = null;
    });
    return asked;
  }

  async function attempt(method: string, path: string, body: object | undefined) {
    const { value } = await currentToken();
    const isForm = body instanceof FormData;
    return send(`${method} ${namelessPath(path)}`, `${base}api/v2/${path}`, {
      method,
      headers: {
        authorization: `Bearer ${value}`,
        ...(body && !isForm && { 'content-type': 'application/json' }),
      },
      ...(body && { body: isForm ? body : JSON.stringify(body) }),
    });
  }

  return {
    /** One call of the Management API. @throws TenantError for anything but 2xx. */
    async call<T>(method: string, path: string, body?: object | FormData): Promise<T> {
      let response = await attempt(method, path, body);
      if (response.status === 401) {
        // The tenant's keys or our rights may have changed: one retry with a new token.
        token = null;
        response = await attempt(method, path, body);
      }
      const what = `${method} ${namelessPath(path)}`;
      if (!response.ok) throw new TenantError(response.status, what);
      return read<T>(what, response);
    },

    /**
     * Returns whether this is the user's password, by a password grant whose tokens are discarded; `null`: the tenant
     * gave no answer.
     */
    async isPassword(userName: string, password: string, ip: string): Promise<boolean | null> {
      const what = 'POST oauth/token (password-realm)';
      const response = await postJson(
        what,
        'oauth/token',
        {
          grant_type: PASSWORD_REALM,
          realm: tenant.realm,
          username: userName,
          password,
          scope: 'openid',
          ...(tenant.audience && { audience: tenant.audience }),
          ...credentials,
        },
        // The tenant's rate limits count the visitor, not this server.
        { 'auth0-forwarded-for': ip },
      );
      if (response.ok) {
        await response.body?.cancel();
        return true;
      }
      if (response.status === 429) return null;
      const { error } = (await read<{ error?: string } | null>(what, response)) ?? {};
      // The tenant requires a second factor only after the right password.
      if (error === 'mfa_required') return true;
      if (error === 'invalid_grant' || error === 'invalid_user_password') return false;
      throw new TenantError(response.status, what);
    },

    /** The scopes of the backend's token. */
    scopes: async (): Promise<readonly string[]> =>
      (await currentToken()).scope.split(' ').filter(Boolean),
  };
}

/** Returns the path without addresses and user ids, for error messages. */
function namelessPath(path: string): string {
  return path.split('?')[0]?.replace(/^users\/[^/]+/, 'users/…') ?? '';
}
