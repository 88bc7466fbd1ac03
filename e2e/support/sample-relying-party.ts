import { createHash } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import path from 'node:path';
import * as oidc from 'openid-client';
import { startServer } from '../../tools/server-process.ts';
import { freePort } from '../../src/server/testing/free-port.ts';
import { test as base } from './own-server.ts';

const CLIENT_ID = 'garden-club';
const SECRET = 'a-secret-of-the-relying-party-000000000000000';

/** Another application, on an origin of its own. */
export type RelyingParty = {
  readonly url: string;
  /** Where its sign-in begins; the query goes along with the authorization request. */
  readonly start: (extra?: Readonly<Record<string, string>>) => string;
  /** Where its sign-out begins; with the proof of whose session it is, or without. */
  readonly signOut: (how: 'with a hint' | 'without a hint') => string;
};

type Running = RelyingParty & {
  /** Tells it where people sign in. */
  readonly trust: (portalUrl: string) => void;
  readonly stop: () => void;
};

/** An own server that knows one other application, and that application. */
export const test = base.extend<{ readonly party: RelyingParty }>({
  party: async ({ keep }, provide) => provide((await keep('garden club', startBoth)).party),
  ownServer: async ({ keep }, provide) => provide((await keep('garden club', startBoth)).server),
});

async function startBoth() {
  const party = await startRelyingParty(await freePort());
  const folder = mkdtempSync(path.join(tmpdir(), 'porchlight-clients-'));
  const file = path.join(folder, 'clients.json');
  const apis = path.join(folder, 'apis.json');
  const server = await startServer({
    envFor(url) {
      party.trust(url);
      writeFileSync(file, JSON.stringify([entryOf(party.url)]));
      writeFileSync(apis, JSON.stringify([API]));
      return { PORCHLIGHT_CLIENTS_FILE: file, PORCHLIGHT_APIS_FILE: apis };
    },
  });
  return {
    party,
    server,
    async stop() {
      await server.stop();
      party.stop();
      rmSync(folder, { recursive: true });
    },
  };
}

/** Something that it may do for people elsewhere. */
export const API = { identifier: 'https://plants.example/', scopes: ['water:plants'] };

const entryOf = (url: string) => ({
  id: CLIENT_ID,
  name: 'Garden Club',
  redirectUris: [`${url}/callback`],
  postLogoutRedirectUris: [`${url}/signed-out`],
  initiateLoginUri: `${url}/start`,
  apis: [{ audience: API.identifier, scopes: API.scopes }],
  auth: {
    method: 'client_secret_basic',
    secretHash: createHash('sha256').update(SECRET).digest('base64url'),
  },
});

type Answer = { readonly location: string } | { readonly title: string; readonly text: string };

/** One visitor at a time is all that it can tell apart. */
async function startRelyingParty(port: number): Promise<Running> {
  const url = `http://127.0.0.1:${port}`;
  let issuer = '';
  let checks: oidc.AuthorizationCodeGrantChecks = {};
  let idToken = '';
  let known: Promise<oidc.Configuration> | undefined;
  const config = () =>
    (known ??= oidc.discovery(new URL(issuer), CLIENT_ID, {}, oidc.ClientSecretBasic(SECRET), {
      execute: [oidc.allowInsecureRequests],
    }));

  async function begin(extra: URLSearchParams): Promise<Answer> {
    extra.delete('iss');
    const pkceCodeVerifier = oidc.randomPKCECodeVerifier();
    const expectedState = oidc.randomState();
    checks = { pkceCodeVerifier, expectedState, idTokenExpected: true };
    const target = oidc.buildAuthorizationUrl(await config(), {
      redirect_uri: `${url}/callback`,
      scope: 'openid profile email',
      state: expectedState,
      code_challenge: await oidc.calculatePKCECodeChallenge(pkceCodeVerifier),
      code_challenge_method: 'S256',
      ...Object.fromEntries(extra),
    });
    return { location: target.href };
  }

  async function finish(answer: URL): Promise<Answer> {
    const error = answer.searchParams.get('error');
    if (error) return { title: 'Garden Club: not signed in', text: error };
    const tokens = await oidc.authorizationCodeGrant(await config(), answer, checks);
    idToken = tokens.id_token ?? '';
    const claims = tokens.claims();
    const person = await oidc.fetchUserInfo(await config(), tokens.access_token, claims?.sub ?? '');
    return { title: 'Garden Club: welcome', text: `${person.name} ${person.email}` };
  }

  async function endSession(hasHint: boolean): Promise<Answer> {
    const target = oidc.buildEndSessionUrl(await config(), {
      post_logout_redirect_uri: `${url}/signed-out`,
      ...(hasHint && { id_token_hint: idToken }),
    });
    return { location: target.href };
  }

  async function answer(asked: URL): Promise<Answer> {
    switch (asked.pathname) {
      case '/start':
        return begin(asked.searchParams);
      case '/callback':
        return finish(asked);
      case '/sign-out':
        return endSession(asked.searchParams.has('hint'));
      case '/signed-out':
        return { title: 'Garden Club: signed out', text: 'Come back soon.' };
      default:
        return { title: 'Garden Club', text: '<a href="/start">Sign in with Porchlight</a>' };
    }
  }

  const server = createServer((request, response) => {
    const asked = new URL(request.url ?? '/', url);
    if (asked.pathname === '/favicon.ico') return response.writeHead(204).end();
    answer(asked)
      .catch((error: unknown) => ({ title: 'Garden Club: broken', text: String(error) }))
      .then((said) => {
        if ('location' in said) return response.writeHead(303, said).end();
        return response
          .writeHead(200, { 'content-type': 'text/html; charset=utf-8' })
          .end(
            `<!doctype html><html lang="en"><title>${said.title}</title><h1>${said.title}</h1><p>${said.text}</p></html>`,
          );
      })
      .catch(() => response.destroy());
  }).listen(port, '127.0.0.1');

  return {
    url,
    start: (extra = {}) => `${url}/start?${String(new URLSearchParams(extra))}`,
    signOut: (how) => `${url}/sign-out${how === 'with a hint' ? '?hint' : ''}`,
    trust: (portalUrl) => {
      issuer = `${portalUrl}/idp/`;
    },
    stop: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}
