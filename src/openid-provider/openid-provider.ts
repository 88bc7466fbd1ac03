/** The embedded hosted login: an OpenID provider with Auth0's endpoints (ARC-05). */

import type { IncomingMessage } from 'node:http';
import { createCoAuthenticate } from './auth0/co-authenticate.ts';
import { createLoginTickets } from './auth0/login-ticket.ts';
import { createLogout } from './auth0/logout.ts';
import { createDatabaseConnection } from './auth0/database-connection.ts';
import { createMfa } from './auth0/mfa.ts';
import { installPasswordGrants } from './auth0/password-grant.ts';
import { createPasswordless } from './auth0/passwordless.ts';
import { createUserInfo } from './auth0/user-info.ts';
import { auditEvents } from './audit-events.ts';
import { createNonBrowserTokens } from './non-browser-tokens.ts';
import { createFindAccount } from './second-factor.ts';
import { createCallerOf } from './auth0/management/caller.ts';
import { createLinkProof } from './auth0/management/link-proof.ts';
import { createManagement } from './auth0/management/management.ts';
import { createApiDirectory } from './apis.ts';
import { createClientDirectory } from './clients.ts';
import type { Context } from './context.ts';
import { createInteractions } from './interactions.ts';
import { addRoutes, answerUnavailable, createHandle } from './mount.ts';
import type { DrawPage, OpenIdProvider, OpenIdProviderOptions } from './options.ts';
import type { ProviderKeys, Visitor } from './ports.ts';
import { createOwnTokens } from './own-tokens.ts';
import { showFault } from './pages.ts';
import { logoutTokenFor } from './provider-patches.ts';
import { createProvider } from './provider.ts';
import { createSessions, endAccount } from './sessions.ts';
import type { CookieOptions } from './sessions.ts';

export type { OpenIdProvider } from './options.ts';

/**
 * Creates the OpenID provider. oidc-provider takes its keys only at its creation, so other keys mean another instance
 * (decision 051): all its state is in the store.
 */
export function createOpenIdProvider(options: OpenIdProviderOptions): OpenIdProvider {
  const issuer = new URL(options.issuer);
  if (!issuer.pathname.endsWith('/')) throw new Error('The issuer must end with a slash.');
  let renderPage: DrawPage = async () => null;
  const draw: DrawPage = (...page) => renderPage(...page);
  let current = mount(options, issuer, options.keys, draw);

  return {
    handle: (req, res) => current.handle(req, res),
    useKeys(keys) {
      current = mount(options, issuer, keys, draw);
    },
    usePages: (pages) => void (renderPage = pages),
    establishSession: (req, res, signIn) => current.sessions.establish(req, res, signIn),
    endSession: (req, res) => current.sessions.end(req, res),
    endAccount: (accountId) => endAccount(options.store.payloads, options.events, accountId),
    endClient: (accountId, clientId) => current.sessions.endClient(accountId, clientId),
    findInteraction: (req, uid) => current.findInteraction(req, uid),
    answerInteraction: (req, uid, answer) => current.answerInteraction(req, uid, answer),
    logoutToken: (notice) => logoutTokenFor(current.provider, notice),
  };
}

/** Creates one provider with its routes. */
function mount(
  options: OpenIdProviderOptions,
  issuer: URL,
  keys: ProviderKeys,
  renderPage: DrawPage,
) {
  const { accounts, store, events, now, codes, registrations, log } = options;
  const { isStoreAway = () => false, isPasswordGrantOn } = options;
  const clientIp = options.clientIp ?? ((req: IncomingMessage) => req.socket.remoteAddress ?? '');
  const cookies: CookieOptions = {
    signed: true,
    httpOnly: true,
    sameSite: 'lax',
    overwrite: true,
    secure: issuer.protocol === 'https:',
    path: '/',
  };

  const clients = createClientDirectory(options.clients);
  const { issuer: issuerUrl, apis: configured = [], defaultAudience } = options;
  const apis = createApiDirectory(issuerUrl, configured, clients, defaultAudience);
  const provider = createProvider({ ...options, renderPage }, keys, clients, apis, cookies);
  const sessions = createSessions(provider, store.payloads, events, cookies, options.sessionLife);
  const interactions = createInteractions(provider, sessions, accounts, clients, options);
  const tokens = createOwnTokens(issuerUrl, keys.signing);
  const ipOf = ({ req }: Pick<Context, 'req'>): string => clientIp(req);
  const visitorOf = ({ req }: Pick<Context, 'req'>): Visitor => ({
    ip: clientIp(req),
    cookieHeader: req.headers.cookie,
  });
  const parts = { provider, accounts, clients, sessions, events, now, tokens, visitorOf };
  const mountPath = issuer.pathname;
  const audience = apis.managementAudience;
  const tickets = createLoginTickets({
    ...parts,
    store: store.tickets,
    mountPath,
    isSecure: cookies.secure,
  });
  const issue = createNonBrowserTokens({
    provider,
    apis,
    findAccount: createFindAccount(accounts, clients),
  });
  const nonBrowser = { ...parts, store: store.challenges, codes, issue };
  const mfa = createMfa(nonBrowser);
  installPasswordGrants({ ...parts, mfa, isOn: isPasswordGrantOn });
  const passwordless = createPasswordless({ ...nonBrowser, tickets, mountPath });
  auditEvents(provider, options.audit, ipOf);
  addRoutes(provider, {
    ...parts,
    store: store.payloads,
    coAuthenticate: createCoAuthenticate({ ...parts, tickets, passwordless }),
    tickets,
    logout: createLogout(clients, sessions, events, new URL('oidc/logout', issuer).href),
    management: createManagement({
      ...parts,
      users: options.users,
      callerOf: createCallerOf({ ...parts, audience }),
      provenBy: createLinkProof(tokens),
      sessionsOf: (accountId) => store.payloads.listByAccount('Session', accountId),
      findSession: async (uid) => (await store.payloads.findByUid('Session', uid))?.payload ?? null,
      clientIp: ipOf,
    }),
    mfa,
    passwordless,
    database: createDatabaseConnection({ ...parts, registrations }),
    userInfo: createUserInfo({
      ...parts,
      audience: `${issuerUrl}userinfo`,
      managementAudience: audience,
    }),
    isPasswordGrantOn,
    faultOf,
    isStoreAway,
    renderPage,
  });
  // oidc-provider catches the errors of its own endpoints, and answers 500.
  provider.on('server_error', (ctx, error) => {
    if (isStoreAway(error)) answerUnavailable(ctx);
    else showFault(ctx, faultOf(ctx.req, error));
  });
  return { handle: createHandle(provider, issuer, faultOf), provider, sessions, ...interactions };

  /** Records an unexpected error and returns its reference. */
  function faultOf(req: IncomingMessage, error: unknown): string {
    const reference = options.requestId(req);
    options.recordFault?.(error);
    const [path] = (req.url ?? '').split('?', 1);
    log.error({ err: error, path, reference }, 'hosted login failed');
    return reference;
  }
}
