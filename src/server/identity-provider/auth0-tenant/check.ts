import { fill } from '#locales/fill.ts';
import { tenantCheck as texts } from '#locales/operator/tenant-check.ts';
import { randomToken } from '../../crypto/secret-box.ts';
import type { TenantConfig } from '../../config/auth0-tenant-config.ts';
import type { TenantApi } from './api.ts';
import type { TenantUsers } from './users.ts';

export type Check = {
  /** The check, by the name of its text. */
  readonly check: keyof typeof texts;
  readonly what: string;
  /** The fix; `null`: none needed. */
  readonly fix: string | null;
  /** Sign-in works without it. */
  readonly isMinor: boolean;
};

type Fetch = (url: string, init?: RequestInit) => Promise<Response>;

type Deps = {
  readonly tenant: TenantConfig;
  readonly publicUrl: string;
  readonly api: TenantApi;
  readonly users: TenantUsers;
  readonly fetch: Fetch;
  /** The machine's clock, in milliseconds, which tokens use. */
  readonly now: () => number;
};

const TIMEOUT_MS = 5000;
const LEEWAY_SECONDS = 60;
const SCOPES = ['read:users', 'create:users', 'update:users', 'read:connections'];
const MINOR_SCOPES = ['delete:sessions', 'delete:refresh_tokens'];
/** An address without an account: the password checks test our rights, not a user. */
const NOBODY = 'nobody@check.porchlight.invalid';

/** Checks the tenant for sign-in, sign-up and reset. Changes nothing there. */
export async function checkTenant(deps: Deps): Promise<readonly Check[]> {
  const { tenant, publicUrl } = deps;
  const { base } = tenant;
  const get = (path: string, init: RequestInit = {}) =>
    deps.fetch(`${base}${path}`, {
      redirect: 'manual',
      signal: AbortSignal.timeout(TIMEOUT_MS),
      ...init,
    });
  const check = async (
    name: keyof typeof texts,
    fix: string,
    test: () => Promise<boolean>,
    isMinor = false,
  ): Promise<Check> => {
    const isGood = await test().catch(() => false);
    const what = fill(texts[name], { realm: tenant.realm });
    return { check: name, what, fix: isGood ? null : fix, isMinor };
  };

  const metadata = await get('.well-known/openid-configuration').catch(() => null);
  if (!metadata?.ok) {
    const { metadata: what, unreachable: fix } = texts;
    return [{ check: 'metadata', what, fix, isMinor: false }];
  }
  const { issuer } = (await metadata.json().catch(() => ({}))) as { issuer?: string };
  const skew = Math.round(
    Math.abs(Date.parse(metadata.headers.get('date') ?? '') - deps.now()) / 1000,
  );
  const scopes = await deps.api.scopes().catch(() => null);
  const missing = (wanted: readonly string[]) =>
    wanted.filter((scope) => !(scopes ?? []).includes(scope));
  const signedOut = `${publicUrl}/account/Signout?hosted=done`;

  return Promise.all([
    check(
      'metadata',
      fill(texts.metadataFix, { found: String(issuer) }),
      async () => issuer === tenant.issuer,
    ),
    check('clock', fill(texts.clockFix, { seconds: skew }), async () => !(skew > LEEWAY_SECONDS)),
    check('keys', texts.keysFix, async () => {
      const { keys } = (await (await get('.well-known/jwks.json')).json()) as {
        keys: readonly { kty?: string }[];
      };
      return keys.some(({ kty }) => kty === 'RSA');
    }),
    check('callback', fill(texts.callbackFix, { url: `${publicUrl}/account/Redirect` }), async () =>
      (await (await get(authorizePath(tenant, publicUrl))).text()).includes(SILENT_NO),
    ),
    check('origin', fill(texts.originFix, { origin: publicUrl }), async () => {
      const { headers } = await get('co/authenticate', {
        method: 'OPTIONS',
        headers: {
          origin: publicUrl,
          'access-control-request-method': 'POST',
          'access-control-request-headers': 'content-type',
        },
      });
      return (
        headers.get('access-control-allow-origin') === publicUrl &&
        headers.get('access-control-allow-credentials') === 'true'
      );
    }),
    check('crossOrigin', texts.crossOriginFix, async () => {
      const answer = await get('co/authenticate', passwordOfNobody(tenant, publicUrl));
      const { error } = (await answer.json()) as { error?: string };
      return answer.status === 403 && error === 'access_denied';
    }),
    check('logout', fill(texts.logoutFix, { url: signedOut }), async () => {
      const query = new URLSearchParams({ client_id: tenant.clientId, returnTo: signedOut });
      const { headers } = await get(`v2/logout?${String(query)}`);
      return headers.get('location') === signedOut;
    }),
    check('backend', texts.backendFix, async () => scopes !== null),
    check(
      'scopes',
      fill(texts.scopesFix, { scopes: missing(SCOPES).join(', ') }),
      async () => missing(SCOPES).length === 0,
    ),
    check(
      'sessions',
      fill(texts.sessionsFix, { scopes: missing(MINOR_SCOPES).join(', ') }),
      async () => missing(MINOR_SCOPES).length === 0,
      true,
    ),
    check('connection', texts.connectionFix, async () => (await deps.users.connection()) !== null),
    check(
      'signUps',
      texts.signUpsFix,
      async () => (await deps.users.connection())?.isSignUpOff === true,
    ),
    check('users', texts.usersFix, async () => (await deps.users.find(NOBODY)) === null),
    check('oldPassword', texts.oldPasswordFix, async () => {
      const isRight = await deps.api.isPassword(NOBODY, randomToken(), '127.0.0.1');
      return isRight !== true;
    }),
    check('site', texts.siteFix, async () => siteOf(base) === siteOf(publicUrl), true),
  ]);
}

