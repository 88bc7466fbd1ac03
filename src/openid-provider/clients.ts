/** The applications that may use the hosted login, in the provider's words. */

import { createHash, timingSafeEqual } from 'node:crypto';
import type { Adapter, ClientMetadata, Provider } from 'oidc-provider';
import { grantTypesOf, mayUse } from './grants.ts';
import type { ClientAuth, ClientSource, HostedLoginClient } from './ports.ts';

function toAuthMetadata(auth: ClientAuth): Partial<ClientMetadata> {
  const method = { token_endpoint_auth_method: auth.method };
  switch (auth.method) {
    case 'none':
      return method;
    case 'client_secret_basic':
    case 'client_secret_post':
      // The provider wants something here; what is compared with it, `compareBySecretHash` says.
      return { ...method, client_secret: auth.secretHash };
    case 'private_key_jwt':
      return 'jwks' in auth
        ? { ...method, jwks: { keys: auth.jwks.keys.map((key) => ({ ...key })) as never } }
        : { ...method, jwks_uri: auth.jwksUri };
  }
}

/** A machine has no page that an answer could go to. */
function responseTypesOf({ responseTypes, redirectUris }: HostedLoginClient): readonly string[] {
  if (redirectUris.length === 0) return [];
  // `token` alone is `id_token token` whose first half is left out (auth0/legacy.ts).
  return (responseTypes ?? ['code']).map((type) => (type === 'token' ? 'id_token token' : type));
}

/** The client as OpenID Connect Dynamic Registration spells it. */
export function toClientMetadata(client: HostedLoginClient): ClientMetadata {
  return {
    client_id: client.clientId,
    client_name: client.name ?? client.clientId,
    application_type: client.type ?? 'web',
    redirect_uris: [...client.redirectUris],
    post_logout_redirect_uris: [...client.postLogoutRedirectUris],
    grant_types: [...grantTypesOf(client)],
    response_types: responseTypesOf(client) as never,
    ...(client.scopes && { scope: client.scopes.join(' ') }),
    ...toAuthMetadata(client.auth ?? { method: 'none' }),
    // With a `sid` of the client's own in its ID tokens, by which it knows which of its sessions is over.
    ...(client.backChannelLogoutUri
      ? {
          backchannel_logout_uri: client.backChannelLogoutUri,
          backchannel_logout_session_required: true,
        }
      : {}),
    id_token_signed_response_alg: client.idTokenAlg ?? (client.firstParty ? 'ES256' : 'RS256'),
    [WEB_ORIGINS]: [...client.webOrigins],
  };
}

/** The one field of ours in the provider's client: it asks for it where it cannot wait. */
export const WEB_ORIGINS = 'porchlight_web_origins';

export function mayReadFrom(client: object, origin: string): boolean {
  const origins = (client as Record<string, unknown>)[WEB_ORIGINS];
  return Array.isArray(origins) && origins.includes(origin);
}

/** What the provider reads clients through. */
export function createClientAdapter(source: ClientSource): Pick<Adapter, 'find'> {
  return {
    async find(clientId) {
      const client = await source.find(clientId);
      return client ? (toClientMetadata(client) as never) : undefined;
    },
  };
}

/**
 * The provider compares secrets as they stand; ours are known by their hash alone, so the hash of what was shown is
 * compared. 256 random bits need no salt and no slow hash. The provider must therefore offer nothing that would use a
 * secret as a key (decision 041).
 */
export function compareBySecretHash(provider: Provider): void {
  const prototype = provider.Client.prototype as unknown as {
    clientSecret: string | undefined;
    compareClientSecret: (actual: string) => boolean;
  };
  prototype.compareClientSecret = function compare(actual) {
    const shown = createHash('sha256').update(String(actual)).digest();
    const known = Buffer.from(this.clientSecret ?? '', 'base64url');
    return known.length === shown.length && timingSafeEqual(known, shown);
  };
}

export type ClientDirectory = {
  find(clientId: unknown): Promise<HostedLoginClient | undefined>;
  all(): Promise<readonly HostedLoginClient[]>;
  mayPostFrom(client: HostedLoginClient, origin: string): boolean;
  /** The client whose page this is and that has this grant, where a call names none. */
  findByOrigin(origin: string, grant: string): Promise<HostedLoginClient | undefined>;
  /** For preflight requests, which do not name the client. */
  isKnownOrigin(origin: string): Promise<boolean>;
  /** Auth0 answers a logout without `client_id` by the tenant's own list: ours is that of the house. */
  logoutTargets(clientId: unknown): Promise<readonly string[]>;
};

export function createClientDirectory(source: ClientSource): ClientDirectory {
  const find = async (clientId: unknown): Promise<HostedLoginClient | undefined> =>
    typeof clientId === 'string' ? ((await source.find(clientId)) ?? undefined) : undefined;
  return {
    find,
    all: () => source.list(),
    mayPostFrom: (client, origin) => client.webOrigins.includes(origin),
    findByOrigin: async (origin, grant) =>
      (await source.list()).find(
        (client) => client.webOrigins.includes(origin) && mayUse(client, grant),
      ),
    isKnownOrigin: async (origin) =>
      (await source.list()).some((client) => client.webOrigins.includes(origin)),
    async logoutTargets(clientId) {
      if (clientId !== undefined) return (await find(clientId))?.postLogoutRedirectUris ?? [];
      return (await source.list())
        .filter((client) => client.firstParty)
        .flatMap((client) => client.postLogoutRedirectUris);
    },
  };
}
