/** The embedded hosted login: an OpenID provider that speaks Auth0's wire (decisions 1.5). */

import type { IncomingMessage } from 'node:http';
import { createCoAuthenticate } from './auth0/co-authenticate.ts';
import { createLoginTickets } from './auth0/login-ticket.ts';
import { createLogout } from './auth0/logout.ts';
import { createCallerOf } from './auth0/management/caller.ts';
import { createLinkProof } from './auth0/management/link-proof.ts';
import { createManagement } from './auth0/management/management.ts';
import { createApiDirectory } from './apis.ts';
import { logoutTokenFor } from './back-channel.ts';
import { createClientDirectory } from './clients.ts';
import type { Context } from './context.ts';
import { createInteractions } from './interactions.ts';
import { addRoutes, createHandle } from './mount.ts';
import type { HostedLogin, HostedLoginOptions } from './options.ts';
import type { HostedKeys } from './ports.ts';
import { createOwnTokens } from './own-tokens.ts';
import { createProvider } from './provider.ts';
import { createSessions } from './sessions.ts';
import type { CookieOptions } from './sessions.ts';

export type { HostedLogin } from './options.ts';

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
    endClient: (accountId, clientId) => current.sessions.endClient(accountId, clientId),
    findRequest: (req, uid) => current.interactions.find(req, uid),
    answerRequest: (req, uid, answer) => current.interactions.answer(req, uid, answer),
    logoutToken: (notice) => logoutTokenFor(current.provider, notice),
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
  const { issuer: issuerUrl, apis: configured = [], defaultAudience } = options;
  const apis = createApiDirectory(issuerUrl, configured, clients, defaultAudience);
  const provider = createProvider(options, keys, clients, apis, cookies);
  const sessions = createSessions(provider, store.payloads, events, cookies);
  const interactions = createInteractions(provider, sessions, accounts, options.findOrganization);
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
  const ipOf = ({ req }: Context): string => clientIp(req);
  const audience = apis.managementAudience;
  const management = createManagement({
    users: options.users,
    clients,
    callerOf: createCallerOf({ provider, clients, accounts, audience }),
    provenBy: createLinkProof(createOwnTokens(issuerUrl, keys.signing)),
    clientIp: ipOf,
  });
  const coAuthenticate = createCoAuthenticate({
    accounts,
    clients,
    tickets,
    visitorOf: (ctx) => ({ ip: ipOf(ctx), cookieHeader: ctx.req.headers.cookie }),
  });
  const logout = createLogout(clients, sessions, events, new URL('oidc/logout', issuer).href);
  const { drawPage } = options;
  addRoutes(provider, { coAuthenticate, tickets, logout, management, events, log, drawPage });
  return { handle: createHandle(provider, issuer, log), provider, sessions, interactions };
}
