/** The content that a module decrypts: the password, its sign-in, its recipient and time. */
type Sealed = {
  readonly pwd: string;
  readonly txn: string;
  readonly aud: string;
  readonly iat: number;
};

const encode = (bytes: Uint8Array) =>
  btoa(String.fromCharCode(...bytes))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replaceAll('=', '');
const utf8 = (text: string) => new TextEncoder().encode(text);

/**
 * Encrypts the password to a module's public key, for this one sign-in (HND-05).
 * @returns a compact JWE (RFC 7516), RSA-OAEP-256 with A256GCM: only the module can decrypt it, not even this page
 */
export async function seal(content: Sealed, publicKey: JsonWebKey): Promise<string> {
  const { subtle } = crypto;
  const rsa = await subtle.importKey(
    'jwk',
    publicKey,
    { name: 'RSA-OAEP', hash: 'SHA-256' },
    false,
    ['encrypt'],
  );
  const rawKey = crypto.getRandomValues(new Uint8Array(32));
  const key = await subtle.importKey('raw', rawKey, 'AES-GCM', false, ['encrypt']);
  const wrapped = new Uint8Array(await subtle.encrypt('RSA-OAEP', rsa, rawKey));
  const header = encode(
    utf8(JSON.stringify({ alg: 'RSA-OAEP-256', enc: 'A256GCM', ...kidOf(publicKey) })),
  );
  const iv = crypto.getRandomValues(new Uint8Array(12));
  const sealed = new Uint8Array(
    await subtle.encrypt(
      { name: 'AES-GCM', iv, additionalData: utf8(header), tagLength: 128 },
      key,
      utf8(JSON.stringify(content)),
    ),
  );
  const [text, tag] = [sealed.slice(0, -16), sealed.slice(-16)];
  return [header, ...[wrapped, iv, text, tag].map(encode)].join('.');
}

function kidOf(publicKey: JsonWebKey): { kid?: string } {
  const { kid } = publicKey as { kid?: unknown };
  return typeof kid === 'string' ? { kid } : {};
}
