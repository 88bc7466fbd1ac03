/** The embedded hosted login: an OpenID provider that speaks Auth0's wire (decisions 1.5). */

import type { IncomingMessage } from 'node:http';
import { createCoAuthenticate } from './auth0/co-authenticate.ts';
import { createLoginTickets } from './auth0/login-ticket.ts';
import { createLogout } from './auth0/logout.ts';
import { createClientDirectory } from './clients.ts';
import { deriveKeys } from './derived-keys.ts';
import { addRoutes, createHandle } from './mount.ts';
import type { HostedLogin, HostedLoginOptions } from './options.ts';
import { createProvider } from './provider.ts';
import { createSessions } from './sessions.ts';
import type { CookieOptions } from './sessions.ts';
import { loadSigningKeys } from './signing-keys.ts';

export type { HostedLogin } from './options.ts';

/** Reads or makes the signing keys, then returns the mounted hosted login. */
export async function createHostedLogin(options: HostedLoginOptions): Promise<HostedLogin> {
  const { accounts, store, events, now, log } = options;
  const issuer = new URL(options.issuer);
  if (!issuer.pathname.endsWith('/')) throw new Error('The issuer must end with a slash.');
  const isSecure = issuer.protocol === 'https:';
  const cookies: CookieOptions = {
    signed: true,
    httpOnly: true,
    sameSite: 'lax',
    overwrite: true,
    secure: isSecure,
    path: '/',
  };

  const keys = deriveKeys(options.secret);
  const jwks = { keys: await loadSigningKeys(store.keys, keys.sealing, now()) };
  const clients = createClientDirectory(options.clients);
  const provider = createProvider(options, keys, jwks, clients, cookies);
  const sessions = createSessions(provider, store.payloads, cookies);
  const tickets = createLoginTickets({
    store: store.tickets,
    idKey: keys.storedIds,
    now,
    clients,
    sessions,
    events,
    mountPath: issuer.pathname,
    isSecure,
  });
  const clientIp = options.clientIp ?? ((req: IncomingMessage) => req.socket.remoteAddress ?? '');
  const coAuthenticate = createCoAuthenticate({
    accounts,
    clients,
    tickets,
    visitorOf: ({ req }) => ({ ip: clientIp(req), cookieHeader: req.headers.cookie }),
  });
  const logout = createLogout(clients, sessions, events, new URL('oidc/logout', issuer).href);
  addRoutes(provider, { coAuthenticate, tickets, logout, events, log });

  return {
    handle: createHandle(provider, issuer, log),
    establishSession: sessions.establish,
    endSession: sessions.end,
    endAccount: sessions.endAccount,
  };
}
