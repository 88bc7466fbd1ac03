import {
  calculateJwkThumbprint,
  exportJWK,
  generateKeyPair,
  importJWK,
  type CryptoKey,
  type JWK,
} from 'jose';
import type { Kit } from '../kit.ts';

export type SigningKey = {
  readonly kid: string;
  readonly privateKey: CryptoKey;
  readonly publicKey: CryptoKey;
  readonly publicJwk: JWK;
};

const ALGORITHM = 'ES256';
const SEAL = 'signing-key';

/** A purpose's signing key: made at the first start, kept sealed in the database, shared by all instances. */
export async function loadSigningKey(
  { db, clock, keyring }: Pick<Kit, 'db' | 'clock' | 'keyring'>,
  purpose: string,
): Promise<SigningKey> {
  const find = () =>
    db.selectFrom('signing_keys').selectAll().where('purpose', '=', purpose).executeTakeFirst();
  if (!(await find())) {
    const { privateKey } = await generateKeyPair(ALGORITHM, { extractable: true });
    const jwk = await exportJWK(privateKey);
    await db
      .insertInto('signing_keys')
      .values({
        kid: await calculateJwkThumbprint(jwk),
        purpose,
        sealed: keyring.seal(SEAL, JSON.stringify(jwk)),
        created_at: clock.now(),
      })
      // Two instances at their first start: the one that comes second takes the first one's key.
      .onConflict((conflict) => conflict.column('purpose').doNothing())
      .execute();
  }
  const row = await find();
  if (!row) throw new Error(`No signing key for ${purpose}`);
  const jwk = JSON.parse(keyring.unseal(SEAL, row.sealed)) as JWK;
  const { d: _private, ...publicPart } = jwk;
  return {
    kid: row.kid,
    privateKey: (await importJWK(jwk, ALGORITHM)) as CryptoKey,
    publicKey: (await importJWK(publicPart, ALGORITHM)) as CryptoKey,
    publicJwk: { ...publicPart, kid: row.kid, alg: ALGORITHM, use: 'sig' },
  };
}
