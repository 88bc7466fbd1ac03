/** Everything that is wrong with a token, as a table: each row is one forgery of a token that a reader would take. */

import {
  createHmac,
  generateKeyPairSync,
  type KeyObject,
  createPublicKey,
  createPrivateKey,
  sign as signBytes,
} from 'node:crypto';
import { CompactEncrypt, EncryptJWT, exportJWK, generateKeyPair, importJWK, type JWK } from 'jose';

export type Claims = Readonly<Record<string, unknown>>;

/** A token that is taken, as its parts, and what its reader must know the difference of. */
export type Honest = {
  readonly claims: Claims;
  readonly alg: 'ES256' | 'RS256';
  readonly typ: string | undefined;
  /** Private. */
  readonly key: Key;
  /** A private key of the same kind that signed once and is no longer published. */
  readonly retired: Key;
  /** Seconds since 1970, by the clock that the reader goes by. */
  readonly now: number;
  /** Seconds that the reader's clock may be wrong by. */
  readonly leeway: number;
  /** Types of the tokens that are made beside this one. */
  readonly otherTypes: readonly string[];
  /** Claims that only this kind of token has, changed; by name. */
  readonly changed?: Readonly<Record<string, Claims>>;
};

export type Forgery = { readonly name: string; readonly token: string };

export type Key = JWK & { readonly kid: string };

/** A private key of its own. */
export async function makeKey(alg: Honest['alg'], kid: string): Promise<Key> {
  const { privateKey } = await generateKeyPair(alg, { extractable: true });
  return { ...(await exportJWK(privateKey)), kid };
}

/** Its public part. */
export function publicPart({ kty, crv, x, y, n, e, kid }: Key, alg: string) {
  return { kty, crv, x, y, n, e, kid, alg, use: 'sig' };
}

/** Fewer would mean that the table has lost rows. */
const AT_LEAST = 60;

/** The names of those that were taken: none, and the table is not empty. */
export async function taken(
  rows: readonly Forgery[],
  isTaken: (token: string) => Promise<boolean>,
): Promise<readonly string[]> {
  if (rows.length < AT_LEAST) throw new Error(`Only ${rows.length} forgeries`);
  const names: string[] = [];
  for (const { name, token } of rows) if (await isTaken(token)) names.push(name);
  return names;
}

const part = (value: unknown): string =>
  Buffer.from(typeof value === 'string' ? value : JSON.stringify(value)).toString('base64url');

function signature(key: KeyObject, input: string): Buffer {
  return signBytes('sha256', Buffer.from(input), { key, dsaEncoding: 'ieee-p1363' });
}

/** Header and payload as they are given, signed by a key. */
function signed(key: KeyObject, header: unknown, payload: unknown): string {
  const input = `${part(header)}.${part(payload)}`;
  return `${input}.${signature(key, input).toString('base64url')}`;
}

function hmac(secret: string | Buffer, header: object, payload: unknown): string {
  const input = `${part({ ...header, alg: 'HS256' })}.${part(payload)}`;
  return `${input}.${createHmac('sha256', secret).update(input).digest('base64url')}`;
}

/** An honest token of these claims: the control, and the raw material. */
export function honestToken({ key, alg, typ, claims }: Honest, changes: Claims = {}): string {
  const header = { alg, kid: key.kid, ...(typ && { typ }) };
  return signed(createPrivateKey({ key, format: 'jwk' }), header, { ...claims, ...changes });
}

export async function forge(honest: Honest): Promise<readonly Forgery[]> {
  const rows = [
    ...unsigned(honest),
    ...confused(honest),
    ...strangers(honest),
    ...brokenSignatures(honest),
    ...otherShapes(honest),
    ...wrongClaims(honest),
    ...(await encrypted(honest)),
  ];
  return rows.map(([name, token]) => ({ name, token }));
}

type Row = readonly [name: string, token: string];

const headerOf = ({ alg, typ, key }: Honest) => ({ alg, kid: key.kid, ...(typ && { typ }) });
const publicOf = ({ key }: Honest) =>
  createPublicKey(createPrivateKey({ key, format: 'jwk' }) as never);

