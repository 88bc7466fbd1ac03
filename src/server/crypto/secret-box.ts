import {
  createCipheriv,
  createDecipheriv,
  createHash,
  createHmac,
  createSecretKey,
  hkdfSync,
  type KeyObject,
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

/** What is kept sealed in the database; `re-encrypt.ts` knows where each of them lies. */
export type EncryptionPurpose =
  | 'server-key'
  | 'outbox'
  | 'demo-module-key'
  | 'client-request'
  | 'audit-key'
  | 'survey-answer'
  | 'answered-form';

export type SecretBox = {
  /** HMAC-SHA-256 under a key of its own for each purpose. */
  hmac(purpose: string, text: string): string;
  /** The same under every secret that is still read, the present one first: to find what was written under any of them. */
  hmacs(purpose: string, text: string): readonly string[];
  /** Whether a code is that of the text, be it from before the secret was changed. Takes constant time. */
  verifyHmac(purpose: string, text: string, mac: string): boolean;
  encrypt(purpose: EncryptionPurpose, text: string): string;
  /** @throws Error when the text was sealed under none of our secrets, or for another purpose. */
  decrypt(purpose: EncryptionPurpose, sealed: string): string;
  /** Whether the text is sealed under the present secret, so that no earlier one is needed for it. */
  isEncryptedWithCurrent(purpose: EncryptionPurpose, sealed: string): boolean;
};

type Secret = {
  hmac(purpose: string, text: string): string;
  encrypt(purpose: string, text: string): string;
  decrypt(purpose: string, sealed: string): string;
};

/** Every key comes from a configured secret by HKDF (RFC 5869), one a purpose. */
function createSecret(secret: string): Secret {
  const keys = new Map<string, KeyObject>();
  const keyFor = (purpose: string): KeyObject => {
    const known = keys.get(purpose);
    if (known) return known;
    const bytes = hkdfSync('sha256', secret, 'porchlight', purpose, 32);
    // With bare bytes Node makes such an object for each use, which takes six times as long as the use.
    const key = createSecretKey(new Uint8Array(bytes));
    keys.set(purpose, key);
    return key;
  };
  return {
    hmac: (purpose, text) => createHmac('sha256', keyFor(purpose)).update(text).digest('base64url'),
    encrypt(purpose, text) {
      const iv = randomBytes(12);
      const cipher = createCipheriv('aes-256-gcm', keyFor(purpose), iv);
      const body = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]);
      return Buffer.concat([iv, cipher.getAuthTag(), body]).toString('base64url');
    },
    decrypt(purpose, sealed) {
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

/** Writes under the secret; reads under it and under the ones before it (decision 050). */
export function createSecretBox(secret: string, previous: readonly string[] = []): SecretBox {
  const present = createSecret(secret);
  const readable = [present, ...previous.map(createSecret)];
  return {
    hmac: present.hmac,
    hmacs: (purpose, text) => readable.map((one) => one.hmac(purpose, text)),
    encrypt: present.encrypt,
    verifyHmac(purpose, text, mac) {
      const matches = readable.map((one) => isSame(one.hmac(purpose, text), mac));
      return matches.includes(true);
    },
    decrypt(purpose, sealed) {
      for (const one of readable) {
        try {
          return one.decrypt(purpose, sealed);
        } catch {
          // Perhaps under the next one.
        }
      }
      throw new Error(`A sealed ${purpose} opens with none of the secrets.`);
    },
    isEncryptedWithCurrent(purpose, sealed) {
      try {
        present.decrypt(purpose, sealed);
        return true;
      } catch {
        return false;
      }
    },
  };
}
