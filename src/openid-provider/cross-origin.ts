/** CORS for the endpoints without cookies; /co/authenticate, which has cookies, has its own. */

import type { ClientDirectory } from './clients.ts';
import type { Context } from './context.ts';
import type { OAuthClient } from './client-port.ts';

/** The headers that auth0-js and auth0-spa-js send. */
const ALLOWED_HEADERS = 'content-type, auth0-client, authorization, dpop, x-request-language';
const PREFLIGHT_SECONDS = '600';

/** Allows pages of this client to read the response; other pages get it without the header. */
export function allowOrigin(
  ctx: Context,
  clients: ClientDirectory,
  client: OAuthClient | undefined,
): void {
  const origin = ctx.get('Origin');
  ctx.vary('Origin');
  if (origin && client && clients.mayPostFrom(client, origin)) {
    ctx.set('Access-Control-Allow-Origin', origin);
  }
}

/** Answers a preflight. It names no client, so every registered origin is allowed. */
export async function answerPreflight(
  ctx: Context,
  clients: ClientDirectory,
  methods: string,
): Promise<void> {
  const origin = ctx.get('Origin');
  ctx.status = 204;
  ctx.vary('Origin');
  if (!(await clients.isKnownOrigin(origin))) return;
  ctx.set('Access-Control-Allow-Origin', origin);
  ctx.set('Access-Control-Allow-Methods', methods);
  ctx.set('Access-Control-Allow-Headers', ALLOWED_HEADERS);
  ctx.set('Access-Control-Max-Age', PREFLIGHT_SECONDS);
}