/** The response to a silent check without a session, when the tenant's settings are right. */
const SILENT_NO = 'login_required';

function authorizePath(tenant: TenantConfig, publicUrl: string): string {
  const query = new URLSearchParams({
    client_id: tenant.clientId,
    response_type: 'code',
    redirect_uri: `${publicUrl}/account/Redirect`,
    scope: 'openid',
    state: randomToken(),
    nonce: randomToken(),
    code_challenge: randomToken(),
    code_challenge_method: 'S256',
    prompt: 'none',
    response_mode: 'web_message',
    ...(tenant.organization && { organization: tenant.organization }),
  });
  return `authorize?${String(query)}`;
}

function passwordOfNobody(tenant: TenantConfig, publicUrl: string): RequestInit {
  return {
    method: 'POST',
    headers: { 'content-type': 'application/json', origin: publicUrl },
    body: JSON.stringify({
      client_id: tenant.clientId,
      credential_type: 'http://auth0.com/oauth/grant-type/password-realm',
      realm: tenant.realm,
      username: NOBODY,
      password: randomToken(),
    }),
  };
}

/** Returns the site of a URL, for a hint: the last two labels of its host name, or the whole IP address. */
function siteOf(url: string): string {
  const { hostname } = new URL(url);
  return /^[\d.]+$|:/.test(hostname) ? hostname : hostname.split('.').slice(-2).join('.');
}

/** Returns the checks as lines and as rows for programs, and how many need a fix. */
export function report(base: string, checks: readonly Check[]) {
  const lines = checks.map(({ what, fix, isMinor }) => {
    if (fix === null) return fill(texts.good, { what });
    return isMinor ? fill(texts.note, { what, fix }) : fill(texts.bad, { what, fix });
  });
  const rows = checks.map(({ check, what, fix, isMinor }) => {
    const state = fix === null ? 'ok' : isMinor ? 'warning' : 'fault';
    return { check, state, what, mend: fix ?? '' };
  });
  const count = rows.filter(({ state }) => state === 'fault').length;
  const end = count === 0 ? texts.allGood : fill(texts.faults, { count });
  return { lines: [fill(texts.checking, { base }), ...lines, end], rows, count };
}
