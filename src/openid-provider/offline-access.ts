/** When an application of the house gets a refresh token. */

import { decodeJwt } from 'jose';
import type { KoaContextWithOIDC } from 'oidc-provider';
import type { ClientDirectory } from './clients.ts';
import { textOf } from './text.ts';

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
