/**
 * Refresh tokens: used once, followed by one successor, and the whole family revoked when an old one comes back
 * (RFC 9700, 4.14.2). Two tabs, or a lost answer, show the same token twice within moments: for three seconds that
 * gets the same successor again (security R27).
 */

import { createHmac } from 'node:crypto';
import { decodeJwt } from 'jose';
import { Provider } from 'oidc-provider';
import type { KoaContextWithOIDC } from 'oidc-provider';
import type { ClientDirectory } from './clients.ts';
import { textOf } from './text.ts';

const IDLE_SECONDS = 30 * 60;
const ABSOLUTE_SECONDS = 12 * 60 * 60;

type Ages = {
  readonly iiat?: number | undefined;
  readonly authTime?: number | undefined;
};

/** Seconds that a refresh token may live: half an hour unused, twelve hours since the sign-in at most. */
export function refreshLifeSeconds({ iiat, authTime }: Ages): number {
  const now = Math.floor(Date.now() / 1000);
  const began = Math.min(iiat ?? now, authTime ?? now);
  return Math.max(1, Math.min(IDLE_SECONDS, began + ABSOLUTE_SECONDS - now));
}

/**
 * Makes a rotated token's value follow from its predecessor's, under a key of the server: every instance that is shown
 * the old one finds the same successor, and nothing readable has to be stored for that.
 */
export function deriveSuccessors(provider: Provider, key: string): void {
  const prototype = provider.RefreshToken.prototype as unknown as { generateTokenId(): string };
  const random = prototype.generateTokenId;
  prototype.generateTokenId = function generate() {
    const rotated = Provider.ctx?.oidc.entities.RotatedRefreshToken;
    if (!rotated) return random.call(this);
    return createHmac('sha256', key).update(`successor:${rotated.jti}`).digest('base64url');
  };
}

/** What the authorization request asked for, before the provider took anything away. */
function askedScopes({ method, query, oidc }: KoaContextWithOIDC): readonly string[] {
  const pushed = oidc.entities.PushedAuthorizationRequest?.request;
  const body = oidc.body as { scope?: unknown } | undefined;
  const scope = pushed ? decodeJwt(pushed).scope : method === 'POST' ? body?.scope : query.scope;
  return typeof scope === 'string' ? scope.split(' ') : [];
}

/**
 * The provider grants `offline_access` only behind a consent screen. Applications of the house have none, and Auth0's
 * SDKs ask for none: theirs is put back when the client may refresh.
 */
export function createOfflineAccess(clients: ClientDirectory) {
  return async (ctx: KoaContextWithOIDC): Promise<void> => {
    const { client, params } = ctx.oidc;
    if (!client || !params || !textOf(params.response_type).includes('code')) return;
    const isAllowed =
      client.grantTypeAllowed('refresh_token') &&
      (!client.scope || client.scope.split(' ').includes('offline_access'));
    const scopes = textOf(params.scope).split(' ');
    if (!isAllowed || scopes.includes('offline_access')) return;
    if (!askedScopes(ctx).includes('offline_access')) return;
    if (!(await clients.find(client.clientId))?.firstParty) return;
    params.scope = [...scopes, 'offline_access'].join(' ').trim();
  };
}
