import { type CryptoKey, importJWK, type JWK } from 'jose';
import type { Key } from '../crypto/signing-keys.ts';

export type SigningKey = {
  readonly kid: string;
  readonly privateKey: CryptoKey;
  readonly publicKey: CryptoKey;
  readonly publicJwk: JWK;
};

export type HandOffKeys = ReturnType<typeof createHandOffKeys>;

/** Returns the hand-off's keys, ready for use; each is imported once. */
export function createHandOffKeys(currentKeys: () => readonly Key[]) {
  const imported = new Map<string, Promise<SigningKey>>();

  const ready = ({ kid, jwk }: Key): Promise<SigningKey> => {
    const known = imported.get(kid) ?? importKey(kid, jwk);
    imported.set(kid, known);
    return known;
  };

  return {
    /** Returns the signing key, then all others that verify or soon will. */
    current(): Promise<readonly SigningKey[]> {
      const keys = currentKeys();
      for (const kid of imported.keys()) {
        if (!keys.some((key) => key.kid === kid)) imported.delete(kid);
      }
      return Promise.all(keys.map(ready));
    },
  };
}

async function importKey(kid: string, jwk: JWK): Promise<SigningKey> {
  const { d: _private, ...publicJwk } = jwk;
  return {
    kid,
    privateKey: (await importJWK(jwk)) as CryptoKey,
    publicKey: (await importJWK(publicJwk)) as CryptoKey,
    publicJwk,
  };
}
