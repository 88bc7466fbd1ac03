/** Which pages of other origins may read an answer. Nothing here sends or takes a cookie but /co/authenticate. */

import type { ClientDirectory } from './clients.ts';
import type { Context } from './context.ts';
import type { OAuthClient } from './ports.ts';

/** What auth0-js and auth0-spa-js send along. */
const ALLOWED_HEADERS = 'content-type, auth0-client, authorization, x-request-language';
const PREFLIGHT_SECONDS = '600';

/** Lets a page of this client read the answer; a page of nobody's gets it without the permission. */
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

/** Answers a preflight, which names no client: any listed origin may ask. */
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
