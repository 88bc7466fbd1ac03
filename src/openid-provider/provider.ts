/** The configuration of oidc-provider. Features that are not offered are switched off here. */

import { errors, Provider } from 'oidc-provider';
import type { Configuration, JWKS } from 'oidc-provider';
import { acrOfToken, acrValues, keepDemandedAcr } from './acr.ts';
import { createAdapter } from './adapter.ts';
import { OIDC_SCOPES } from './scopes.ts';
import type { ApiDirectory } from './apis.ts';
import { assertClientAssertion } from './client-assertion.ts';
import type { ClientDirectory } from './clients.ts';
import {
  isClientSecret,
  isPkceRequired,
  refreshLifeOf,
  mayReadFrom,
  PKCE_OPTIONAL,
  REFRESH_LIFE,
  SCOPES,
  WEB_ORIGINS,
} from './clients.ts';
import { isLocalPage, leaveOutIdToken, legacyParams } from './auth0/legacy.ts';
import { CONNECTION } from './auth0/management/profile.ts';
import { isIdToken } from './id-token-hint.ts';
import type { DrawPage, OpenIdProviderOptions, SessionLife } from './options.ts';
import type { ProviderKeys } from './ports.ts';
import { roleClaims } from './claims.ts';
import { askToSignOut } from './sign-out-question.ts';
import { showSignedOutPage } from './pages.ts';
import { showRefusal } from './refused-requests.ts';
import { createLoadExistingGrant } from './consent.ts';
import { refuseUnknownOrganization } from './organization.ts';
import { settleScopes } from './asked-scopes.ts';
import { sendToSignUp } from './first-page.ts';
import {
  allowLocalImplicitClients,
  changeAuthorizationResponse,
  compareClientSecrets,
  deriveRefreshTokenIds,
  keepSessionIds,
  nameSessions,
  queueLogoutNotices,
  restrictIdTokenHints,
} from './provider-patches.ts';
import { createSuccessorOf, refreshLifeSeconds } from './refresh-rotation.ts';
import { createFindAccount, createPolicy } from './second-factor.ts';
import { sessionLifeSeconds } from './sessions.ts';
import type { CookieOptions } from './sessions.ts';

/** Auth0's paths (IDP-01); discovery and the key set are where OIDC puts them. */
const ROUTES = {
  authorization: '/authorize',
  token: '/oauth/token',
  userinfo: '/userinfo',
  jwks: '/.well-known/jwks.json',
  end_session: '/oidc/logout',
  pushed_authorization_request: '/oauth/par',
  introspection: '/oauth/introspect',
  revocation: '/oauth/revoke',
};

/** Scope to claims, OIDC Core 5.4. `amr` and `acr` are put into the ID token only when they are listed. */
const CLAIMS = {
  openid: ['sub', 'amr', 'acr', 'auth_time', 'sid', 'org_id', 'org_name'],
  profile: ['name', 'given_name', 'family_name', 'trial_ends_at'],
  email: ['email', 'email_verified'],
  phone: ['phone_number', 'phone_number_verified'],
  roles: ['roles', 'subtenant_id'],
};

/** OIDC Core 3.1.2.1. The portal's pages fit every window, so a known value changes nothing. */
const DISPLAYS: readonly unknown[] = [undefined, 'page', 'popup', 'touch', 'wap'];

function refuseUnknownDisplay(_ctx: unknown, value: unknown): void {
  if (!DISPLAYS.includes(value)) throw new errors.InvalidRequest('display has no such value');
}

/** Refuses Auth0's parameter `connection` with another value than our one connection, as Auth0 refuses an unknown one. */
function refuseUnknownConnection(_ctx: unknown, value: string | undefined): void {
  if (value !== undefined && value !== CONNECTION)
    throw new errors.InvalidRequest(`connection is unknown, there is ${CONNECTION} alone`);
}

/** Bytes. */
const LONGEST_KEY_SET = 64 * 1024;

