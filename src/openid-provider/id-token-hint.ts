/** What a hint at sign-out or authorization has to be beside rightly signed. Wraps a semi-public part of the provider. */

import { decodeJwt, decodeProtectedHeader } from 'jose';
import type { Provider } from 'oidc-provider';

/** Seconds; the leeway of API-05. */
const LEEWAY_SECONDS = 60;
const HEADER: readonly string[] = ['alg', 'kid', 'typ'];

/**
 * The provider looks at signature, issuer and audience; an access token, a logout token or a header with extensions
 * would pass (RFC 8725, 3.11). A hint may be over, but it has an end.
 */
export function readHintsStrictly(provider: Provider): void {
  const { IdToken } = provider;
  const validate = IdToken.validate.bind(IdToken);
  IdToken.validate = async (hint, client) => {
    if (!isIdToken(hint)) throw new Error('not an ID token');
    return validate(hint, client);
  };
}

function isIdToken(token: string): boolean {
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
