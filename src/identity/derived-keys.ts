/** One secret in the configuration, one key per purpose (HKDF, RFC 5869). */

import { createCipheriv, createDecipheriv, createHmac, hkdfSync, randomBytes } from 'node:crypto';

export interface DerivedKeys {
  /** Signs cookies. */
  readonly cookies: string;
  /** Turns bearer ids into what is stored, so that a copy of the database opens no session. */
  readonly storedIds: Buffer;
  /** Encrypts the private signing keys. */
  readonly sealing: Buffer;
}

/** Refuses a short secret: everything above is only as strong as this input (ASVS 13.3.1). */
export function deriveKeys(secret: string | Uint8Array): DerivedKeys {
  const input = typeof secret === 'string' ? Buffer.from(secret, 'utf8') : secret;
  if (input.length < 32) throw new Error('The hosted login needs a secret of at least 32 bytes.');
  const derive = (purpose: string): Buffer =>
    Buffer.from(hkdfSync('sha256', input, 'porchlight hosted login', purpose, 32));
  return {
    cookies: derive('cookies').toString('base64url'),
    storedIds: derive('stored ids'),
    sealing: derive('signing keys'),
  };
}

/** The stored form of a bearer value; `kind` keeps the ids of different things apart. */
export function storedId(key: Buffer, kind: string, value: string): string {
  return createHmac('sha256', key).update(`${kind}:${value}`).digest('base64url');
}

/** AES-256-GCM; the label is authenticated, so that one sealed text cannot stand in for another. */
export function seal(key: Buffer, label: string, text: string): string {
  const iv = randomBytes(12);
  const cipher = createCipheriv('aes-256-gcm', key, iv).setAAD(Buffer.from(label));
  const sealed = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]);
  return Buffer.concat([iv, cipher.getAuthTag(), sealed]).toString('base64url');
}

/** The reverse of `seal`; throws when key, label or text is another one. */
export function unseal(key: Buffer, label: string, text: string): string {
  const bytes = Buffer.from(text, 'base64url');
  const decipher = createDecipheriv('aes-256-gcm', key, bytes.subarray(0, 12), {
    authTagLength: 16,
  })
    .setAAD(Buffer.from(label))
    .setAuthTag(bytes.subarray(12, 28));
  return Buffer.concat([decipher.update(bytes.subarray(28)), decipher.final()]).toString('utf8');
}
