import {
  createCipheriv,
  createDecipheriv,
  createHash,
  createHmac,
  hkdfSync,
  randomBytes,
  timingSafeEqual,
} from 'node:crypto';

/** A bearer secret of 256 random bits, safe in a URL and a cookie. */
export function randomToken(): string {
  return randomBytes(32).toString('base64url');
}

/** An id of 128 random bits that nobody can guess. */
export function randomId(): string {
  return randomBytes(16).toString('base64url');
}

/** What is stored of a bearer secret (256 bits need no salt and no slow hash, security S11). */
export function hashToken(token: string): string {
  return createHash('sha256').update(token).digest('base64url');
}

/** Compares in constant time. */
export function isSame(a: string, b: string): boolean {
  return timingSafeEqual(
    createHash('sha256').update(a).digest(),
    createHash('sha256').update(b).digest(),
  );
}

export type Keyring = {
  /** HMAC-SHA-256 under a key of its own for each purpose. */
  mac(purpose: string, text: string): string;
  seal(purpose: string, text: string): string;
  /** @throws Error when the text was not sealed under this secret and purpose. */
  unseal(purpose: string, sealed: string): string;
};

/** Every server-side key comes from the one configured secret by HKDF (RFC 5869), one a purpose. */
export function createKeyring(secret: string): Keyring {
  const keys = new Map<string, Buffer>();
  const keyFor = (purpose: string): Buffer => {
    const known = keys.get(purpose);
    if (known) return known;
    const key = Buffer.from(hkdfSync('sha256', secret, 'porchlight', purpose, 32));
    keys.set(purpose, key);
    return key;
  };
  return {
    mac: (purpose, text) => createHmac('sha256', keyFor(purpose)).update(text).digest('base64url'),
    seal(purpose, text) {
      const iv = randomBytes(12);
      const cipher = createCipheriv('aes-256-gcm', keyFor(purpose), iv);
      const body = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]);
      return Buffer.concat([iv, cipher.getAuthTag(), body]).toString('base64url');
    },
    unseal(purpose, sealed) {
      const bytes = Buffer.from(sealed, 'base64url');
      const decipher = createDecipheriv('aes-256-gcm', keyFor(purpose), bytes.subarray(0, 12));
      decipher.setAuthTag(bytes.subarray(12, 28));
      return Buffer.concat([decipher.update(bytes.subarray(28)), decipher.final()]).toString(
        'utf8',
      );
    },
  };
}
