/** The embedded hosted login: an OpenID provider that speaks Auth0's wire (decisions 1.5). */

import type { IncomingMessage } from 'node:http';
import { createCoAuthenticate } from './auth0/co-authenticate.ts';
import { createLoginTickets } from './auth0/login-ticket.ts';
import { createLogout } from './auth0/logout.ts';
import { createClientDirectory } from './clients.ts';
import { addRoutes, createHandle } from './mount.ts';
import type { HostedLogin, HostedLoginOptions } from './options.ts';
import type { HostedKeys } from './ports.ts';
import { createProvider } from './provider.ts';
import { createSessions } from './sessions.ts';
import type { CookieOptions } from './sessions.ts';

export type { HostedLogin } from './options.ts';
export { fixedClients } from './clients.ts';

/**
 * Returns the mounted hosted login. The provider takes its keys once and for all, so other keys mean another provider
 * (docs/decisions/051): everything it must remember is in the store.
 */
export function createHostedLogin(options: HostedLoginOptions): HostedLogin {
  const issuer = new URL(options.issuer);
  if (!issuer.pathname.endsWith('/')) throw new Error('The issuer must end with a slash.');
  let current = mount(options, issuer, options.keys);

  return {
    handle: (req, res) => current.handle(req, res),
    useKeys(keys) {
      current = mount(options, issuer, keys);
    },
    establishSession: (req, res, signIn) => current.sessions.establish(req, res, signIn),
    endSession: (req, res) => current.sessions.end(req, res),
    endAccount: (accountId) => current.sessions.endAccount(accountId),
  };
}

/** One provider with everything around it. */
function mount(options: HostedLoginOptions, issuer: URL, keys: HostedKeys) {
  const { accounts, store, events, now, log } = options;
  const isSecure = issuer.protocol === 'https:';
  const cookies: CookieOptions = {
    signed: true,
    httpOnly: true,
    sameSite: 'lax',
    overwrite: true,
    secure: isSecure,
    path: '/',
  };

  const clients = createClientDirectory(options.clients);
  const provider = createProvider(options, keys, clients, cookies);
  const sessions = createSessions(provider, store.payloads, cookies);
  const tickets = createLoginTickets({
    store: store.tickets,
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
  return { handle: createHandle(provider, issuer, log), sessions };
}
