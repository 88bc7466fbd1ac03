/** The backend's half of the code flow (ARC-06, SES-02; token errors: API-05). Tokens never leave this file. */

import { createHash } from 'node:crypto';
import { decodeProtectedHeader } from 'jose';
import * as oidc from 'openid-client';
import type { ProviderIdentity } from '../identity-provider/port.ts';
import { isThisMachine } from '../config/auth0-tenant-config.ts';
import { hashToken } from '../crypto/secret-box.ts';
import { AppError } from '../http/app-error.ts';

export type CodeExchangeOptions = {
  readonly issuer: string;
  /**
   * For a real tenant: the address for browsers, which may differ from the issuer; its endpoints are at Auth0's paths.
   */
  readonly tenantBase?: string;
  /** Seconds, for a tenant (security R22): its session may be no older than one of ours. */
  readonly maxAgeSeconds?: number;
  /** The tenant's database connection, which holds the passwords. */
  readonly realm?: string;
  readonly clientId: string;
  readonly redirectUri: string;
  /** When given, the ID token's `org_id` must be this. */
  readonly organization?: string;
  readonly audience?: string;
  /** For a provider in this process: `wiring/` passes the loopback fetch. */
  readonly fetch?: oidc.CustomFetch;
  /** Milliseconds for each call of the provider. */
  readonly timeoutMs: number;
};

/** The values that the server keeps in its sign-in attempt between the two steps. */
export type CodeExpectation = {
  readonly state: string;
  readonly nonce: string;
  readonly codeVerifier: string;
};

export type BegunExchange = {
  readonly authorizeUrl: string;
} & CodeExpectation;

export type ExchangeResult =
  | { readonly kind: 'ok'; readonly identity: ProviderIdentity }
  /** The provider refused, or a check failed; `message` is the text of API-05 where there is one. */
  | { readonly kind: 'refused'; readonly error: string; readonly message: string }
  /** The provider was unreachable or failed; worth a retry. */
  | { readonly kind: 'unavailable'; readonly message: string };

export type CodeExchange = ReturnType<typeof createCodeExchange>;

/** API-05. */
const SCOPE = 'openid profile email offline_access';
const LEEWAY_SECONDS = 60;

const refused = (error: string, message: string): ExchangeResult => ({
  kind: 'refused',
  error,
  message,
});

/** Returns Auth0's wording for a claim with an unexpected value. */
const mismatch = (claim: string, expected: string, found: unknown): string =>
  `${claim} claim value mismatch in the ID token; expected "${expected}", found "${String(found)}"`;

function isLocal(issuer: URL): boolean {
  return issuer.protocol === 'http:' && isThisMachine(issuer.hostname);
}

/** Configured without discovery, so that the server starts while a tenant is down. */
function ofTenant(options: CodeExchangeOptions, base: string): oidc.Configuration {
  const { issuer, clientId, fetch, timeoutMs } = options;
  const config = new oidc.Configuration(
    {
      issuer,
      authorization_endpoint: `${base}authorize`,
      token_endpoint: `${base}oauth/token`,
      jwks_uri: `${base}.well-known/jwks.json`,
    },
    clientId,
    // HS256 would be signed with the client's own secret: no signature at all for a public client.
    { [oidc.clockTolerance]: LEEWAY_SECONDS, id_token_signed_response_alg: 'RS256' },
    oidc.None(),
  );
  config.timeout = timeoutMs / 1000;
  if (fetch) config[oidc.customFetch] = fetch;
  if (isLocal(new URL(base))) oidc.allowInsecureRequests(config);
  oidc.enableNonRepudiationChecks(config);
  return config;
}

async function discover(options: CodeExchangeOptions): Promise<oidc.Configuration> {
  const { issuer, clientId, fetch, tenantBase, timeoutMs } = options;
  if (tenantBase) return ofTenant(options, tenantBase);
  const server = new URL(issuer);
  const config = await oidc.discovery(
    server,
    clientId,
    { [oidc.clockTolerance]: LEEWAY_SECONDS },
    oidc.None(),
    {
      timeout: timeoutMs / 1000,
      ...(fetch ? { [oidc.customFetch]: fetch } : {}),
      // The demo runs without TLS on this machine only.
      execute: isLocal(server) ? [oidc.allowInsecureRequests] : [],
    },
  );
  // Checks the signature too, although the token comes straight from the provider (security R30).
  oidc.enableNonRepudiationChecks(config);
  return config;
}

/** Errors of the network or the provider; all other errors of openid-client are failed checks. */
const PROVIDER_FAULTS: readonly unknown[] = [
  'OAUTH_TIMEOUT',
  'OAUTH_ABORT',
  'OAUTH_RESPONSE_IS_NOT_CONFORM',
  'OAUTH_RESPONSE_IS_NOT_JSON',
];

export const isProviderFault = (error: unknown) =>
  !(error instanceof oidc.ClientError && error.code && !PROVIDER_FAULTS.includes(error.code));

/** Returns the nonce of the token, when that was the comparison that failed. */
function foundNonce(error: oidc.ClientError): { value: unknown } | undefined {
  const details = (error.cause as Error | undefined)?.cause as
    | { claim?: unknown; claims?: Record<string, unknown> }
    | undefined;
  return details?.claim === 'nonce' ? { value: details.claims?.nonce } : undefined;
}

/** Returns false for a tenant that is busy or broken: it has not judged the code. */
const isRefusal = (status: number) => status < 500 && status !== 429;

