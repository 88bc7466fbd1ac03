import { createHmac, hash as digestOf, pbkdf2, scrypt, timingSafeEqual } from 'node:crypto';
import { setImmediate as turn } from 'node:timers/promises';
import { promisify } from 'node:util';
import { verify as verifyArgon2 } from '@node-rs/argon2';

/* Password hashes of other systems (decision 113). PBKDF2 has one form here, whatever it came in. */

/** `dangerousHash`: it would cost too much, or compares too few bits, and is not imported. */
export type HashFault = 'unknownHash' | 'dangerousHash';

export type KnownHash = {
  /** The stored form. */
  readonly text: string;
  /** Below the minimum of OWASP's "Password Storage Cheat Sheet". */
  readonly isWeak: boolean;
  /** At least half of the allowed work: a third of a second and more (decision 142). */
  readonly isSlow: boolean;
  readonly verify: (password: string) => Promise<boolean>;
};

type Digest = 'sha1' | 'sha256' | 'sha512';
/** `size` in bytes; OWASP's minimum of rounds; rounds that take about a second. */
const DIGESTS: Readonly<Record<Digest, { size: number; floor: number; most: number }>> = {
  sha1: { size: 20, floor: 1_300_000, most: 2_000_000 },
  sha256: { size: 32, floor: 600_000, most: 1_500_000 },
  sha512: { size: 64, floor: 210_000, most: 1_000_000 },
};
const ARGON2 = { floor: 35_840, mostKiB: 131_072, mostWork: 524_288, mostLanes: 16 };
const BCRYPT = { floor: 10, most: 14 };
const SCRYPT = { floor: 655_360, mostBytes: 2 ** 27, mostWork: 2 ** 21, mostLanes: 16 };
/** Bytes. A shorter key can be met by chance, or by a search for any matching password. */
const KEY = { least: 16, most: 128 };
const SALT = { floor: 8, most: 128 };
/** No hash that is imported is longer. */
const MOST_CHARACTERS = 512;

/** What Spring Security, Dovecot and Django write before a hash that says itself what it is. */
const WRAPPING = /^(?:\{(?:bcrypt|crypt|blf-crypt|argon2(?:id?)?)\}|argon2|bcrypt\$)(?=\$)/i;

/** Parses a hash of another system: PHC strings, bcrypt, ASP.NET Identity, Django, WordPress and Drupal. */
export function parseHash(given: string): KnownHash | HashFault {
  if (given.length > MOST_CHARACTERS) return 'unknownHash';
  const text = given.replace(WRAPPING, '');
  if (text.startsWith('$argon2')) return argon2Hash(text);
  const [, wrapping = '', inner = ''] = /^(bcrypt_sha256\$|\$wp|)(\$2.*)$/.exec(text) ?? [];
  if (inner !== '') return bcryptHash(inner, wrapping);
  if (/^(?:pbkdf2_sha|scrypt\$)/.test(text)) return djangoHash(text);
  if (/^\$[PHS]\$/.test(text)) return phpassHash(text);
  if (text.startsWith('$pbkdf2')) return pbkdf2Text(text);
  if (text.startsWith('$scrypt$')) return scryptText(text);
  return identityHash(text);
}

/** Parses argon2's own form, `$argon2id$v=19$m=…,t=…,p=…$salt$hash`. */
function argon2Hash(text: string): KnownHash | HashFault {
  const form =
    /^\$argon2(?:id|i|d)\$(?:v=(?:16|19)\$)?m=(\d{1,9}),t=(\d{1,9}),p=(\d{1,9})\$([^$]+)\$([^$]+)$/;
  const [, memory, passes, lanes, salt = '', key = ''] = form.exec(text) ?? [];
  const size = sizesOf(salt, key);
  if (memory === undefined || !size) return 'unknownHash';
  const [kib, work] = [Number(memory), Number(memory) * Number(passes)];
  const isTooMuch =
    kib > ARGON2.mostKiB || work > ARGON2.mostWork || Number(lanes) > ARGON2.mostLanes;
  // Parameters that argon2 itself refuses: such a hash can never match.
  const isNone = Number(passes) < 1 || Number(lanes) < 1 || kib < 8 * Number(lanes);
  if (isNone || size.salt < SALT.floor) return 'unknownHash';
  if (isTooMuch || !isSafe(size)) return 'dangerousHash';
  const isWeak = work < ARGON2.floor;
  const isSlow = work >= ARGON2.mostWork / 2;
  return { text, isWeak, isSlow, verify: (password) => verifyArgon2(text, password) };
}