/** RFC 8725, 2.1: "none" and its spellings. */
function unsigned(honest: Honest): Row[] {
  const header = headerOf(honest);
  const [head = '', body = '', mark = ''] = honestToken(honest).split('.');
  return [
    ...['none', 'None', 'NONE', 'nOnE', ''].map((alg): Row => [
      `alg "${alg}", no signature`,
      `${part({ ...header, alg })}.${part(honest.claims)}.`,
    ]),
    [
      'alg none with the signature of another',
      `${part({ ...header, alg: 'none' })}.${body}.${mark}`,
    ],
    ['no alg at all', `${part({ ...header, alg: undefined })}.${body}.${mark}`],
    ['signature taken off', `${head}.${body}.`],
    ['two parts only', `${head}.${body}`],
  ];
}

/** RFC 8725, 2.1: the public key as the secret of an HMAC, and other algorithms than the reader's. */
function confused(honest: Honest): Row[] {
  const header = headerOf(honest);
  const { claims } = honest;
  const key = publicOf(honest);
  const own = createPrivateKey({ key: honest.key, format: 'jwk' });
  const secrets: readonly [string, string | Buffer][] = [
    ['the public key as PEM', key.export({ type: 'spki', format: 'pem' })],
    ['the public key as DER', key.export({ type: 'spki', format: 'der' })],
    ['the public key as JWK', JSON.stringify(key.export({ format: 'jwk' }))],
    ['the key id', honest.key.kid],
    ['an empty secret', ''],
  ];
  return [
    ...secrets.map(([name, secret]): Row => [`HS256 with ${name}`, hmac(secret, header, claims)]),
    ...[honest.alg.toLowerCase(), 'ES384', 'PS256', 'EdDSA'].map((alg): Row => [
      `alg ${alg} on a signature of ours`,
      signed(own, { ...header, alg }, claims),
    ]),
  ];
}

/** A foreign key, and every way to point the reader at it. */
function strangers(honest: Honest): Row[] {
  const header = headerOf(honest);
  const { claims } = honest;
  const ec = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const rsa = generateKeyPairSync('rsa', { modulusLength: 2048 });
  const own = honest.alg === 'ES256' ? ec : rsa;
  const other = honest.alg === 'ES256' ? rsa : ec;
  const by = (extra: object): string => signed(own.privateKey, { ...header, ...extra }, claims);
  const jwk = own.publicKey.export({ format: 'jwk' });
  const retired = createPrivateKey({ key: honest.retired, format: 'jwk' });
  return [
    ["a stranger's key under our key id", by({})],
    ["a stranger's key under its own key id", by({ kid: 'stranger' })],
    ["a stranger's key without a key id", by({ kid: undefined })],
    [
      "a stranger's key of the other kind",
      signed(
        other.privateKey,
        { ...header, alg: honest.alg === 'ES256' ? 'RS256' : 'ES256' },
        claims,
      ),
    ],
    ['jwk in the header', by({ jwk, kid: undefined })],
    ['jwk in the header, under our key id', by({ jwk: { ...jwk, kid: honest.key.kid } })],
    ['jku in the header', by({ jku: 'https://evil.example/jwks.json' })],
    ['x5u in the header', by({ x5u: 'https://evil.example/cert.pem' })],
    [
      'x5c in the header',
      by({ x5c: [own.publicKey.export({ type: 'spki', format: 'der' }).toString('base64')] }),
    ],
    [
      'kid is a path to an empty file',
      hmac('', { ...header, kid: '../../../../../../dev/null' }, claims),
    ],
    ['kid is SQL', hmac('secret', { ...header, kid: "x' UNION SELECT 'secret' --" }, claims)],
    ['kid is an address', by({ kid: 'https://evil.example/key' })],
    ['kid is a list', by({ kid: [honest.key.kid] })],
    ['kid is a name of every object', by({ kid: '__proto__' })],
    ['a key that was retired', signed(retired, { ...header, kid: honest.retired.kid }, claims)],
    ['a retired key under the present key id', signed(retired, header, claims)],
  ];
}

function brokenSignatures(honest: Honest): Row[] {
  const token = honestToken(honest);
  const [head = '', body = '', mark = ''] = token.split('.');
  const bytes = Buffer.from(mark, 'base64url');
  const flipped = Buffer.from(bytes);
  flipped.writeUInt8(flipped.readUInt8(5) ^ 1, 5);
  const withMark = (value: Buffer): string => `${head}.${body}.${value.toString('base64url')}`;
  const order = Buffer.from(
    'ffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632551',
    'hex',
  );
  const own = createPrivateKey({ key: honest.key, format: 'jwk' });
  const der = signBytes('sha256', Buffer.from(`${head}.${body}`), own);
  return [
    ['signature cut short', withMark(bytes.subarray(0, -1))],
    ['half a signature', withMark(bytes.subarray(0, bytes.length / 2))],
    ['one bit of the signature', withMark(flipped)],
    ['a byte behind the signature', withMark(Buffer.concat([bytes, Buffer.from([0])]))],
    // CVE-2022-21449.
    ['r and s are zero', withMark(Buffer.alloc(bytes.length))],
    ['r and s are the order of the curve', withMark(Buffer.concat([order, order]))],
    ['r and s as DER', withMark(honest.alg === 'ES256' ? der : Buffer.concat([der, der]))],
    [
      'other claims under an honest signature',
      `${head}.${part({ ...honest.claims, sub: '1' })}.${mark}`,
    ],
    [
      'another header over an honest signature',
      `${part({ ...headerOf(honest), x: 1 })}.${body}.${mark}`,
    ],
  ];
}

