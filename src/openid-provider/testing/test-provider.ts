/** The real provider on a real server with a real database; only the accounts are fakes. */

import { createHash, randomBytes, randomUUID } from 'node:crypto';
import cookie from '@fastify/cookie';
import fastify from 'fastify';
import { exportJWK, generateKeyPair, type JWK } from 'jose';
import { createProviderStore } from '#server/identity-provider/embedded/provider-store.ts';
import { fixedClients } from './fixed-clients.ts';
import { createOpenIdProvider } from '../openid-provider.ts';
import type { OpenIdProvider } from '../openid-provider.ts';
import type { Accounts, ProviderKeys, SessionEnded, SignInEvents } from '../ports.ts';
import type { AccountClaims } from '../claims.ts';
import type { OAuthClient } from '../client-port.ts';
import type { ProviderStore } from '../store-port.ts';
import { SESSION_LIFE, unusedPorts } from './unused-ports.ts';
import { createBrowser } from './browser.ts';
import type { TestBrowser } from './browser.ts';
import { openTestDatabase } from './database.ts';
import type { TestDatabase } from './database.ts';

type PasswordAccepted = Parameters<SignInEvents['passwordAccepted']>[0];

export type Authorization = {
  readonly url: string;
  readonly state: string;
  readonly nonce: string;
  readonly verifier: string;
};

export type TestProvider = {
  readonly origin: string;
  readonly issuer: string;
  readonly database: TestDatabase;
  readonly store: ProviderStore;
  readonly provider: OpenIdProvider;
  /** The keys at the start. */
  readonly keys: ProviderKeys;
  readonly events: PasswordAccepted[];
  /** Cookie headers of the browsers that signed out. */
  readonly signedOut: (string | undefined)[];
  readonly logged: unknown[];
  readonly ended: SessionEnded[];
  /** Runs while the provider asks for claims, in the middle of a request. */
  readonly during: { claimsOf: () => Promise<void> };
  readonly unavailable: Set<string>;
  advance(seconds: number): void;
  browser(cookies?: Map<string, string>): TestBrowser;
  authorization(extra?: Record<string, string>): Authorization;
  /** POST /co/authenticate; the ticket. */
  ticket(browser: TestBrowser, username?: string): Promise<string>;
  /** What the API does once the one-time code is right. */
  verifyCode(browser: TestBrowser, accountId?: string): Promise<Response>;
  /** The whole sign-in; ends with a session. */
  signIn(browser: TestBrowser, username?: string): Promise<void>;
  token(
    authorization: Authorization,
    code: string,
    extra?: Record<string, string>,
  ): Promise<Response>;
  close(): Promise<void>;
};

export const PORTAL = 'porchlight-portal';
export const OTHER = 'other-app';
export const PASSWORD = 'Porchlight-1';
/** New keys, as the server's signing keys give them. */
export async function newKeys(): Promise<ProviderKeys> {
  const make = async (alg: string): Promise<JWK> => {
    const { privateKey } = await generateKeyPair(alg, { extractable: true });
    return { ...(await exportJWK(privateKey)), kid: randomUUID(), alg, use: 'sig' };
  };
  const signing = await Promise.all(['ES256', 'RS256'].map(make));
  return { signing, cookies: [randomBytes(32).toString('base64url')] };
}

function claims(accountId: string): AccountClaims {
  return {
    sub: accountId,
    email: `${accountId}@demo.porchlight.test`,
    email_verified: true,
    name: 'Mary Hill',
    given_name: 'Mary',
    family_name: 'Hill',
    org_id: '742',
    trial_ends_at: 1_800_000_000,
  };
}

function fakeAccounts(testProvider: Pick<TestProvider, 'during' | 'unavailable'>): Accounts {
  return {
    async verifyPassword(username, password) {
      if (username.startsWith('blocked')) return { kind: 'blocked', retryAfterSeconds: 42 };
      return password === PASSWORD
        ? { kind: 'ok', accountId: username.split('@')[0] ?? '' }
        : { kind: 'wrong' };
    },
    async claimsOf(accountId) {
      await testProvider.during.claimsOf();
      return testProvider.unavailable.has(accountId) ? null : claims(accountId);
    },
  };
}

export function clientsOf(origin: string): OAuthClient[] {
  const redirectUris = [`${origin}/account/Redirect`];
  const postLogoutRedirectUris = [`${origin}/account/Signout`];
  const shared = { redirectUris, postLogoutRedirectUris, webOrigins: [origin] };
  return [
    { clientId: PORTAL, firstParty: true, ...shared },
    { clientId: OTHER, firstParty: false, ...shared, webOrigins: ['https://other.example'] },
  ];
}

