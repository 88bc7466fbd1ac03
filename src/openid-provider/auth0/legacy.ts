/**
 * Auth0's older SDKs receive tokens in the front channel (security D30). Only clients with such a response type may;
 * all others use the code flow with PKCE.
 */

import { randomBytes } from 'node:crypto';
import { errors } from 'oidc-provider';
import type { KoaContextWithOIDC } from 'oidc-provider';
import { isLoopbackHost } from '#domain/hand-off/loopback.ts';
import type { ClientDirectory } from '../clients.ts';
import type { Context } from '../context.ts';
import { parameterText } from '../text.ts';

/** Marks the nonce of a request for `token` alone, whose response must have no ID token. */
const TOKEN_ONLY = 'token-only.';

/** Turns Auth0's `token` into `id_token token` with a nonce: oidc-provider does not know `token` alone. */
export async function widenTokenOnly(ctx: Context, clients: ClientDirectory): Promise<void> {
  if (ctx.query.response_type !== 'token') return;
  const client = await clients.find(ctx.query.client_id);
  if (!client?.responseTypes?.includes('token')) return;
  replaceQuery(ctx, {
    ...ctx.query,
    response_type: 'id_token token',
    nonce: `${TOKEN_ONLY}${randomBytes(16).toString('base64url')}`,
  });
}

/** Changes the parameters of a GET. oidc-provider finds its mount path by the address, which has to change as well. */
function replaceQuery(ctx: Context, query: Context['query']): void {
  const request = ctx.req as { originalUrl?: string };
  const { originalUrl = ctx.url } = request;
  const mountPath = originalUrl.slice(0, originalUrl.length - ctx.url.length);
  ctx.query = query;
  request.originalUrl = `${mountPath}${ctx.url}`;
}

/** Removes the ID token from the response to a request for `token` alone. */
export function leaveOutIdToken(ctx: KoaContextWithOIDC, answer: Record<string, unknown>): void {
  if (parameterText(ctx.oidc.params?.nonce).startsWith(TOKEN_ONLY)) delete answer.id_token;
}

/** Parameter checks that the provider runs for each authorization request. */
export const legacyParams = {
  /** Requires a state in the front channel, against forged responses; OIDC Core 3.2.2.1 only recommends it. */
  realm(ctx: KoaContextWithOIDC): void {
    const { params } = ctx.oidc;
    const isFrontChannel = parameterText(params?.response_type).includes('token');
    if (isFrontChannel && !params?.state) {
      throw new errors.InvalidRequest("missing required parameter 'state'");
    }
  },
};

/** Whether a page is on the developer's own machine, where there is no https. */
export function isLocalPage(redirectUri: string): boolean {
  if (!URL.canParse(redirectUri)) return false;
  const { protocol, hostname } = new URL(redirectUri);
  return protocol === 'http:' && isLoopbackHost(hostname);
}
