/** Mounts the provider under its path, with security headers and Auth0's routes in front of its own. */

import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Provider } from 'oidc-provider';
import { refusals } from '#texts/refusals.ts';
import { fill } from '#locales/fill.ts';
import { OFFERED } from '#locales/languages.ts';
import { savingAtOnce } from './adapter.ts';
import { refuse } from './auth0/answers.ts';
import type { CoAuthenticate } from './auth0/co-authenticate.ts';
import type { LoginTickets } from './auth0/login-ticket.ts';
import type { DatabaseConnection } from './auth0/database-connection.ts';
import { widenTokenOnly } from './auth0/legacy.ts';
import type { Mfa } from './auth0/mfa.ts';
import type { Passwordless } from './auth0/passwordless.ts';
import type { ClientDirectory } from './clients.ts';
import type { Context } from './context.ts';
import { answerPreflight } from './cross-origin.ts';
import { NON_BROWSER_GRANTS, mayUse, PASSWORDLESS } from './grants.ts';
import { contentSecurityPolicy, showAwayPage, showErrorPage, showFault } from './pages.ts';
import type { DrawPage } from './options.ts';
import type { SignInEvents } from './ports.ts';
import type { OAuthClient } from './client-port.ts';
import type { ProviderStore } from './store-port.ts';
import { isWebMessagePage, leaveWindowOpen } from './provider-patches.ts';
import { recordRequestReceived } from './refresh-rotation.ts';
import { redirectToGet, withTokenAsHeader } from './posted-requests.ts';
import { isForm, isJson, UnreadableBody, withFormBody } from './request-body.ts';
import { notifySignedOut } from './sessions.ts';
import { PROMPTS } from './first-page.ts';

/** Records an unexpected error and returns its reference. */
type FaultOf = (req: IncomingMessage, error: unknown) => string;

type Routes = {
  readonly coAuthenticate: CoAuthenticate;
  readonly tickets: LoginTickets;
  readonly logout: (ctx: Context) => Promise<void>;
  /** Returns true when it has answered. */
  readonly management: (ctx: Context) => Promise<boolean>;
  readonly mfa: Pick<Mfa, 'challenge'>;
  readonly passwordless: Passwordless;
  readonly database: DatabaseConnection;
  /** Returns true when it has answered. */
  readonly userInfo: (ctx: Context) => Promise<boolean>;
  readonly clients: ClientDirectory;
  readonly isPasswordGrantOn: boolean;
  readonly events: SignInEvents;
  readonly faultOf: FaultOf;
  readonly isStoreAway: (error: unknown) => boolean;
  readonly renderPage: DrawPage;
  readonly store: ProviderStore['payloads'];
};

/** Short, so that an operator's change reaches every client within minutes. */
const DISCOVERY_CACHE = 'public, max-age=300';

function setSecurityHeaders(ctx: Context): void {
  ctx.set('Content-Security-Policy', contentSecurityPolicy());
  ctx.set('X-Frame-Options', 'DENY');
  ctx.set('X-Content-Type-Options', 'nosniff');
  ctx.set('Referrer-Policy', 'no-referrer');
  ctx.set('Cache-Control', ctx.path.startsWith('/.well-known/') ? DISCOVERY_CACHE : 'no-store');
}

/** Adds the endpoints of Auth0 that oidc-provider lacks. They run before oidc-provider's own. */
export function addRoutes(provider: Provider, routes: Routes): void {
  const { management, faultOf, renderPage, isStoreAway } = routes;
  const table = createTable(routes);
  provider.use(async (ctx, next) => {
    setSecurityHeaders(ctx);
    try {
      await next();
      if (ctx.status === 404 && !ctx.body) await showErrorPage(ctx, 404, renderPage);
    } catch (error) {
      if (isOverload(error) || isStoreAway(error)) return answerUnavailable(ctx);
      if (error instanceof UnreadableBody) {
        return refuse(ctx, 400, 'invalid_request', 'The body is too large or no JSON object.');
      }
      showFault(ctx, faultOf(ctx.req, error));
    }
  });
  provider.use(async (ctx, next) => {
    await next();
    if (!isWebMessagePage(ctx)) return;
    // A silent check without a session is no failure: Auth0 answers 200. With oidc-provider's 400 every first
    // sign-in would write an error to the browser's console.
    if (ctx.status === 400) ctx.status = 200;
    leaveWindowOpen(ctx);
  });
  provider.use(async (ctx, next) => {
    if (await management(ctx)) return;
    const route = table[`${ctx.method} ${ctx.path}`];
    return route ? route(ctx, next) : next();
  });
}