function otherShapes(honest: Honest): Row[] {
  const header = headerOf(honest);
  const own = createPrivateKey({ key: honest.key, format: 'jwk' });
  const [head = '', body = '', mark = ''] = honestToken(honest).split('.');
  const by = (extra: object): string => signed(own, { ...header, ...extra }, honest.claims);
  return [
    ['an extension that is critical', by({ crit: ['urn:example:ext'], 'urn:example:ext': true })],
    ['crit is empty', by({ crit: [] })],
    ['b64 is false', by({ b64: false, crit: ['b64'] })],
    [
      'as JSON instead of compact',
      JSON.stringify({ protected: head, payload: body, signature: mark }),
    ],
    ['claims that are a list', signed(own, header, [honest.claims])],
    ['claims that are no JSON', signed(own, header, 'not json')],
    ['claims in a string', signed(own, header, JSON.stringify(JSON.stringify(honest.claims)))],
    ['three dots', '...'],
    ['empty', ''],
    ['words', 'not a token'],
    ...honest.otherTypes.map((typ): Row => [`a token of another kind: typ ${typ}`, by({ typ })]),
  ];
}

function wrongClaims(honest: Honest): Row[] {
  const { claims, now, leeway } = honest;
  const { iss, aud } = claims;
  const rows: Record<string, Claims> = {
    'another issuer': { iss: 'https://evil.example/' },
    'an issuer that begins like ours': { iss: `${String(iss)}.evil.example/` },
    'an issuer in a list': { iss: [iss] },
    'no issuer': { iss: undefined },
    'another audience': { aud: 'somebody-else' },
    'an audience that begins like ours': { aud: `${String(aud)}-2` },
    'a list of other audiences': { aud: ['somebody-else', `${String(aud)}x`] },
    'no audience': { aud: undefined },
    'an empty list of audiences': { aud: [] },
    expired: { exp: now - leeway - 1 },
    'expired long ago': { exp: 1 },
    'no end': { exp: undefined },
    'an end in words': { exp: '9999999999' },
    'not yet valid': { nbf: now + leeway + 30 },
    'valid from a word': { nbf: 'now' },
    'made in the future': { iat: now + leeway + 30 },
    'made at no time': { iat: undefined },
    'no subject': { sub: undefined },
    ...honest.changed,
  };
  return Object.entries(rows).map(([name, changes]) => [name, honestToken(honest, changes)]);
}

/** RFC 8725, 2.2: encryption to a public key is no signature. */
async function encrypted(honest: Honest): Promise<Row[]> {
  const { key, alg, claims } = honest;
  const enc = 'A256GCM';
  const to = alg === 'ES256' ? 'ECDH-ES+A256KW' : 'RSA-OAEP-256';
  const { kty, crv, x, y, n, e } = key;
  const shown = Object.fromEntries(
    Object.entries({ kty, crv, x, y, n, e }).filter(([, value]) => value !== undefined),
  ) as JWK;
  const publicKey = await importJWK(shown, to);
  const header = { alg: to, enc, kid: key.kid, ...(honest.typ && { typ: honest.typ }) };
  const jwe = new EncryptJWT({ ...claims }).setProtectedHeader(header);
  const inner = `${part({ alg: 'none' })}.${part(claims)}.`;
  const nested = new CompactEncrypt(Buffer.from(inner)).setProtectedHeader({
    ...header,
    cty: 'JWT',
  });
  const direct = new EncryptJWT({ ...claims }).setProtectedHeader({ alg: 'dir', enc });
  return [
    ['encrypted to our public key', await jwe.encrypt(publicKey)],
    ['unsigned inside, encrypted outside', await nested.encrypt(publicKey)],
    ['encrypted with a key of zeroes', await direct.encrypt(new Uint8Array(32))],
  ];
}
