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

/** Returns a bearer secret of 256 random bits, safe in a URL and a cookie. */
export function randomToken(): string {
  return randomBytes(32).toString('base64url');
}

/** Returns an unguessable id of 128 random bits. */
export function randomId(): string {
  return randomBytes(16).toString('base64url');
}

/** Returns the stored form of a bearer secret (256 bits need no salt and no slow hash, security S11). */
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

/** The kinds of encrypted values in the database; `re-encrypt.ts` has the place of each. */
export type EncryptionPurpose =
  | 'server-key'
  | 'outbox'
  | 'demo-module-key'
  | 'client-request'
  | 'audit-key'
  | 'survey-answer'
  | 'app-code'
  | 'organisation'
  | 'answered-form';

export type SecretBox = ReturnType<typeof createSecretBox>;

/** Derives every key from a configured secret by HKDF (RFC 5869), one a purpose. */
function createSecret(secret: string) {
  const keys = new Map<string, KeyObject>();
  const keyFor = (purpose: string): KeyObject => {
    const known = keys.get(purpose);
    if (known) return known;
    const bytes = hkdfSync('sha256', secret, 'porchlight', purpose, 32);
    // With raw bytes Node would make such an object for each use, which takes six times as long as the use.
    const key = createSecretKey(new Uint8Array(bytes));
    keys.set(purpose, key);
    return key;
  };
  return {
    hmac: (purpose: string, text: string): string =>
      createHmac('sha256', keyFor(purpose)).update(text).digest('base64url'),
    encrypt(purpose: string, text: string): string {
      const iv = randomBytes(12);
      const cipher = createCipheriv('aes-256-gcm', keyFor(purpose), iv);
      const body = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]);
      return Buffer.concat([iv, cipher.getAuthTag(), body]).toString('base64url');
    },
    decrypt(purpose: string, sealed: string): string {
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

/** Creates the box: it encrypts under the secret, and decrypts under it and its predecessors (decision 050). */
export function createSecretBox(secret: string, previous: readonly string[] = []) {
  const present = createSecret(secret);
  const readable = [present, ...previous.map(createSecret)];
  return {
    /** Returns an HMAC-SHA-256 under a key of its own for each purpose. */
    hmac: present.hmac,
    /** Returns the same under every readable secret, the present one first, to look up a value of any of them. */
    hmacs: (purpose: string, text: string): readonly string[] =>
      readable.map((one) => one.hmac(purpose, text)),
    encrypt: present.encrypt as (purpose: EncryptionPurpose, text: string) => string,
    /** Returns whether a code belongs to the text, also one from before the secret was changed. Takes constant time. */
    verifyHmac(purpose: string, text: string, mac: string): boolean {
      const matches = readable.map((one) => isSame(one.hmac(purpose, text), mac));
      return matches.includes(true);
    },
    /**
     * Decrypts a text.
     * @throws Error when it was encrypted under none of our secrets, or for another purpose
     */
    decrypt(purpose: EncryptionPurpose, sealed: string): string {
      for (const one of readable) {
        try {
          return one.decrypt(purpose, sealed);
        } catch {
          // Tried under the next secret.
        }
      }
      throw new Error(`A sealed ${purpose} opens with none of the secrets.`);
    },
    /** Returns whether the text is encrypted under the present secret, so that no earlier one is needed for it. */
    isEncryptedWithCurrent(purpose: EncryptionPurpose, sealed: string): boolean {
      try {
        present.decrypt(purpose, sealed);
        return true;
      } catch {
        return false;
      }
    },
  };
}
