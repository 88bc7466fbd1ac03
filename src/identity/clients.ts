/** The applications that may use the hosted login, in the provider's words. */

import type { ClientMetadata } from 'oidc-provider';
import type { HostedLoginClient } from './ports.ts';

/** Public clients with PKCE: the code flow and nothing else (RFC 9700, 2.1). */
export function toClientMetadata(client: HostedLoginClient): ClientMetadata {
  return {
    client_id: client.clientId,
    redirect_uris: [...client.redirectUris],
    post_logout_redirect_uris: [...client.postLogoutRedirectUris],
    grant_types: ['authorization_code'],
    response_types: ['code'],
    token_endpoint_auth_method: 'none',
    id_token_signed_response_alg: client.idTokenAlg ?? (client.firstParty ? 'ES256' : 'RS256'),
  };
}

export interface ClientDirectory {
  find(clientId: unknown): HostedLoginClient | undefined;
  mayPostFrom(client: HostedLoginClient, origin: string): boolean;
  /** For preflight requests, which do not name the client. */
  isKnownOrigin(origin: string): boolean;
  /** Auth0 answers a logout without `client_id` by the tenant's own list: ours is that of the portal. */
  logoutTargets(clientId: unknown): readonly string[];
}

export function createClientDirectory(clients: readonly HostedLoginClient[]): ClientDirectory {
  const byId = new Map(clients.map((client) => [client.clientId, client]));
  const find = (clientId: unknown): HostedLoginClient | undefined =>
    typeof clientId === 'string' ? byId.get(clientId) : undefined;
  return {
    find,
    mayPostFrom: (client, origin) => client.webOrigins.includes(origin),
    isKnownOrigin: (origin) => clients.some((client) => client.webOrigins.includes(origin)),
    logoutTargets(clientId) {
      if (clientId !== undefined) return find(clientId)?.postLogoutRedirectUris ?? [];
      return clients
        .filter((client) => client.firstParty)
        .flatMap((client) => client.postLogoutRedirectUris);
    },
  };
}