function toResult(error: unknown, expected: CodeExpectation): ExchangeResult {
  if (error instanceof oidc.ResponseBodyError && isRefusal(error.status)) {
    return refused(error.error, error.error_description ?? error.error);
  }
  if (error instanceof oidc.ClientError && error.code && !PROVIDER_FAULTS.includes(error.code)) {
    const nonce = foundNonce(error);
    return refused(
      'invalid_token',
      nonce ? mismatch('Nonce (nonce)', expected.nonce, nonce.value) : error.message,
    );
  }
  return { kind: 'unavailable', message: error instanceof Error ? error.message : String(error) };
}

function toIdentity(claims: oidc.IDToken): ProviderIdentity {
  const text = (value: unknown): string | undefined =>
    typeof value === 'string' ? value : undefined;
  return {
    sub: claims.sub,
    amr: Array.isArray(claims.amr) ? claims.amr.filter((method) => typeof method === 'string') : [],
    authTime: claims.auth_time,
    sid: text(claims.sid),
    email: text(claims.email),
    isEmailVerified: claims.email_verified === true,
    orgId: text(claims.org_id),
  };
}

/** Checks what openid-client leaves open: kind of token, time of issue, and the access token's hash. */
export function flawOf(tokens: oidc.TokenEndpointResponse, claims: oidc.IDToken): string | null {
  const { typ } = decodeProtectedHeader(tokens.id_token ?? '');
  // RFC 8725, 3.11: access and logout tokens of the same issuer are signed with the same keys.
  if ((typ !== undefined && typ !== 'JWT') || claims.events !== undefined) {
    return 'The token is no ID token.';
  }
  if (claims.iat > Date.now() / 1000 + LEEWAY_SECONDS) {
    return 'Issued At (iat) claim must be in the past in the ID token.';
  }
  if (claims.at_hash !== undefined && claims.at_hash !== halfHash(tokens.access_token)) {
    return 'Access token hash (at_hash) claim mismatch in the ID token.';
  }
  return null;
}

/** OpenID Connect Core 3.1.3.6, for the algorithms that hash with SHA-256. */
function halfHash(token: string): string {
  return createHash('sha256').update(token).digest().subarray(0, 16).toString('base64url');
}

/** Creates the code exchange for the embedded provider and a real Auth0 tenant. */
export function createCodeExchange(options: CodeExchangeOptions) {
  const { redirectUri, organization, audience, realm } = options;
  // Auth0 sends `auth_time` only in answer to a `max_age` (OIDC Core 3.1.2.1).
  const maxAge = options.maxAgeSeconds;
  let discovered: Promise<oidc.Configuration> | undefined;

  /** Discovered once, on first use; a failure is not cached. */
  function configuration(): Promise<oidc.Configuration> {
    discovered ??= discover(options).catch((error: unknown) => {
      discovered = undefined;
      throw error;
    });
    return discovered;
  }

  async function redeem(code: string, expected: CodeExpectation): Promise<ExchangeResult> {
    const config = await configuration();
    const answer = new URL(redirectUri);
    // `iss` tells a client of several providers which one answered (RFC 9207); here there is one, and the browser
    // accepts the message only from its origin.
    answer.search = String(
      new URLSearchParams({ code, state: expected.state, iss: config.serverMetadata().issuer }),
    );
    const tokens = await oidc.authorizationCodeGrant(config, answer, {
      pkceCodeVerifier: expected.codeVerifier,
      expectedState: expected.state,
      expectedNonce: expected.nonce,
      idTokenExpected: true,
      ...(maxAge !== undefined && { maxAge }),
    });
    const claims = tokens.claims();
    if (!claims) return refused('invalid_token', 'The answer has no ID token.');
    const flaw = flawOf(tokens, claims);
    if (flaw) return refused('invalid_token', flaw);
    if (organization !== undefined && claims.org_id !== organization) {
      return refused(
        'invalid_token',
        mismatch('Organization Id (org_id)', organization, claims.org_id),
      );
    }
    return { kind: 'ok', identity: toIdentity(claims) };
  }

  return {
    /** Fetches the provider's keys again at the next exchange; otherwise an unknown key causes a fetch once a minute. */
    forgetKeys(): void {
      discovered = undefined;
    },

    async begin(): Promise<BegunExchange> {
      // The first exchange runs discovery; without a database it fails as well.
      const config = await configuration().catch((error: unknown) => {
        if (!isProviderFault(error)) throw error;
        throw Object.assign(new AppError('UNAVAILABLE'), { cause: error });
      });
      const [state, nonce, codeVerifier] = [
        oidc.randomState(),
        oidc.randomNonce(),
        oidc.randomPKCECodeVerifier(),
      ];
      const url = oidc.buildAuthorizationUrl(config, {
        redirect_uri: redirectUri,
        scope: SCOPE,
        state,
        nonce,
        // RFC 7636, 4.2.
        code_challenge: hashToken(codeVerifier),
        code_challenge_method: 'S256',
        prompt: 'none',
        response_mode: 'web_message',
        ...(organization ? { organization } : {}),
        ...(audience ? { audience } : {}),
        ...(realm ? { realm } : {}),
        ...(maxAge === undefined ? {} : { max_age: String(maxAge) }),
      });
      return { state, nonce, codeVerifier, authorizeUrl: url.href };
    },

    async exchange(answer: {
      readonly code: string;
      readonly state: string;
      readonly expected: CodeExpectation;
    }): Promise<ExchangeResult> {
      const { code, state, expected } = answer;
      if (state !== expected.state) return refused('invalid_token', '`state` does not match.');
      try {
        return await redeem(code, expected);
      } catch (error) {
        return toResult(error, expected);
      }
    },
  };
}