/** What goes into bcrypt: Django's digest keeps long passwords apart, WordPress's HMAC (since 6.8) as well. */
const BEFORE_BCRYPT: Readonly<Record<string, (password: string) => string>> = {
  '': (password) => password,
  bcrypt_sha256$: (password) => digestOf('sha256', password),
  $wp: (password) => createHmac('sha384', 'wp-sha384').update(password).digest('base64'),
};

/** Parses `$2b$12$…`. Not `2x`: its library confused some passwords. */
function bcryptHash(text: string, wrapping: string): KnownHash | HashFault {
  const [, digits] = /^\$2[aby]\$(\d\d)\$[./A-Za-z\d]{53}$/.exec(text) ?? [];
  const cost = Number(digits);
  if (digits === undefined || cost < 4 || cost > 31) return 'unknownHash';
  if (cost > BCRYPT.most) return 'dangerousHash';
  const prepare = BEFORE_BCRYPT[wrapping];
  if (!prepare) return 'unknownHash';
  return {
    text: `${wrapping}${text}`,
    isWeak: cost < BCRYPT.floor,
    // Each step doubles the work.
    isSlow: cost >= BCRYPT.most - 1,
    async verify(password) {
      // Loaded only where such a hash is left.
      const { verify: verifyBcrypt } = await import('@node-rs/bcrypt');
      return verifyBcrypt(prepare(password), text);
    },
  };
}

/**
 * Parses `$pbkdf2-sha256$i=…,l=…$salt$hash` (PHC), or passlib's `$pbkdf2-sha256$29000$salt$hash`, where `$pbkdf2$` is
 * SHA-1.
 */
function pbkdf2Text(text: string): KnownHash | HashFault {
  const form =
    /^\$pbkdf2(?:-(sha1|sha256|sha512))?\$(?:i=)?(\d{1,9})(?:,l=(\d{1,4}))?\$([^$]*)\$([^$]+)$/;
  const [, digest = 'sha1', rounds, length, saltText = '', keyText = ''] = form.exec(text) ?? [];
  // passlib writes a dot for a plus.
  const [salt, key] = [saltText, keyText].map((part) => fromBase64(part.replaceAll('.', '+')));
  if (rounds === undefined || !salt || !key) return 'unknownHash';
  if (length !== undefined && Number(length) !== key.length) return 'unknownHash';
  return pbkdf2Hash({ digest: digest as Digest, rounds: Number(rounds), salt, key });
}

/** Returns a PBKDF2 hash (RFC 8018) from its parts, which Keycloak has in JSON. */
export function pbkdf2Hash(parts: {
  readonly digest: Digest;
  readonly rounds: number;
  readonly salt: Buffer;
  readonly key: Buffer;
}): KnownHash | HashFault {
  const { digest, rounds, salt, key } = parts;
  const { size, floor, most } = DIGESTS[digest];
  if (!Number.isSafeInteger(rounds) || rounds < 1) return 'unknownHash';
  if (rounds > most || !isSafe({ salt: salt.length, key: key.length })) return 'dangerousHash';
  // Each block of the key is computed separately: the first one is enough to compare, for its share of the work.
  const block = key.subarray(0, size);
  const text = `$pbkdf2-${digest}$i=${rounds},l=${block.length}$${base64(salt)}$${base64(block)}`;
  return {
    text,
    isWeak: rounds < floor || salt.length < SALT.floor,
    isSlow: rounds >= most / 2,
    verify: async (password) =>
      timingSafeEqual(block, await promisify(pbkdf2)(password, salt, rounds, block.length, digest)),
  };
}

