/** What a client that proves itself with its own key has to show beside a right signature (RFC 7523, RFC 8725 3.11). */

import { errors } from 'oidc-provider';
import type { Configuration } from 'oidc-provider';

type Check = NonNullable<Configuration['assertJwtClientAuthClaimsAndHeader']>;

/** Seconds; the provider's own leeway. */
const LEEWAY_SECONDS = 15;
/** Its id is kept for as long, so that it proves its client once. */
const LONGEST_SECONDS = 60 * 60;
/** Asks for something to be understood that nobody here does (RFC 7515 4.1.11); other names are none of our business. */
const NOT_UNDERSTOOD = ['crit', 'b64'];
const TYPES: readonly unknown[] = [undefined, 'JWT', 'client-authentication+jwt'];

/**
 * The provider looks at signature, issuer, subject, id and end. A client signs other things with the same key, and for
 * other providers: those are no proof here.
 */
export const assertClientAssertion: Check = async (ctx, claims, header) => {
  const now = Date.now() / 1000;
  const { iat, exp, aud } = claims as { iat?: unknown; exp?: unknown; aud?: unknown };
  const ours = ctx.oidc.clientJwtAuthExpectedAudience();
  const isRight =
    !NOT_UNDERSTOOD.some((name) => name in header) &&
    TYPES.includes(header.typ) &&
    // RFC 7523 leaves it to the client whether to say when.
    (iat === undefined || Number(iat) <= now + LEEWAY_SECONDS) &&
    Number(exp) <= now + LONGEST_SECONDS &&
    [aud].flat().every((party) => ours.has(String(party)));
  if (!isRight) throw new errors.InvalidClientAuth('the client_assertion is not for this provider');
};