const OFF = { enabled: false } as const;

function features(
  apis: ApiDirectory,
  renderPage: DrawPage,
): NonNullable<Configuration['features']> {
  return {
    devInteractions: OFF,
    // Offered to each client; required by `"dpop": "required"` in its entry.
    dPoP: { enabled: true },
    pushedAuthorizationRequests: { enabled: true },
    // A client may introspect and revoke its own tokens only (RFC 7662, 4; RFC 7009, 2.1).
    introspection: {
      enabled: true,
      allowedPolicy: (_ctx, client, token) =>
        client.clientAuthMethod !== 'none' && token.clientId === client.clientId,
    },
    revocation: {
      enabled: true,
      allowedPolicy: (_ctx, client, token) => token.clientId === client.clientId,
    },
    backchannelLogout: { enabled: true },
    clientCredentials: { enabled: true },
    resourceIndicators: {
      enabled: true,
      defaultResource: (ctx, _client, oneOf) => oneOf ?? apis.requested(ctx),
      // The token exchange and each refresh keep the API of the authorization request.
      useGrantedResource: () => true,
      getResourceServerInfo: (ctx, indicator, client) => apis.describe(ctx, indicator, client),
    },
    userinfo: { enabled: true },
    webMessageResponseMode: { enabled: true, ack: 'individual-draft-01' },
    rpInitiatedLogout: {
      enabled: true,
      logoutSource: (ctx) => askToSignOut(ctx, renderPage),
      postLogoutSuccessSource: (ctx) => showSignedOutPage(ctx),
    },
  };
}

/** Seconds. */
const lives = (sessionLife: SessionLife): NonNullable<Configuration['ttl']> => ({
  AccessToken: (_ctx, token) => token.resourceServer?.accessTokenTTL ?? 600,
  ClientCredentials: (_ctx, token) => token.resourceServer?.accessTokenTTL ?? 600,
  AuthorizationCode: 60,
  RefreshToken: (_ctx, token, client) =>
    refreshLifeSeconds(token, refreshLifeOf(client) ?? sessionLife),
  PushedAuthorizationRequest: 60,
  IdToken: 600,
  Interaction: 1800,
  // A grant lives as long as its refresh token, which may have been requested late in the session.
  Grant: (ctx, { client = ctx?.oidc?.client }) =>
    sessionLife.seconds + ((client && refreshLifeOf(client)?.seconds) ?? 0),
  Session: (_ctx, session) => sessionLifeSeconds(session.loginTs, sessionLife),
});

type Customizers = NonNullable<NonNullable<Configuration['formats']>['customizers']>;

/** Auth0's API tokens are valid at /userinfo too; by `grant` a sign-out or reset ends that (auth0/user-info.ts). */
function createApiTokenClaims({
  accounts,
  issuer,
}: OpenIdProviderOptions): NonNullable<Customizers['jwt']> {
  return async (_ctx, token, { payload }) => {
    const {
      accountId,
      grantId,
      scope = '',
    } = token as { accountId?: string; grantId?: string; scope?: string };
    const scopes = scope.split(' ');
    // A machine's token, in Auth0's form: no API takes its `sub` for a person's (decision 159).
    if (!accountId) {
      payload.sub = `${String(payload.client_id)}@clients`;
      payload.gty = 'client-credentials';
      return;
    }
    if (scopes.includes('roles')) {
      Object.assign(payload, roleClaims(await accounts.claimsOf(accountId)));
    }
    if (!scopes.includes('openid')) return;
    payload.aud = [String(payload.aud), `${issuer}userinfo`];
    payload.grant = grantId;
  };
}

