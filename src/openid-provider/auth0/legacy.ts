/**
 * Auth0's older SDKs take tokens in the front channel (security D30). Only clients whose response types name it may;
 * everybody else has the code and PKCE.
 */

import { randomBytes } from 'node:crypto';
import { errors } from 'oidc-provider';
import type { KoaContextWithOIDC } from 'oidc-provider';
import { isLoopbackHost } from '#domain/loopback.ts';
import type { ClientDirectory } from '../clients.ts';
import type { Context } from '../context.ts';
import { textOf } from '../text.ts';

/** Marks a request for `token` alone: the ID token that the provider makes beside it is left out of the answer. */
const TOKEN_ONLY = 'token-only.';

/** `token` alone is Auth0's; the provider knows it only together with `id_token`, which needs a nonce. */
export async function widenTokenOnly(ctx: Context, clients: ClientDirectory): Promise<void> {
  if (ctx.query.response_type !== 'token') return;
  const client = await clients.find(ctx.query.client_id);
  if (!client?.responseTypes?.includes('token')) return;
  ctx.query = {
    ...ctx.query,
    response_type: 'id_token token',
    nonce: `${TOKEN_ONLY}${randomBytes(16).toString('base64url')}`,
  };
}

export function leaveOutIdToken(ctx: KoaContextWithOIDC, answer: Record<string, unknown>): void {
  if (textOf(ctx.oidc.params?.nonce).startsWith(TOKEN_ONLY)) delete answer.id_token;
}

/** Checks of parameters that the provider calls for each authorization request. */
export const legacyParams = {
  /** Without a state anybody could hand a page an answer of their own (OIDC Core 3.2.2.1 recommends it; here it is a must). */
  realm(ctx: KoaContextWithOIDC): void {
    const { params } = ctx.oidc;
    const isFrontChannel = textOf(params?.response_type).includes('token');
    if (isFrontChannel && !params?.state) {
      throw new errors.InvalidRequest("missing required parameter 'state'");
    }
  },
};

/** A page on this very machine, which has no https. */
export function isLocalPage(redirectUri: string): boolean {
  if (!URL.canParse(redirectUri)) return false;
  const { protocol, hostname } = new URL(redirectUri);
  return protocol === 'http:' && isLoopbackHost(hostname);
}