/** Parses `$scrypt$ln=…,r=…,p=…$salt$hash` (PHC). */
function scryptText(text: string): KnownHash | HashFault {
  const form = /^\$scrypt\$ln=(\d{1,2}),r=(\d{1,6}),p=(\d{1,6})\$([^$]*)\$([^$]+)$/;
  const [, log, r, p, saltText = '', keyText = ''] = form.exec(text) ?? [];
  const [salt, key] = [fromBase64(saltText), fromBase64(keyText)];
  if (log === undefined || !salt || !key) return 'unknownHash';
  const parts = { cost: 2 ** Number(log), blockSize: Number(r), parallelization: Number(p) };
  return scryptHash({ ...parts, salt, key });
}

/** Returns a scrypt hash (RFC 7914) from its parts, as Auth0 exports it; `cost` is N. */
export function scryptHash(parts: {
  readonly cost: number;
  readonly blockSize: number;
  readonly parallelization: number;
  readonly salt: Buffer;
  readonly key: Buffer;
}): KnownHash | HashFault {
  const { cost, blockSize, parallelization, salt, key } = parts;
  const log = Math.log2(cost);
  const numbers = [log, blockSize, parallelization];
  if (!numbers.every((number) => Number.isSafeInteger(number) && number >= 1)) return 'unknownHash';
  const bytes = 128 * cost * blockSize;
  const work = cost * blockSize * parallelization;
  const isTooMuch =
    bytes > SCRYPT.mostBytes || work > SCRYPT.mostWork || parallelization > SCRYPT.mostLanes;
  if (isTooMuch || !isSafe({ salt: salt.length, key: key.length })) return 'dangerousHash';
  const costs = `ln=${log},r=${blockSize},p=${parallelization}`;
  const options = { cost, blockSize, parallelization, maxmem: 2 * bytes };
  return {
    text: `$scrypt$${costs}$${base64(salt)}$${base64(key)}`,
    isWeak: work < SCRYPT.floor || salt.length < SALT.floor,
    isSlow: work >= SCRYPT.mostWork / 2,
    verify: (password) =>
      new Promise((resolve, reject) => {
        scrypt(password, salt, key.length, options, (error, made) => {
          if (error) reject(error);
          else resolve(timingSafeEqual(key, made));
        });
      }),
  };
}

/** Parses Django's `pbkdf2_sha256$rounds$salt$key` and `scrypt$N$salt$r$p$key`: the salt is text, the key base64. */
function djangoHash(text: string): KnownHash | HashFault {
  const [, digest, rounds, sugar = '', own = ''] =
    /^pbkdf2_(sha1|sha256|sha512)\$(\d{1,9})\$([^$]+)\$([^$]+)$/.exec(text) ?? [];
  const [, cost, scryptSalt = '', blockSize, parallelization, scryptKey = ''] =
    /^scrypt\$(\d{1,9})\$([^$]+)\$(\d{1,6})\$(\d{1,6})\$([^$]+)$/.exec(text) ?? [];
  const salt = Buffer.from(sugar || scryptSalt);
  const key = fromBase64(own || scryptKey);
  if (!key) return 'unknownHash';
  if (digest) return pbkdf2Hash({ digest: digest as Digest, rounds: Number(rounds), salt, key });
  const parts = { blockSize: Number(blockSize), parallelization: Number(parallelization) };
  return cost ? scryptHash({ cost: Number(cost), ...parts, salt, key }) : 'unknownHash';
}

const PHPASS_SIGNS = './0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const PHPASS_MD5 = /^\$[PH]\$([./\dA-Za-z])([^$]{8})([./\dA-Za-z]{22})$/;
const PHPASS_SHA512 = /^\$S\$([./\dA-Za-z])([^$]{8})([./\dA-Za-z]{43})$/;
/** Powers of two of rounds: the least of the format; some tenths of a second. WordPress has 13, Drupal 15 and 16. */
const PHPASS = { least: 7, most: 17 };
/** Rounds after which others get a turn: some milliseconds. */
const ROUNDS_A_TURN = 2048;