/** The portal's two calls, as Fastify sees them: with cookies of its own on the same answer. */
function createServer(provider: () => OpenIdProvider) {
  const app = fastify();
  void app.register(cookie);
  app.addHook('onRequest', async (request, reply) => {
    if (!request.url.startsWith('/idp/')) return;
    reply.hijack();
    provider().handle(request.raw, reply.raw);
  });
  app.post<{ Body: { accountId: string; amr: string[] } }>(
    '/api/verify',
    async (request, reply) => {
      const sink = { appendHeader: (name: string, value: string) => reply.header(name, value) };
      const { accountId, amr } = request.body;
      await provider().establishSession(request.raw, sink, {
        accountId,
        amr,
        authTime: new Date(),
      });
      return reply.setCookie('XSRF-TOKEN', 'x').send({ ok: true });
    },
  );
  app.post('/api/signout', async (request, reply) => {
    reply.hijack();
    await provider().endSession(request.raw, reply.raw);
    reply.raw.end('{}');
  });
  return app;
}

export async function createTestProvider(): Promise<TestProvider> {
  const database = await openTestDatabase();
  const store = createProviderStore(database.db);
  const app = createServer(() => provider);
  const address = await app.listen({ port: 0, host: '127.0.0.1' });
  const origin = address.replace('127.0.0.1', 'localhost');
  const issuer = `${origin}/idp/`;
  let shift = 0;

  const events: PasswordAccepted[] = [];
  const signedOut: (string | undefined)[] = [];
  const logged: unknown[] = [];
  const ended: SessionEnded[] = [];
  const during = { claimsOf: async () => {} };
  const unavailable = new Set<string>();
  const log = (fields: object): void => void logged.push(fields);
  const keys = await newKeys();
  const provider = createOpenIdProvider({
    sessionLife: SESSION_LIFE,
    issuer,
    accounts: fakeAccounts({ during, unavailable }),
    store,
    events: {
      passwordAccepted: async (event) => events.push(event) > 0,
      signedOut: async ({ cookieHeader }) => void signedOut.push(cookieHeader),
      sessionEnded: async (event) => void ended.push(event),
    },
    ...unusedPorts,
    clients: fixedClients(clientsOf(origin)),
    consents: { scopesOf: async () => [] },
    findOrganization: async (name) => (name === '742' ? name : null),
    interactionPath: '/account/request',
    keys,
    now: () => new Date(Date.now() + shift),
    requestId: () => 'reference',
    tellsCauses: false,
    log: { info: log, warn: log, error: log },
  });

  const testProvider: TestProvider = {
    origin,
    issuer,
    signedOut,
    ended,
    database,
    store,
    provider,
    keys,
    events,
    logged,
    during,
    unavailable,
    advance: (seconds) => void (shift += seconds * 1000),
    browser: (cookies) => createBrowser(origin, cookies),
    authorization(extra = {}) {
      const [state, nonce, verifier] = [0, 1, 2].map(() =>
        randomBytes(32).toString('base64url'),
      ) as [string, string, string];
      const params = new URLSearchParams({
        client_id: PORTAL,
        response_type: 'code',
        redirect_uri: `${origin}/account/Redirect`,
        scope: 'openid profile email offline_access',
        state,
        nonce,
        code_challenge: createHash('sha256').update(verifier).digest('base64url'),
        code_challenge_method: 'S256',
        prompt: 'none',
        response_mode: 'web_message',
        ...extra,
      });
      return { url: `${issuer}authorize?${params.toString()}`, state, nonce, verifier };
    },
    async ticket(browser, username = 'mary@demo.porchlight.test') {
      const response = await browser.post('/idp/co/authenticate', credentials({ username }));
      const { login_ticket } = (await response.json()) as { login_ticket: string };
      return login_ticket;
    },
    verifyCode: (browser, accountId = 'mary') =>
      browser.post('/api/verify', { accountId, amr: ['pwd', 'otp'] }),
    async signIn(browser, username = 'mary') {
      const { url } = testProvider.authorization({
        login_ticket: await testProvider.ticket(browser, username),
      });
      await browser.fetch(url);
      await testProvider.verifyCode(browser, username);
    },
    token: ({ verifier }, code, extra = {}) =>
      fetch(`${issuer}oauth/token`, {
        method: 'POST',
        body: new URLSearchParams({
          grant_type: 'authorization_code',
          client_id: PORTAL,
          redirect_uri: `${origin}/account/Redirect`,
          code_verifier: verifier,
          code,
          ...extra,
        }),
      }),
    async close() {
      await app.close();
      await database.close();
    },
  };
  return testProvider;
}

export function credentials(extra: Record<string, unknown> = {}): Record<string, unknown> {
  return {
    client_id: PORTAL,
    credential_type: 'http://auth0.com/oauth/grant-type/password-realm',
    realm: 'Username-Password-Authentication',
    username: 'mary@demo.porchlight.test',
    password: PASSWORD,
    ...extra,
  };
}

/** The object that a web_message page posts, read out of its script. */
export async function webMessage(
  response: Response,
): Promise<{ response: Record<string, string>; redirect_uri: string }> {
  const [, json = 'null'] = /var data = (\{.*\});/.exec(await response.text()) ?? [];
  return JSON.parse(json) as { response: Record<string, string>; redirect_uri: string };
}
