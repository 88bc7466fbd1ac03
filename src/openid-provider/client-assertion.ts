/** Conditions for a client assertion beyond a valid signature (RFC 7523; RFC 8725, 3.11). */

import { errors } from 'oidc-provider';
import type { Configuration } from 'oidc-provider';

type Check = NonNullable<Configuration['assertJwtClientAuthClaimsAndHeader']>;

/** Seconds; the provider's own leeway. */
const LEEWAY_SECONDS = 15;
/** Seconds. The `jti` is stored for as long, so that each assertion is accepted once. */
const LONGEST_SECONDS = 60 * 60;
/** Headers for extensions that the verifier must support (RFC 7515, 4.1.11); none is supported. */
const UNSUPPORTED_HEADERS = ['crit', 'b64'];
const TYPES: readonly unknown[] = [undefined, 'JWT', 'client-authentication+jwt'];

/**
 * oidc-provider checks signature, issuer, subject, id and expiry. A client signs other tokens with the same key, and
 * for other providers: those do not authenticate it here.
 */
export const assertClientAssertion: Check = async (ctx, claims, header) => {
  const now = Date.now() / 1000;
  const { iat, exp, aud } = claims as { iat?: unknown; exp?: unknown; aud?: unknown };
  const ours = ctx.oidc.clientJwtAuthExpectedAudience();
  const isRight =
    !UNSUPPORTED_HEADERS.some((name) => name in header) &&
    TYPES.includes(header.typ) &&
    // `iat` is optional (RFC 7523).
    (iat === undefined || Number(iat) <= now + LEEWAY_SECONDS) &&
    Number(exp) <= now + LONGEST_SECONDS &&
    [aud].flat().every((party) => ours.has(String(party)));
  if (!isRight) throw new errors.InvalidClientAuth('the client_assertion is not for this provider');
};
