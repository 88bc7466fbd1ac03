/** The scopes of an authorization request that are granted. */

import { decodeJwt } from 'jose';
import type { KoaContextWithOIDC } from 'oidc-provider';
import { OIDC_SCOPES } from './scopes.ts';
import { scopesOf } from './clients.ts';
import { parameterText } from './text.ts';

/** The scopes of the authorization request as it was sent, before the provider removed any. */
function askedScopes({ method, query, oidc }: KoaContextWithOIDC): readonly string[] {
  const pushed = oidc.entities.PushedAuthorizationRequest?.request;
  const body = oidc.body as { scope?: unknown } | undefined;
  const scope = pushed ? decodeJwt(pushed).scope : method === 'POST' ? body?.scope : query.scope;
  return typeof scope === 'string' ? scope.split(' ') : [];
}

/**
 * Restores `offline_access` for clients that may refresh. The provider removes it unless the request has
 * `prompt=consent`; Auth0 does not require that, and its SDKs do not send it. For third-party clients people consent to
 * it once, as to any other scope (IDP-17).
 */
function restoreOfflineAccess(ctx: KoaContextWithOIDC): void {
  const { client, params } = ctx.oidc;
  if (!client || !params || !parameterText(params.response_type).includes('code')) return;
  const isAllowed =
    client.grantTypeAllowed('refresh_token') && scopesOf(client).includes('offline_access');
  const scopes = parameterText(params.scope).split(' ');
  if (!isAllowed || scopes.includes('offline_access')) return;
  if (!askedScopes(ctx).includes('offline_access')) return;
  params.scope = [...scopes, 'offline_access'].join(' ').trim();
}

/**
 * Drops the scopes that the client's entry lacks, as Auth0 does; the token response names the granted ones (RFC 6749,
 * 3.3). The scopes of an API are filtered when they are granted.
 */
export function settleScopes(ctx: KoaContextWithOIDC): void {
  const { client, params } = ctx.oidc;
  if (!client || !params) return;
  const allowed = scopesOf(client);
  const asked = parameterText(params.scope).split(' ').filter(Boolean);
  const kept = asked.filter((scope) => allowed.includes(scope) || !OIDC_SCOPES.includes(scope));
  params.scope = kept.join(' ') || undefined;
  restoreOfflineAccess(ctx);
}