/**
 * Parses phpass: `$P$` or `$H$` (MD5; WordPress, phpBB), `$S$` (SHA-512, cut; Drupal), then a sign for the rounds, eight
 * of salt, and the digest.
 */
function phpassHash(text: string): KnownHash | HashFault {
  const [, sign = '', salt = '', key = ''] =
    PHPASS_MD5.exec(text) ?? PHPASS_SHA512.exec(text) ?? [];
  const power = PHPASS_SIGNS.indexOf(sign);
  if (key === '' || power < PHPASS.least) return 'unknownHash';
  if (power > PHPASS.most) return 'dangerousHash';
  const digest = PHPASS_MD5.test(text) ? 'md5' : 'sha512';
  return {
    text,
    isWeak: true,
    isSlow: power >= PHPASS.most - 1,
    async verify(password) {
      const typed = Buffer.from(password);
      let made = digestOf(digest, Buffer.concat([Buffer.from(salt), typed]), 'buffer');
      for (let round = 1; round <= 2 ** power; round += 1) {
        made = digestOf(digest, Buffer.concat([made, typed]), 'buffer');
        if (round % ROUNDS_A_TURN === 0) await turn();
      }
      return timingSafeEqual(Buffer.from(key), Buffer.from(phpassText(made, key.length)));
    },
  };
}

/** Encodes six bits a sign, the lowest ones first. */
function phpassText(bytes: Buffer, length: number): string {
  const byte = (at: number) => bytes[at] ?? 0;
  const bits = (at: number) => ((byte(at >> 3) + (byte((at >> 3) + 1) << 8)) >> (at & 7)) & 63;
  return Array.from({ length }, (_, at) => PHPASS_SIGNS.charAt(bits(at * 6))).join('');
}

const IDENTITY_2 = { size: 49, salt: 16, rounds: 1000 };
const IDENTITY_3_HEAD = 13;
const IDENTITY_DIGESTS: readonly Digest[] = ['sha1', 'sha256', 'sha512'];

/**
 * Parses ASP.NET Identity's base64: a version byte; version 2 has a salt of 16 and a key of 32 bytes, version 3 three
 * numbers before them (digest, rounds, length of the salt). The layouts are those of its `PasswordHasher`.
 */
function identityHash(text: string): KnownHash | HashFault {
  const bytes = fromBase64(text);
  if (bytes?.[0] === 0 && bytes.length === IDENTITY_2.size) {
    const [salt, key] = [bytes.subarray(1, 1 + IDENTITY_2.salt), bytes.subarray(17)];
    return pbkdf2Hash({ digest: 'sha1', rounds: IDENTITY_2.rounds, salt, key });
  }
  if (bytes?.[0] !== 1 || bytes.length <= IDENTITY_3_HEAD) return 'unknownHash';
  const digest = IDENTITY_DIGESTS[bytes.readUInt32BE(1)];
  const keyAt = IDENTITY_3_HEAD + bytes.readUInt32BE(9);
  if (!digest || keyAt >= bytes.length) return 'unknownHash';
  const [salt, key] = [bytes.subarray(IDENTITY_3_HEAD, keyAt), bytes.subarray(keyAt)];
  return pbkdf2Hash({ digest, rounds: bytes.readUInt32BE(5), salt, key });
}

const isSafe = (size: { readonly salt: number; readonly key: number }) =>
  size.key >= KEY.least && size.key <= KEY.most && size.salt <= SALT.most;

function sizesOf(saltText: string, keyText: string) {
  const [salt, key] = [fromBase64(saltText), fromBase64(keyText)];
  return salt && key ? { salt: salt.length, key: key.length } : null;
}

/** Decodes base64; returns `null` for anything else, because Node alone would skip invalid characters. */
export function fromBase64(text: string): Buffer | null {
  return /^[A-Za-z\d+/]*={0,2}$/.test(text) ? Buffer.from(text, 'base64') : null;
}

/** Encodes without padding, as PHC strings do. */
const base64 = (bytes: Buffer) => bytes.toString('base64').replace(/=+$/, '');