/** Creates the configured oidc-provider. */
export function createProvider(
  options: OpenIdProviderOptions & { readonly renderPage: DrawPage },
  keys: ProviderKeys,
  clients: ClientDirectory,
  apis: ApiDirectory,
  cookies: CookieOptions,
): Provider {
  const { path: _, ...short } = cookies;
  const provider = new Provider(options.issuer, {
    adapter: createAdapter(options.store.payloads, options.clients),
    extraClientMetadata: { properties: [WEB_ORIGINS, PKCE_OPTIONAL, REFRESH_LIFE, SCOPES] },
    jwks: { keys: [...keys.signing] } as JWKS,
    routes: ROUTES,
    features: features(apis, options.renderPage),
    claims: CLAIMS,
    acrValues: [...acrValues(options.acceptsKeys)],
    scopes: [...OIDC_SCOPES],
    responseTypes: ['code', 'id_token', 'id_token token'],
    // Auth0 puts profile and email into the ID token; the OIDC default would send clients to /userinfo.
    conformIdTokenClaims: false,
    enabledJWA: {
      idTokenSigningAlgValues: ['ES256', 'RS256'],
      clientAuthSigningAlgValues: ['ES256', 'RS256', 'PS256'],
      dPoPSigningAlgValues: ['ES256', 'RS256', 'PS256', 'Ed25519'],
    },
    pkce: { required: (_ctx, client) => isPkceRequired(client) },
    findAccount: createFindAccount(options.accounts, clients),
    rotateRefreshToken: true,
    // OIDC Core 3.1.2.1: REQUIRED, also of a client that has one address only.
    allowOmittingSingleRegisteredRedirectUri: false,
    extraTokenClaims: acrOfToken,
    extraParams: {
      claims: keepDemandedAcr,
      screen_hint: sendToSignUp,
      // Auth0's name for the API of a token; apis.ts reads it.
      audience: settleScopes,
      display: refuseUnknownDisplay,
      connection: refuseUnknownConnection,
      ...legacyParams,
      organization: refuseUnknownOrganization(options.findOrganization),
      subtenantId: refuseUnknownOrganization(options.findOrganization),
    },
    loadExistingGrant: createLoadExistingGrant(clients, options.consents),
    interactions: {
      policy: createPolicy(clients, options),
      url: (_ctx, { uid }) => `${options.interactionPath}/${uid}`,
    },
    clientBasedCORS: (_ctx, origin, client) => mayReadFrom(client, origin),
    clientAuthMethods: ['none', 'client_secret_basic', 'client_secret_post', 'private_key_jwt'],
    assertJwtClientAuthClaimsAndHeader: assertClientAssertion,
    ...(options.fetch && { fetch: options.fetch }),
    fetchResponseBodyLimits: { jwks_uri: LONGEST_KEY_SET },
    cookies: {
      keys: [...keys.cookies],
      // `__Host-`: browsers refuse the cookie from a sibling host or over http (security R24).
      names: { session: cookies.secure ? '__Host-idp_session' : 'idp_session' },
      long: cookies,
      // No path here: the provider limits it per interaction, which keeps parallel tabs apart.
      short,
    },
    formats: { customizers: { jwt: createApiTokenClaims(options) } },
    ttl: lives(options.sessionLife),
    renderError: (ctx, _out, error) => showRefusal(ctx, error, options),
  });
  compareClientSecrets(provider, isClientSecret);
  allowLocalImplicitClients(provider, isLocalPage);
  restrictIdTokenHints(provider, isIdToken);
  deriveRefreshTokenIds(provider, createSuccessorOf(keys.cookies[0] ?? ''));
  keepSessionIds(provider);
  nameSessions(provider);
  changeAuthorizationResponse(provider, leaveOutIdToken);
  queueLogoutNotices(provider, ({ accountId, clientId, sid }) =>
    options.events.sessionEnded({ accountId, clients: [{ clientId, sid }] }),
  );
  // TLS may be terminated in front of this server; mount.ts sets the header by the issuer's scheme.
  provider.proxy = true;
  // mount.ts logs; Koa would print to the console as well.
  provider.silent = true;
  return provider;
}
