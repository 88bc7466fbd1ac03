/** The registered clients, in oidc-provider's terms. */

import { createHash, timingSafeEqual } from 'node:crypto';
import type { Adapter, ClientMetadata } from 'oidc-provider';
import { OIDC_SCOPES } from './scopes.ts';
import { grantTypesOf, mayUse } from './grants.ts';
import type { ClientAuth, ClientSource, OAuthClient } from './client-port.ts';

function toAuthMetadata(auth: ClientAuth): Partial<ClientMetadata> {
  const method = { token_endpoint_auth_method: auth.method };
  switch (auth.method) {
    case 'none':
      return method;
    case 'client_secret_basic':
    case 'client_secret_post':
      // oidc-provider requires a value; `isClientSecret` compares with it.
      return { ...method, client_secret: auth.secretHash };
    case 'private_key_jwt':
      return 'jwks' in auth
        ? { ...method, jwks: { keys: auth.jwks.keys.map((key) => ({ ...key })) as never } }
        : { ...method, jwks_uri: auth.jwksUri };
  }
}

/** The response types of a client; none for a machine, which has no redirect address. */
function responseTypesOf({ responseTypes, redirectUris }: OAuthClient): readonly string[] {
  if (redirectUris.length === 0) return [];
  // `token` alone becomes `id_token token`, without the ID token in the response (auth0/legacy.ts).
  return (responseTypes ?? ['code']).map((type) => (type === 'token' ? 'id_token token' : type));
}

/** Returns the client in the terms of OpenID Connect Dynamic Registration. */
export function toClientMetadata(client: OAuthClient): ClientMetadata {
  return {
    client_id: client.clientId,
    client_name: client.name ?? client.clientId,
    application_type: client.type ?? 'web',
    redirect_uris: [...client.redirectUris],
    post_logout_redirect_uris: [...client.postLogoutRedirectUris],
    grant_types: [...grantTypesOf(client)],
    response_types: responseTypesOf(client) as never,
    ...toAuthMetadata(client.auth ?? { method: 'none' }),
    // Puts a `sid` into the client's ID tokens, which its logout notices refer to.
    ...(client.backChannelLogoutUri
      ? {
          backchannel_logout_uri: client.backChannelLogoutUri,
          backchannel_logout_session_required: true,
        }
      : {}),
    id_token_signed_response_alg: client.idTokenAlg ?? (client.firstParty ? 'ES256' : 'RS256'),
    dpop_bound_access_tokens: client.dpop === 'required',
    [WEB_ORIGINS]: [...client.webOrigins],
    [PKCE_OPTIONAL]: client.pkce === 'optional',
    [REFRESH_LIFE]: client.refreshLife,
    // Not as `scope`: oidc-provider would refuse a request with other scopes, which must be ignored (asked-scopes.ts).
    [SCOPES]: client.scopes && [...client.scopes],
  };
}

/** Our own fields in oidc-provider's client metadata, for its checks that must be synchronous. */
export const WEB_ORIGINS = 'porchlight_web_origins';
export const PKCE_OPTIONAL = 'porchlight_pkce_optional';
export const REFRESH_LIFE = 'porchlight_refresh_life';
export const SCOPES = 'porchlight_scopes';

/** Returns the lifetime of a client's refresh tokens; `undefined`: as long as a session. */
export const refreshLifeOf = (client: object): OAuthClient['refreshLife'] =>
  (client as Record<string, unknown>)[REFRESH_LIFE] as OAuthClient['refreshLife'];

/** Returns the OpenID scopes that a client may have. */
export const scopesOf = (client: object): readonly string[] =>
  ((client as Record<string, unknown>)[SCOPES] as OAuthClient['scopes']) ?? OIDC_SCOPES;

/**
 * Returns whether a client has to use PKCE: all do, except those with a secret whose entry makes it optional (PRF-07).
 */
export function isPkceRequired(client: {
  readonly clientAuthMethod?: string | undefined;
}): boolean {
  const isOptional = (client as Record<string, unknown>)[PKCE_OPTIONAL] === true;
  return client.clientAuthMethod === 'none' || !isOptional;
}

/** Returns whether pages of this origin may read responses for the client. */
export function mayReadFrom(client: object, origin: string): boolean {
  const origins = (client as Record<string, unknown>)[WEB_ORIGINS];
  return Array.isArray(origins) && origins.includes(origin);
}

/** The storage adapter through which oidc-provider reads clients. */
export function createClientAdapter(source: ClientSource): Pick<Adapter, 'find'> {
  return {
    async find(clientId) {
      const client = await source.find(clientId);
      return client ? (toClientMetadata(client) as never) : undefined;
    },
  };
}

/**
 * Returns whether this is the client's secret, of which only the hash is stored. 256 random bits need no salt and no
 * slow hash. The provider must therefore offer no feature that uses a secret as a key (decision 041).
 */
export function isClientSecret(shown: string, storedHash = ''): boolean {
  const hash = createHash('sha256').update(String(shown)).digest();
  const known = Buffer.from(storedHash, 'base64url');
  return known.length === hash.length && timingSafeEqual(known, hash);
}

export type ClientDirectory = ReturnType<typeof createClientDirectory>;

/** Creates the directory of registered clients. */
export function createClientDirectory(source: ClientSource) {
  const find = async (clientId: unknown): Promise<OAuthClient | undefined> =>
    typeof clientId === 'string' ? ((await source.find(clientId)) ?? undefined) : undefined;
  return {
    find,
    all: (): Promise<readonly OAuthClient[]> => source.list(),
    mayPostFrom: (client: OAuthClient, origin: string): boolean =>
      client.webOrigins.includes(origin),
    /** Returns the client of a page that may use this grant, for requests without a client id. */
    findByOrigin: async (origin: string, grant: string): Promise<OAuthClient | undefined> =>
      (await source.list()).find(
        (client) => client.webOrigins.includes(origin) && mayUse(client, grant),
      ),
    /** Returns whether a client has this origin, for preflight requests, which name no client. */
    isKnownOrigin: async (origin: string): Promise<boolean> =>
      (await source.list()).some((client) => client.webOrigins.includes(origin)),
    /**
     * Returns the allowed addresses after a sign-out. Without `client_id` Auth0 uses the tenant's list; here those of
     * first-party clients are used.
     */
    async logoutTargets(clientId: unknown): Promise<readonly string[]> {
      if (clientId !== undefined) return (await find(clientId))?.postLogoutRedirectUris ?? [];
      return (await source.list())
        .filter((client) => client.firstParty)
        .flatMap((client) => client.postLogoutRedirectUris);
    },
  };
}