type Route = (ctx: Context, next: () => Promise<void>) => unknown;

/** The routes of Auth0, and those of oidc-provider whose answer changes. */
function createTable(routes: Routes): Readonly<Record<string, Route>> {
  const { coAuthenticate, clients, events, mfa, passwordless, database } = routes;
  const userInfo: Route = async (ctx, next) => {
    if (!(await routes.userInfo(ctx))) await next();
  };
  const discovery: Route = async (ctx, next) => {
    await next();
    filterDiscoveryMetadata(ctx, await clients.all(), routes.isPasswordGrantOn);
  };
  // For JSON requests without cookies.
  const calls: Readonly<Record<string, Route>> = {
    '/mfa/challenge': mfa.challenge,
    '/passwordless/start': passwordless.start,
    '/passwordless/verify': passwordless.verify,
    '/dbconnections/signup': database.signUp,
    '/dbconnections/change_password': database.changePassword,
  };
  const ofCalls = Object.entries(calls).flatMap(([path, call]): [string, Route][] => [
    [`POST ${path}`, call],
    [`OPTIONS ${path}`, (ctx) => answerPreflight(ctx, clients, 'POST')],
  ]);
  return {
    ...Object.fromEntries(ofCalls),
    'OPTIONS /co/authenticate': coAuthenticate.preflight,
    'POST /co/authenticate': coAuthenticate.authenticate,
    'GET /passwordless/verify_redirect': passwordless.verifyRedirect,
    'GET /v2/logout': routes.logout,
    async 'POST /oidc/logout/confirm'(ctx, next) {
      await next();
      // The person confirmed the sign-out. Without a session there was no question: the form submitted itself.
      if (ctx.status === 303 && ctx.oidc.params?.logout && ctx.oidc.session?.accountId) {
        await notifySignedOut(ctx, events);
      }
    },
    'GET /userinfo': userInfo,
    'POST /userinfo': userInfo,
    'GET /.well-known/openid-configuration': discovery,
    'GET /.well-known/oauth-authorization-server': discovery,
    async 'POST /oauth/token'(ctx, next) {
      await next();
      refuseAsAuth0(ctx);
    },
    async 'POST /oauth/introspect'(ctx, next) {
      await next();
      answerInactive(ctx);
    },
    'POST /authorize': redirectToGet,
    'POST /oidc/logout': redirectToGet,
    async 'GET /authorize'(ctx, next) {
      await widenTokenOnly(ctx, clients);
      if (ctx.query.login_ticket !== undefined && (await routes.tickets.redeem(ctx))) return;
      await savingAtOnce(routes.store, ctx, next);
    },
  };
}

/** Removes grants and response types from the discovery metadata that no client may use or that are switched off. */
function filterDiscoveryMetadata(
  ctx: Context,
  clients: readonly OAuthClient[],
  isPasswordGrantOn: boolean,
): void {
  const body = ctx.body as {
    grant_types_supported?: string[];
    response_types_supported?: string[];
    prompt_values_supported?: string[];
    ui_locales_supported?: string[];
  };
  if (!body?.grant_types_supported) return;
  const has = (grant: string): boolean => clients.some((client) => mayUse(client, grant));
  const isPasswordUsed = isPasswordGrantOn && has('password');
  const isOffered = (grant: string): boolean => {
    if (grant === PASSWORDLESS) return has('passwordless');
    if (NON_BROWSER_GRANTS.includes(grant)) return isPasswordUsed;
    if (grant === 'implicit') return clients.some(isLegacy);
    return grant === 'authorization_code' || has(grant);
  };
  body.grant_types_supported = body.grant_types_supported.filter(isOffered);
  const isAnyLegacy = clients.some(isLegacy);
  body.prompt_values_supported = [...PROMPTS];
  body.ui_locales_supported = [...OFFERED];
  body.response_types_supported = (body.response_types_supported ?? []).filter(
    (type) => type === 'code' || isAnyLegacy,
  );
}

const isLegacy = ({ responseTypes = [] }: OAuthClient): boolean =>
  responseTypes.some((type) => type !== 'code');

