/**
 * A stand-in for a real Auth0 tenant: this repo's own provider on an origin and with an issuer of its own. Unlike the
 * embedded one it makes its session right after the password, because it knows nothing of the portal's code, and it has
 * Auth0's management routes. It can be told to misbehave.
 */

import { randomBytes } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { decodeJwt, exportJWK, generateKeyPair, SignJWT } from 'jose';
import { createOpenIdProvider, type OpenIdProvider } from '../openid-provider.ts';
import { fixedClients } from './fixed-clients.ts';
import { createMemoryStore } from './memory-store.ts';
import { SESSION_LIFE, unusedPorts } from './unused-ports.ts';
import { createTenantUsers, REALM, type TenantUsers } from './tenant-users.ts';

export const TENANT_CLIENT = 'portal-at-tenant';
export const BACKEND_CLIENT = 'backend-at-tenant';
export const BACKEND_SECRET = 'the secret of the backend client';
/** What the operator gave the backend. */
const SCOPE =
  'read:users create:users update:users read:connections delete:sessions delete:refresh_tokens';
const PASSWORD_REALM = 'http://auth0.com/oauth/grant-type/password-realm';

export type Fault = 'hang' | 'cut' | 'garbage' | number;
type Claims = Record<string, unknown>;

export type TenantOptions = {
  readonly port: number;
  /** What browsers call it. */
  readonly origin: string;
  readonly portal: string;
  /** On another site: cookies are None and Secure, and a browser may keep them from us. */
  readonly isOtherSite?: boolean;
  /** Behind a proxy, under this path of the portal's own origin. */
  readonly path?: string;
  readonly organization?: string;
};

export type Tenant = {
  readonly issuer: string;
  readonly users: TenantUsers;
  /** What a path (its beginning) answers instead. */
  readonly faults: Map<string, Fault>;
  /** Changes the claims of every ID token before it is signed. */
  readonly tamper: { claims: (claims: Claims) => Claims };
  /** Requests from the portal's backend, oldest first. */
  readonly calls: {
    readonly method: string;
    readonly path: string;
    readonly forwardedFor: string;
  }[];
  /** The backend's tokens are worth nothing any more. */
  forgetTokens(): void;
  close(): Promise<void>;
};

type Json = Record<string, unknown>;

async function jsonBody(req: IncomingMessage): Promise<unknown> {
  const chunks: Buffer[] = [];
  for await (const chunk of req as AsyncIterable<Buffer>) chunks.push(chunk);
  const type = req.headers['content-type'] ?? '';
  const bytes = Buffer.concat(chunks);
  if (type.startsWith('multipart/form-data')) {
    return new Response(bytes, { headers: { 'content-type': type } }).formData();
  }
  return bytes.length > 0 ? JSON.parse(bytes.toString('utf8')) : {};
}

function answer(res: ServerResponse, status: number, body?: unknown): void {
  res.writeHead(status, { 'content-type': 'application/json', 'cache-control': 'no-store' });
  res.end(body === undefined ? undefined : JSON.stringify(body));
}

/** Answers as the fault says; true when it did. */
function misbehave(fault: Fault | undefined, req: IncomingMessage, res: ServerResponse): boolean {
  if (fault === undefined) return false;
  if (fault === 'cut') req.socket.destroy();
  else if (fault === 'garbage') res.writeHead(200).end('<!doctype html>Sorry');
  else if (fault !== 'hang') answer(res, fault, { error: 'fault', message: 'told to' });
  return true;
}

/** As Auth0 sets them for embedding: a browser sends them from a frame on another site, if it sends any there. */
function relaxCookies(res: ServerResponse): void {
  const relax = (value: unknown) =>
    [value].flat().map((line) => String(line).replace(/samesite=lax/i, 'samesite=none; secure'));
  const set = res.setHeader.bind(res);
  res.setHeader = (name, value) =>
    set(name, name.toLowerCase() === 'set-cookie' ? relax(value) : value);
}

