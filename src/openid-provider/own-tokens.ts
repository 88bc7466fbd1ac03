/** Verifies tokens that this provider signed itself. */

import { createLocalJWKSet, jwtVerify } from 'jose';
import type { JWK, JWTPayload } from 'jose';

export type OwnTokens = ReturnType<typeof createOwnTokens>;

/** Seconds that another instance's clock may be ahead. */
const LEEWAY_SECONDS = 60;

const ALGORITHMS = ['RS256', 'ES256'];
const PUBLIC_MEMBERS = ['kty', 'kid', 'alg', 'use', 'n', 'e', 'crv', 'x', 'y'] as const;

function publicPart(key: JWK): JWK {
  const entries = PUBLIC_MEMBERS.flatMap((name) =>
    key[name] === undefined ? [] : [[name, key[name]] as const],
  );
  return Object.fromEntries(entries) as unknown as JWK;
}

/** Creates the verifier of this provider's own tokens. */
export function createOwnTokens(issuer: string, keys: readonly JWK[]) {
  const keySet = createLocalJWKSet({ keys: keys.map(publicPart) });
  return {
    /** Returns the claims of a token of this type for this audience; null for any other token. */
    async read(
      token: string,
      { typ, audience }: { readonly typ: 'JWT' | 'at+jwt'; readonly audience: string },
    ): Promise<JWTPayload | null> {
      try {
        const options = {
          issuer,
          audience,
          algorithms: ALGORITHMS,
          requiredClaims: ['sub', 'exp', 'iat'],
        };
        const { payload, protectedHeader } = await jwtVerify(token, keySet, options);
        if (Number(payload.iat) > Date.now() / 1000 + LEEWAY_SECONDS) return null;
        // oidc-provider puts no `typ` into ID tokens and always one into access tokens (RFC 9068).
        return (protectedHeader.typ ?? 'JWT') === typ ? payload : null;
      } catch {
        return null;
      }
    },
  };
}
