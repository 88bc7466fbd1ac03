/** Conditions for an `id_token_hint` beyond a valid signature, at sign-out and at authorization. */

import { decodeJwt, decodeProtectedHeader } from 'jose';

/** Seconds; the leeway of API-05. */
const LEEWAY_SECONDS = 60;
const HEADER: readonly string[] = ['alg', 'kid', 'typ'];

/**
 * Returns whether a token with a valid signature is an ID token: no access token, no logout token, no header with
 * extensions (RFC 8725, 3.11). It may have expired but must have an expiry.
 */
export function isIdToken(token: string): boolean {
  const header = decodeProtectedHeader(token);
  const { iat, exp, events } = decodeJwt(token);
  return (
    Object.keys(header).every((name) => HEADER.includes(name)) &&
    (header.typ === undefined || header.typ === 'JWT') &&
    typeof exp === 'number' &&
    typeof iat === 'number' &&
    iat <= Date.now() / 1000 + LEEWAY_SECONDS &&
    events === undefined
  );
}
