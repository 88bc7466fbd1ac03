/** Puts the provider under its path: prefix, security headers, Auth0's routes in front of the provider's own. */

import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Provider } from 'oidc-provider';
import type { CoAuthenticate } from './auth0/co-authenticate.ts';
import type { LoginTickets } from './auth0/login-ticket.ts';
import type { Context } from './context.ts';
import { contentSecurityPolicy, showErrorPage } from './pages.ts';
import type { DrawPage } from './options.ts';
import type { Log, SignInEvents } from './ports.ts';
import { isJson, withFormBody } from './request-body.ts';

interface Routes {
  readonly coAuthenticate: CoAuthenticate;
  readonly tickets: LoginTickets;
  readonly logout: (ctx: Context) => Promise<void>;
  /** True when it has answered. */
  readonly management: (ctx: Context) => Promise<boolean>;
  readonly events: SignInEvents;
  readonly log: Log;
  readonly drawPage: DrawPage | undefined;
}

function setSecurityHeaders(ctx: Context): void {
  ctx.set('Content-Security-Policy', contentSecurityPolicy());
  ctx.set('X-Frame-Options', 'DENY');
  ctx.set('X-Content-Type-Options', 'nosniff');
  ctx.set('Referrer-Policy', 'no-referrer');
  if (!ctx.path.startsWith('/.well-known/')) ctx.set('Cache-Control', 'no-store');
}

/** Adds what Auth0 has and the provider has not. Runs before the provider's own routes. */
export function addRoutes(
  provider: Provider,
  { coAuthenticate, tickets, logout, management, events, log, drawPage }: Routes,
): void {
  provider.use(async (ctx, next) => {
    setSecurityHeaders(ctx);
    try {
      await next();
      if (ctx.status === 404 && !ctx.body) await showErrorPage(ctx, 404, drawPage);
    } catch (error) {
      if (isOverload(error)) return answerOverload(ctx);
      log.error({ err: error, path: ctx.path }, 'hosted login failed');
      await showErrorPage(ctx, 500, drawPage);
    }
  });
  provider.use(async (ctx, next) => {
    await next();
    // A silent check that finds nobody has done its work. Auth0 answers 200; with the provider's 400
    // every first sign-in would write an error to the browser's console.
    if (ctx.status === 400 && isWebMessage(ctx)) ctx.status = 200;
  });
  provider.use(async (ctx, next) => {
    if (await management(ctx)) return;
    switch (`${ctx.method} ${ctx.path}`) {
      case 'OPTIONS /co/authenticate':
        return coAuthenticate.preflight(ctx);
      case 'POST /co/authenticate':
        return coAuthenticate.authenticate(ctx);
      case 'GET /v2/logout':
        return logout(ctx);
      case 'POST /oidc/logout/confirm':
        await next();
        // The yes of somebody who was asked. Without a hosted session nobody was: the form sent itself.
        if (ctx.status === 303 && ctx.oidc.params?.logout && ctx.oidc.session?.accountId) {
          await events.signedOut({ cookieHeader: ctx.req.headers.cookie });
        }
        return;
      case 'GET /authorize':
        if (ctx.query.login_ticket !== undefined && (await tickets.redeem(ctx))) return;
        return next();
      default:
        return next();
    }
  });
}

const RETRY_AFTER_SECONDS = '2';

/** What the server throws when more wants to be hashed, or asked of the database, than it can do now (security R2). */
function isOverload(error: unknown): boolean {
  return (error as { status?: unknown } | null)?.status === 503;
}

function answerOverload(ctx: Context): void {
  ctx.status = 503;
  ctx.set('Retry-After', RETRY_AFTER_SECONDS);
  ctx.body = { error: 'temporarily_unavailable', error_description: 'Please try again soon.' };
}

/** The page that posts an answer to the frame around it; an error page posts nothing. */
function isWebMessage({ body }: Context): boolean {
  return typeof body === 'string' && body.includes('authorization_response');
}

/** The request listener; `issuer` says where it is mounted and whether visitors come by https. */
export function createHandle(
  provider: Provider,
  issuer: URL,
  log: Log,
): (req: IncomingMessage, res: ServerResponse) => void {
  const mountPath = issuer.pathname.replace(/\/$/, '');
  const callback = provider.callback();

  async function answer(req: IncomingMessage, res: ServerResponse): Promise<void> {
    const originalUrl = req.url ?? '/';
    const url = originalUrl.startsWith(mountPath)
      ? originalUrl.slice(mountPath.length)
      : originalUrl;
    const isTokenCall = req.method === 'POST' && url.split('?', 1)[0] === '/oauth/token';
    const request = isTokenCall && isJson(req) ? await withFormBody(req) : req;
    // The provider finds its mount path by comparing the two addresses; without originalUrl its own links lose it.
    Object.assign(request, { originalUrl, url: url.startsWith('/') ? url : `/${url}` });
    // Set, not added: what a client says about its own connection does not count.
    request.headers['x-forwarded-proto'] = issuer.protocol.slice(0, -1);
    // The addresses in the answers are the issuer's, also when the portal asks over the loopback.
    request.headers.host = issuer.host;
    await callback(request, res);
  }

  return (req, res) => {
    answer(req, res).catch((error: unknown) => {
      log.error({ err: error }, 'hosted login failed');
      if (!res.headersSent) res.statusCode = 500;
      res.end();
    });
  };
}
