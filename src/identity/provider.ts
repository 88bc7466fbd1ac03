/** The OpenID provider's configuration. Everything that is not offered is switched off here. */

import { Provider } from 'oidc-provider';
import type { Configuration, Grant, JWKS, KoaContextWithOIDC } from 'oidc-provider';
import { createAdapter } from './adapter.ts';
import { OIDC_SCOPES } from './apis.ts';
import type { ApiDirectory } from './apis.ts';
import type { ClientDirectory } from './clients.ts';
import { compareBySecretHash, mayReadFrom, WEB_ORIGINS } from './clients.ts';
import { readHintsStrictly } from './id-token-hint.ts';
import type { HostedLoginOptions } from './options.ts';
import type { HostedKeys } from './ports.ts';
import { showConfirmLogoutPage, showErrorPage, showSignedOutPage } from './pages.ts';
import { createFindAccount, createPolicy } from './second-factor.ts';
import { MULTI_FACTOR, sessionLifeSeconds } from './sessions.ts';
import type { CookieOptions } from './sessions.ts';

/** Auth0's paths (hosted-login wire, 2.1); discovery and the key set are where OIDC puts them. */
const ROUTES = {
  authorization: '/authorize',
  token: '/oauth/token',
  userinfo: '/userinfo',
  jwks: '/.well-known/jwks.json',
  end_session: '/oidc/logout',
};

/** Scope to claims, OIDC Core 5.4. `amr` and `acr` only come into the ID token when they are listed. */
const CLAIMS = {
  openid: ['sub', 'amr', 'acr', 'auth_time', 'sid', 'org_id'],
  profile: ['name', 'given_name', 'family_name', 'trial_ends_at'],
  email: ['email', 'email_verified'],
};

/** Grants what is asked for; tells whether that was new. */
function addAsked({ oidc }: KoaContextWithOIDC, grant: Grant): boolean {
  const asked = [...oidc.requestParamScopes];
  const openid = asked.filter((scope) => OIDC_SCOPES.some((known) => known === scope));
  const resources = Object.entries(oidc.resourceServers ?? {}).map(([indicator, { scopes }]) => ({
    indicator,
    wanted: asked.filter((scope) => scopes.has(scope)),
  }));
  const lacks = (granted: string, wanted: readonly string[]): boolean =>
    wanted.some((scope) => !granted.split(' ').includes(scope));
  const isNew =
    !grant.jti ||
    lacks(grant.getOIDCScope(), openid) ||
    resources.some(({ indicator, wanted }) => lacks(grant.getResourceScope(indicator), wanted));
  grant.addOIDCScope(openid.join(' '));
  for (const { indicator, wanted } of resources)
    grant.addResourceScope(indicator, wanted.join(' '));
  return isNew;
}

/** Our own portal needs no consent screen: what it asks for is granted at once. */
function createLoadExistingGrant(clients: ClientDirectory) {
  return async (ctx: KoaContextWithOIDC): Promise<Grant | undefined> => {
    const { client, session, account, provider } = ctx.oidc;
    if (!client || !session || !account) return undefined;
    const grantId = session.grantIdFor(client.clientId);
    const found = grantId ? await provider.Grant.find(grantId) : undefined;
    if (!(await clients.find(client.clientId))?.firstParty) return found;
    const grant =
      found ?? new provider.Grant({ accountId: account.accountId, clientId: client.clientId });
    if (addAsked(ctx, grant)) await grant.save();
    return grant;
  };
}

const OFF = { enabled: false } as const;

function features(apis: ApiDirectory): NonNullable<Configuration['features']> {
  return {
    devInteractions: OFF,
    dPoP: OFF,
    pushedAuthorizationRequests: OFF,
    clientCredentials: { enabled: true },
    resourceIndicators: {
      enabled: true,
      defaultResource: (ctx, _client, oneOf) => oneOf ?? apis.requested(ctx),
      // The API stays the one that was asked for, at the exchange and at each refresh.
      useGrantedResource: () => true,
      getResourceServerInfo: (ctx, indicator, client) => apis.describe(ctx, indicator, client),
    },
    userinfo: { enabled: true },
    webMessageResponseMode: { enabled: true, ack: 'individual-draft-01' },
    rpInitiatedLogout: {
      enabled: true,
      logoutSource(ctx, form) {
        const state = ctx.oidc.session?.state as { postLogoutRedirectUri?: string } | undefined;
        showConfirmLogoutPage(ctx, form, state?.postLogoutRedirectUri);
      },
      postLogoutSuccessSource: (ctx) => showSignedOutPage(ctx),
    },
  };
}

export function createProvider(
  options: HostedLoginOptions,
  keys: HostedKeys,
  clients: ClientDirectory,
  apis: ApiDirectory,
  cookies: CookieOptions,
): Provider {
  const provider = new Provider(options.issuer, {
    adapter: createAdapter(options.store.payloads, options.clients),
    extraClientMetadata: { properties: [WEB_ORIGINS] },
    jwks: { keys: [...keys.signing] } as JWKS,
    routes: ROUTES,
    features: features(apis),
    claims: CLAIMS,
    acrValues: [MULTI_FACTOR],
    scopes: [...OIDC_SCOPES],
    // Auth0's name for the API that a token is for; apis.ts reads it.
    extraParams: ['audience'],
    responseTypes: ['code'],
    // Auth0 puts profile and email into the ID token; the OIDC default would send clients to /userinfo.
    conformIdTokenClaims: false,
    enabledJWA: {
      idTokenSigningAlgValues: ['ES256', 'RS256'],
      clientAuthSigningAlgValues: ['ES256', 'RS256', 'PS256'],
    },
    pkce: { required: () => true },
    findAccount: createFindAccount(options.accounts),
    loadExistingGrant: createLoadExistingGrant(clients),
    interactions: { policy: createPolicy(), url: () => '/account/signin' },
    clientBasedCORS: (_ctx, origin, client) => mayReadFrom(client, origin),
    clientAuthMethods: ['none', 'client_secret_basic', 'client_secret_post', 'private_key_jwt'],
    cookies: {
      keys: [...keys.cookies],
      // `__Host-`: the browser itself refuses the cookie from a neighbouring host or over http (security R24).
      names: { session: cookies.secure ? '__Host-idp_session' : 'idp_session' },
      long: cookies,
      // No path here: the provider limits it per interaction, which keeps parallel tabs apart.
      short: {
        signed: true,
        httpOnly: true,
        sameSite: 'lax',
        overwrite: true,
        secure: cookies.secure,
      },
    },
    ttl: {
      AccessToken: (_ctx, token) => token.resourceServer?.accessTokenTTL ?? 600,
      ClientCredentials: (_ctx, token) => token.resourceServer?.accessTokenTTL ?? 600,
      AuthorizationCode: 60,
      IdToken: 600,
      Interaction: 3600,
      Grant: 12 * 3600,
      Session: (_ctx, session) => sessionLifeSeconds(session.loginTs),
    },
    renderError: (ctx) => showErrorPage(ctx, ctx.status),
  });
  compareBySecretHash(provider);
  readHintsStrictly(provider);
  // TLS may end in front of us; whether the visitor came by https is known from the issuer, see mount.ts.
  provider.proxy = true;
  provider.on('server_error', (ctx, error) =>
    options.log.error({ err: error, path: ctx.path }, 'hosted login failed'),
  );
  // Koa would print to the console what mount.ts logs.
  provider.silent = true;
  return provider;
}
