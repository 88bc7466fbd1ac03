/** The keys that sign ID tokens: made once, stored sealed, shared by all instances (decisions 1.4). */

import { randomUUID } from 'node:crypto';
import { exportJWK, generateKeyPair } from 'jose';
import type { JWK } from 'jose';
import { seal, unseal } from './derived-keys.ts';
import type { ProviderStore, StoredKey } from './ports.ts';

/** ES256 for our own portal (performance S6), RS256 for clients that know nothing else, such as auth0-js. */
const ALGORITHMS = ['ES256', 'RS256'] as const;

async function newKey(alg: string, sealing: Buffer, now: Date): Promise<StoredKey> {
  const { privateKey } = await generateKeyPair(alg, { extractable: true });
  const kid = randomUUID();
  const jwk: JWK = { ...(await exportJWK(privateKey)), kid, alg, use: 'sig' };
  return { kid, alg, sealed: seal(sealing, kid, JSON.stringify(jwk)), createdAt: now };
}

function open(key: StoredKey, sealing: Buffer): JWK {
  try {
    return JSON.parse(unseal(sealing, key.kid, key.sealed)) as JWK;
  } catch (cause) {
    throw new Error(
      'The stored signing keys do not open with this secret. Was it changed since the first start?',
      {
        cause,
      },
    );
  }
}

/**
 * Reads the keys, and makes the missing ones on a first start. Two instances that start at once both try;
 * the database lets one key per algorithm in, and both then read that one.
 */
export async function loadSigningKeys(
  store: ProviderStore['keys'],
  sealing: Buffer,
  now: Date,
): Promise<JWK[]> {
  const found = await store.list();
  const missing = ALGORITHMS.filter((alg) => !found.some((key) => key.alg === alg));
  await Promise.all(missing.map(async (alg) => store.insertFirst(await newKey(alg, sealing, now))));
  const keys = missing.length > 0 ? await store.list() : found;
  return keys.map((key) => open(key, sealing));
}