export async function createTenant(options: TenantOptions): Promise<Tenant> {
  const { port, origin, portal, organization, path = '/' } = options;
  const issuer = `${origin}${path}`;
  const faults = new Map<string, Fault>();
  const tamper: Tenant['tamper'] = { claims: (claims) => claims };
  const calls: Tenant['calls'] = [];
  const tokens = new Set<string>();
  /** Right passwords whose session is made with the next request: that of the redirect. */
  const accepted = new Map<string, string>();
  const { privateKey, publicKey } = await generateKeyPair('RS256', { extractable: true });
  const jwk = { ...(await exportJWK(publicKey)), kid: 'tenant-1', alg: 'RS256', use: 'sig' };
  const signingKey = { ...(await exportJWK(privateKey)), kid: jwk.kid, alg: jwk.alg, use: jwk.use };

  const users = createTenantUsers({ endSessions: (id) => provider.endAccount(id) });
  const log = () => undefined;
  const provider: OpenIdProvider = createOpenIdProvider({
    sessionLife: SESSION_LIFE,
    issuer,
    accounts: {
      async verifyPassword(userName, password) {
        const user = await users.check(userName, password);
        return user ? { kind: 'ok', accountId: user.user_id } : { kind: 'wrong' };
      },
      async claimsOf(accountId) {
        const user = users.list.find(({ user_id }) => user_id === accountId);
        if (!user || user.blocked) return null;
        const name = user.email;
        const { email, email_verified } = user;
        const claims = { sub: accountId, email, email_verified, name };
        return {
          ...claims,
          given_name: name,
          family_name: name,
          ...(organization && { org_id: organization }),
        };
      },
    },
    ...unusedPorts,
    store: createMemoryStore(),
    events: {
      async passwordAccepted({ accountId, state }) {
        if (state) accepted.set(state, accountId);
        return true;
      },
      signedOut: async () => undefined,
      sessionEnded: async () => undefined,
    },
    consents: { scopesOf: async () => [] },
    findOrganization: async (name) => name,
    interactionPath: '/u/login',
    clients: fixedClients([
      {
        clientId: TENANT_CLIENT,
        redirectUris: [`${portal}/account/Redirect`],
        postLogoutRedirectUris: [
          `${portal}/account/Signout`,
          `${portal}/account/Signout?hosted=done`,
        ],
        webOrigins: [portal],
        firstParty: true,
        idTokenAlg: 'RS256',
      },
    ]),
    keys: { signing: [signingKey], cookies: [randomBytes(32).toString('base64url')] },
    now: () => new Date(),
    requestId: () => 'reference',
    tellsCauses: false,
    log: { info: log, warn: log, error: log },
  });

  async function resign(idToken: string): Promise<string> {
    // Auth0 says nothing of factors it does not know.
    const { amr: _, acr: __, ...claims } = decodeJwt<Claims>(idToken);
    return new SignJWT(tamper.claims(claims))
      .setProtectedHeader({ alg: 'RS256', kid: jwk.kid, typ: 'JWT' })
      .sign(privateKey);
  }

  /** The provider's answer, with an ID token as a tenant writes it. */
  function signAsTenant(res: ServerResponse): void {
    const end = res.end.bind(res) as (body?: unknown) => ServerResponse;
    res.end = ((body?: unknown) => {
      const text = typeof body === 'string' || Buffer.isBuffer(body) ? body.toString() : '';
      if (!text.includes('"id_token"')) return end(body);
      const tokenAnswer = JSON.parse(text) as { id_token: string };
      void resign(tokenAnswer.id_token).then((idToken) => {
        const changed = JSON.stringify({ ...tokenAnswer, id_token: idToken });
        res.setHeader('content-length', Buffer.byteLength(changed));
        end(changed);
      });
      return res;
    }) as typeof res.end;
  }

  /** The backend's own grants; Auth0 takes them as JSON, and the provider never sees them. */
  async function grant(req: IncomingMessage, res: ServerResponse): Promise<void> {
    const body = (await jsonBody(req)) as Record<string, string>;
    if (body.client_id !== BACKEND_CLIENT || body.client_secret !== BACKEND_SECRET) {
      return answer(res, 401, { error: 'access_denied', error_description: 'Unauthorized' });
    }
    if (body.grant_type === 'client_credentials') {
      if (body.audience !== `${issuer}api/v2/`) return answer(res, 403, { error: 'access_denied' });
      const token = randomBytes(24).toString('base64url');
      tokens.add(token);
      return answer(res, 200, {
        access_token: token,
        token_type: 'Bearer',
        expires_in: 86_400,
        scope: SCOPE,
      });
    }
    if (body.grant_type !== PASSWORD_REALM || body.realm !== REALM) {
      return answer(res, 403, { error: 'unauthorized_client' });
    }
    const user = await users.check(body.username ?? '', body.password ?? '');
    if (user) return answer(res, 200, { access_token: 'canary-access-token', id_token: 'canary' });
    return answer(res, 403, {
      error: 'invalid_grant',
      error_description: 'Wrong email or password.',
    });
  }

  async function manage(req: IncomingMessage, res: ServerResponse, url: string): Promise<void> {
    const token = /^Bearer (.+)$/.exec(req.headers.authorization ?? '')?.[1] ?? '';
    if (!tokens.has(token)) return answer(res, 401, { statusCode: 401, message: 'Invalid token' });
    const result = await users.manage(req.method ?? 'GET', url, await jsonBody(req));
    if (result) answer(res, result.status, result.body);
    else answer(res, 404, { statusCode: 404, message: 'Not Found' });
  }

  /** A tenant starts a session after the right password; our provider would wait for a code. */
  async function signIn(req: IncomingMessage, res: ServerResponse, state: string): Promise<void> {
    const accountId = accepted.get(state);
    if (!accountId) return;
    accepted.delete(state);
    const cookies: string[] = [];
    const sink = { appendHeader: (_: string, value: string) => cookies.push(value) };
    const authTime = new Date();
    await provider.establishSession(req, sink, { accountId, amr: ['pwd', 'otp'], authTime });
    res.setHeader('set-cookie', cookies);
    const pairs = cookies.map((cookie) => cookie.split(';', 1)[0]);
    req.headers.cookie = [...pairs, req.headers.cookie].filter(Boolean).join('; ');
  }

  async function handle(req: IncomingMessage, res: ServerResponse): Promise<void> {
    const url = `/${(req.url ?? '/').slice(path.length)}`;
    const { pathname, searchParams } = new URL(url, origin);
    const isBackend = req.headers['sec-fetch-site'] === undefined;
    if (isBackend || pathname.startsWith('/api/')) {
      const forwardedFor = String(req.headers['auth0-forwarded-for'] ?? '');
      calls.push({ method: req.method ?? '', path: pathname, forwardedFor });
    }
    const fault = [...faults].find(([start]) => pathname.startsWith(start))?.[1];
    if (misbehave(fault, req, res)) return;
    if (options.isOtherSite) relaxCookies(res);
    if (pathname === '/.well-known/jwks.json') return answer(res, 200, { keys: [jwk] });
    if (pathname.startsWith('/api/v2/')) return manage(req, res, url);
    if (pathname === '/oauth/token') {
      if (req.headers['content-type']?.startsWith('application/json')) return grant(req, res);
      signAsTenant(res);
    }
    if (pathname === '/authorize' && !searchParams.has('login_ticket')) {
      await signIn(req, res, searchParams.get('state') ?? '');
    }
    // Auth0 asks for no confirmation of a sign-out.
    if (pathname === '/v2/logout') delete req.headers['sec-fetch-site'];
    provider.handle(req, res);
  }

  const server = createServer((req, res) => {
    handle(req, res).catch((error: unknown) => {
      if (!res.headersSent) answer(res, 500, { message: String(error) } satisfies Json);
    });
  });
  await new Promise<void>((resolve) => void server.listen(port, '127.0.0.1', resolve));
  return {
    issuer,
    users,
    faults,
    tamper,
    calls,
    forgetTokens: () => tokens.clear(),
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => void server.close(resolve));
    },
  };
}
