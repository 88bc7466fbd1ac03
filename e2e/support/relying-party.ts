import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { freePort } from '../../src/server/testing/free-port.ts';
import { startServer } from '../../tools/server-process.ts';
import { test as base } from './test.ts';

/** An application on an origin of its own, and a Porchlight that knows it. */
export type RelyingParty = {
  readonly portal: string;
  /** Its pages: `/auth0-js` and `/spa-js` have one of the SDKs each, `/callback` is where answers go. */
  readonly origin: string;
};

export const REALM = 'Username-Password-Authentication';
const SDKS: Readonly<Record<string, string>> = {
  'auth0-js': 'node_modules/auth0-js/dist/auth0.min.js',
  'spa-js': 'node_modules/@auth0/auth0-spa-js/dist/auth0-spa-js.production.js',
};

/** Serves the SDKs unmodified, as npm brought them. */
function serve(port: number): Promise<Server> {
  const server = createServer((request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? '/', 'http://page');
    const script = SDKS[pathname.replace(/^\/sdk\//, '')];
    if (pathname.startsWith('/sdk/') && script) {
      response.setHeader('content-type', 'text/javascript');
      return response.end(readFileSync(script));
    }
    // The SDK of the page that left comes back with its answer.
    const sdk = SDKS[pathname.slice(1)]
      ? pathname.slice(1)
      : (searchParams.get('sdk') ?? 'auth0-js');
    response.setHeader('content-type', 'text/html');
    response.end(`<!doctype html><html lang="en"><head><meta charset="utf-8"><title>App</title>
<link rel="icon" href="data:,"></head><body><script src="/sdk/${sdk}"></script></body></html>`);
  });
  return new Promise((resolve) => server.listen(port, '127.0.0.1', () => resolve(server)));
}

function clientsOf(portal: string, origin: string): object[] {
  const page = {
    redirectUris: [`${origin}/callback`, `${origin}/callback?sdk=spa-js`],
    postLogoutRedirectUris: [`${origin}/auth0-js`, `${origin}/spa-js`],
    webOrigins: [origin],
    firstParty: true,
    scopes: ['openid', 'profile', 'email', 'offline_access'],
  };
  const own = ['read:current_user', 'update:current_user_metadata'];
  return [
    {
      ...page,
      id: 'legacy-app',
      name: 'Legacy app',
      responseTypes: ['code', 'id_token', 'id_token token', 'token'],
      grants: ['authorization_code', 'password', 'passwordless'],
      apis: [{ audience: `${portal}/idp/api/v2/`, scopes: own }],
    },
    { ...page, id: 'spa-app', name: 'Page', grants: ['authorization_code', 'refresh_token'] },
  ];
}

export const test = base.extend<{ readonly app: RelyingParty }>({
  app: async ({ keep }, provide) => provide((await keep('relying party', startBoth)).app),
  baseURL: ({ app }, provide) => provide(app.portal),
});

async function startBoth() {
  const port = await freePort();
  const origin = `http://127.0.0.1:${port}`;
  const folder = mkdtempSync(path.join(tmpdir(), 'porchlight-clients-'));
  const file = path.join(folder, 'clients.json');
  const page = await serve(port);
  const server = await startServer({
    envFor(url) {
      writeFileSync(file, JSON.stringify(clientsOf(url, origin)));
      return { PORCHLIGHT_CLIENTS_FILE: file, PORCHLIGHT_PASSWORD_GRANT: 'on' };
    },
  });
  const app: RelyingParty = { portal: server.url, origin };
  return {
    app,
    async stop() {
      await server.stop();
      page.close();
      rmSync(folder, { recursive: true });
    },
  };
}
