/** Auth0's `audience`: the APIs, and what an access token for one contains (RFC 8707, RFC 9068). */

import { errors } from 'oidc-provider';
import type { KoaContextWithOIDC, ResourceServer } from 'oidc-provider';
import type { ClientDirectory } from './clients.ts';
import type { Api } from './client-port.ts';
import { OIDC_SCOPES } from './scopes.ts';
import { parameterText } from './text.ts';

/** Security R25. */
const MAX_TOKEN_SECONDS = 600;

/** Scopes of a person's own token at the Management API: to read and change only that account. */
const PERSON_SCOPES = [
  'read:current_user',
  'update:current_user_metadata',
  'create:current_user_metadata',
  'delete:current_user_metadata',
  'update:current_user_identities',
] as const;
/** Scopes of a machine's token at the Management API. */
const MACHINE_SCOPES = [
  'read:users',
  'create:users',
  'update:users',
  'delete:users',
  'read:logs',
  'read:sessions',
  'delete:sessions',
  'create:user_tickets',
] as const;

type ProviderClient = KoaContextWithOIDC['oidc']['client'];

export type ApiDirectory = ReturnType<typeof createApiDirectory>;

/** Returns the resource indicator of an API. It has to be a URI (RFC 8707, 2); Auth0's identifier may be any text. */
function indicatorOf(identifier: string): string {
  const isAddress = URL.canParse(identifier) && !identifier.includes('#');
  return isAddress ? identifier : `urn:audience:${encodeURIComponent(identifier)}`;
}

/** Reverses `indicatorOf`, for error messages. */
function askedFor(indicator: string): string {
  const [, name] = /^urn:audience:(.*)$/.exec(indicator) ?? [];
  return name === undefined ? indicator : decodeURIComponent(name);
}

/** Creates the directory of APIs from the settings. */
export function createApiDirectory(
  issuer: string,
  apis: readonly Api[],
  clients: ClientDirectory,
  defaultAudience: string | undefined,
) {
  const managementAudience = `${issuer}api/v2/`;
  const byIndicator = new Map(apis.map((api) => [indicatorOf(api.identifier), api]));
  const isMachine = (ctx: KoaContextWithOIDC): boolean =>
    ctx.oidc.params?.grant_type === 'client_credentials';

  function scopesOf(ctx: KoaContextWithOIDC, indicator: string): readonly string[] | undefined {
    if (indicator === managementAudience) return isMachine(ctx) ? MACHINE_SCOPES : PERSON_SCOPES;
    return byIndicator.get(indicator)?.scopes;
  }

  /** Returns the resource indicator of an audience; '' for none. */
  async function indicatorFor(
    ctx: KoaContextWithOIDC,
    audience: string,
  ): Promise<string | undefined> {
    if (audience) return indicatorOf(audience);
    const client = await clients.find(ctx.oidc.client?.clientId);
    const mayAskDefault = client?.apis?.some((api) => api.audience === defaultAudience);
    return defaultAudience && mayAskDefault ? indicatorOf(defaultAudience) : undefined;
  }

  return {
    managementAudience,
    indicatorFor,

    /** Returns the resource indicator of the request's audience, or of the default one. */
    async requested(ctx: KoaContextWithOIDC): Promise<string | undefined> {
      const { params, body } = ctx.oidc as { params?: object; body?: object };
      const { audience: asked } = { ...body, ...params } as { audience?: unknown };
      const indicator = await indicatorFor(ctx, parameterText(asked));
      if (!indicator && isMachine(ctx)) {
        throw new errors.InvalidTarget('No audience parameter was provided.');
      }
      return indicator;
    },

    /**
     * Returns the API for the provider.
     * @throws InvalidTarget for an unknown API, AccessDenied for a client without access to it
     */
    async describe(
      ctx: KoaContextWithOIDC,
      indicator: string,
      client: ProviderClient,
    ): Promise<ResourceServer> {
      const scopes = scopesOf(ctx, indicator);
      const api = byIndicator.get(indicator);
      const identifier = api?.identifier ?? askedFor(indicator);
      if (!scopes) throw new errors.InvalidTarget(`Service not found: ${identifier}`);
      const known = await clients.find(client?.clientId);
      const allowed = known?.apis?.find(({ audience }) => audience === identifier);
      if (!allowed) {
        throw new errors.AccessDenied(`Client is not authorized to access "${identifier}".`);
      }
      const granted = scopes.filter((scope) => allowed.scopes.includes(scope));
      // A machine that names no scope gets all its scopes, as from Auth0.
      if (isMachine(ctx) && ctx.oidc.params) ctx.oidc.params.scope ??= granted.join(' ');
      const seconds = Math.min(api?.tokenSeconds ?? MAX_TOKEN_SECONDS, MAX_TOKEN_SECONDS);
      return {
        audience: identifier,
        scope: [...(isMachine(ctx) ? [] : OIDC_SCOPES), ...granted].join(' '),
        accessTokenTTL: seconds,
        // The Management API looks its tokens up, so that sign-out, reset and revocation end them.
        ...(api
          ? { accessTokenFormat: 'jwt', jwt: { sign: { alg: 'RS256' } } }
          : { accessTokenFormat: 'opaque' }),
      };
    },
  };
}
