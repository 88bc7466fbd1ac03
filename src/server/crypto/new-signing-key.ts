import { randomBytes, randomUUID } from 'node:crypto';
import { exportJWK, generateKeyPair, type JWK } from 'jose';
import type { KeyUse } from '../db/schema.ts';

/**
 * ES256 costs a quarter of RS256 (performance S6); RS256 is for clients that support nothing else, such as auth0-js.
 */
const ALGORITHM: Record<Exclude<KeyUse, 'cookies'>, 'ES256' | 'RS256'> = {
  es256: 'ES256',
  rs256: 'RS256',
  handoff: 'ES256',
};

/** Generates a private key for a use, as a JWK with its own id. */
export async function generateSigningKey(use: KeyUse): Promise<JWK & { kid: string }> {
  const kid = randomUUID();
  if (use === 'cookies') return { kty: 'oct', kid, k: randomBytes(32).toString('base64url') };
  const alg = ALGORITHM[use];
  const { privateKey } = await generateKeyPair(alg, { extractable: true });
  return { ...(await exportJWK(privateKey)), kid, alg, use: 'sig' };
}
