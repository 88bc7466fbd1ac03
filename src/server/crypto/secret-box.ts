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

/** What is kept sealed in the database; `keys/reseal.ts` knows where each of them lies. */
export type SealPurpose = 'server-key' | 'outbox' | 'demo-module-key' | 'client-request';

export type Keyring = {
  /** HMAC-SHA-256 under a key of its own for each purpose. */
  mac(purpose: string, text: string): string;
  /** The same under every secret that is still read, the present one first: to find what was written under any of them. */
  macs(purpose: string, text: string): readonly string[];
  /** Whether a code is that of the text, be it from before the secret was changed. Takes constant time. */
  isMac(purpose: string, text: string, mac: string): boolean;
  seal(purpose: SealPurpose, text: string): string;
  /** @throws Error when the text was sealed under none of our secrets, or for another purpose. */
  unseal(purpose: SealPurpose, sealed: string): string;
  /** Whether the text is sealed under the present secret, so that no earlier one is needed for it. */
  isSealedAnew(purpose: SealPurpose, sealed: string): boolean;
};

type Secret = {
  mac(purpose: string, text: string): string;
  seal(purpose: string, text: string): string;
  unseal(purpose: string, sealed: string): string;
};

/** Every key comes from a configured secret by HKDF (RFC 5869), one a purpose. */
function createSecret(secret: string): Secret {
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
      const options = { authTagLength: 16 };
      const iv = bytes.subarray(0, 12);
      const decipher = createDecipheriv('aes-256-gcm', keyFor(purpose), iv, options);
      decipher.setAuthTag(bytes.subarray(12, 28));
      return Buffer.concat([decipher.update(bytes.subarray(28)), decipher.final()]).toString(
        'utf8',
      );
    },
  };
}

/** Writes under the secret; reads under it and under the ones before it (docs/decisions/050). */
export function createKeyring(secret: string, previous: readonly string[] = []): Keyring {
  const present = createSecret(secret);
  const readable = [present, ...previous.map(createSecret)];
  return {
    mac: present.mac,
    macs: (purpose, text) => readable.map((one) => one.mac(purpose, text)),
    seal: present.seal,
    isMac(purpose, text, mac) {
      const matches = readable.map((one) => isSame(one.mac(purpose, text), mac));
      return matches.includes(true);
    },
    unseal(purpose, sealed) {
      for (const one of readable) {
        try {
          return one.unseal(purpose, sealed);
        } catch {
          // Perhaps under the next one.
        }
      }
      throw new Error(`A sealed ${purpose} opens with none of the secrets.`);
    },
    isSealedAnew(purpose, sealed) {
      try {
        present.unseal(purpose, sealed);
        return true;
      } catch {
        return false;
      }
    },
  };
}