/**
 * Rewords two refusals of the token endpoint as Auth0 does: a grant that the client may not use (`unauthorized_client`,
 * also RFC 6749, 5.2), and an expired refresh token, whose wording makes auth0-spa-js fall back to a frame. Its status
 * stays RFC 6749's: no library of Auth0 reads Auth0's 403 there, and others read the error of a 400 alone.
 */
function refuseAsAuth0(ctx: Context): void {
  const body = ctx.body as { error?: string; error_description?: string } | undefined;
  const isRefresh = ctx.oidc?.params?.grant_type === 'refresh_token';
  if (body?.error_description === 'requested grant type is not allowed for this client') {
    ctx.status = 403;
    ctx.body = { ...body, error: 'unauthorized_client' };
  } else if (isRefresh && body?.error === 'invalid_grant') {
    ctx.body = { ...body, error_description: 'Unknown or invalid refresh token.' };
  }
}

/** Answers `active: false` for a token that is not introspected, such as a JWT (RFC 7662, 2.2). */
function answerInactive(ctx: Context): void {
  const body = ctx.body as { error?: string } | undefined;
  if (body?.error !== 'unsupported_token_type') return;
  ctx.status = 200;
  ctx.body = { active: false };
}

const RETRY_AFTER_SECONDS = '2';

/** Returns whether the server refused work because hashing or the database is overloaded (security R2). */
function isOverload(error: unknown): boolean {
  return (error as { status?: unknown } | null)?.status === 503;
}

/** Answers 503 with Retry-After, with a page for a person. */
export function answerUnavailable(ctx: Context): void {
  ctx.set('Retry-After', RETRY_AFTER_SECONDS);
  if (ctx.accepts('json', 'html') === 'html') return showAwayPage(ctx);
  ctx.status = 503;
  ctx.body = { error: 'temporarily_unavailable', error_description: 'Please try again soon.' };
}

/** oidc-provider's endpoints that take forms (RFC 6749, 4.1.3); Auth0's SDKs send them JSON. */
const FORM_CALLS = new Set(['/oauth/token', '/oauth/revoke', '/oauth/introspect', '/oauth/par']);

/** Returns the request in the format that the routes read. */
async function readable(req: IncomingMessage, path: string): Promise<IncomingMessage> {
  if (req.method !== 'POST') return req;
  if (FORM_CALLS.has(path) && isJson(req)) return withFormBody(req);
  const hasTokenInForm = path === '/userinfo' && !req.headers.authorization && isForm(req);
  return hasTokenInForm ? withTokenAsHeader(req) : req;
}

/** Creates the request listener. `issuer` has the mount path and the scheme of visitors. */
export function createHandle(
  provider: Provider,
  issuer: URL,
  faultOf: FaultOf,
): (req: IncomingMessage, res: ServerResponse) => void {
  const mountPath = issuer.pathname.replace(/\/$/, '');
  const callback = provider.callback();

  async function answer(req: IncomingMessage, res: ServerResponse): Promise<void> {
    const receivedAt = Date.now();
    const originalUrl = req.url ?? '/';
    const url = originalUrl.startsWith(mountPath)
      ? originalUrl.slice(mountPath.length)
      : originalUrl;
    const request = await readable(req, url.split('?', 1)[0] ?? '');
    recordRequestReceived(request, receivedAt);
    // oidc-provider derives its mount path from the two; without originalUrl its links would lack it.
    Object.assign(request, { originalUrl, url: url.startsWith('/') ? url : `/${url}` });
    // Overwritten: a client's claim about its own connection is not trusted.
    request.headers['x-forwarded-proto'] = issuer.protocol.slice(0, -1);
    // Removed: no header of a client may set our host (PRF-08), or discovery and forms would send people and secrets
    // elsewhere.
    delete request.headers['x-forwarded-host'];
    // Responses contain the issuer's addresses even when the portal calls over the loopback.
    request.headers.host = issuer.host;
    await callback(request, res);
  }

  return (req, res) => {
    answer(req, res).catch((error: unknown) => {
      const reference = faultOf(req, error);
      if (res.headersSent) return res.end();
      res.statusCode = 500;
      res.setHeader('content-type', 'text/plain; charset=utf-8');
      return res.end(fill(refusals.unexpected, { reference }));
    });
  };
}
