import { describe, expect, test } from 'vitest';
import { createHashing } from './hashing.ts';
import { type KnownHash, parseHash, pbkdf2Hash, scryptHash } from './hash-formats.ts';

const hashing = createHashing(1, { memoryCost: 512, timeCost: 2 });
const known = (hash: ReturnType<typeof parseHash>): KnownHash => {
  if (typeof hash === 'string') throw new Error(hash);
  return hash;
};
/** RFC 6070 and RFC 7914 give salt and key as they are, not as a PHC string. */
const base64 = (bytes: Buffer) => bytes.toString('base64').replace(/=+$/, '');
const ofHex = (hex: string) => base64(Buffer.from(hex, 'hex'));
const ofText = (text: string) => base64(Buffer.from(text));

const OWN = 'Rocking-Chair-7';
const SALT = 'AAECAwQFBgcICQoLDA0ODw';
const SHA512 =
  'IqFh5lg8qWhvEzSGRptC7ZY8Px8jFiI3lVI1e/nCVKqq6DQRSfQsiXkU1CF+Vo/xqw1Mg+LxGMqK/K3CUySUcw';

describe.each([
  // The tests of the reference implementation (P-H-C/phc-winner-argon2, src/test.c).
  [
    'argon2id',
    'password',
    '$argon2id$v=19$m=256,t=2,p=1$c29tZXNhbHQ$nf65EOgLrQMR/uIPnA4rEsF5h7TKyQwu9U1bMCHGi/4',
  ],
  [
    'argon2i',
    'password',
    '$argon2i$v=19$m=256,t=2,p=1$c29tZXNhbHQ$iekCn0Y3spW+sCcFanM2xBT63UP2sghkUoHLIUpWRS8',
  ],
  // Openwall's crypt_blowfish, wrapper.c; the second one made by libxcrypt's crypt(3).
  ['bcrypt 2a', 'U*U', '$2a$05$CCCCCCCCCCCCCCCCCCCCC.E5YPO9kmyuRGyh0XouQYb4YMJKvyOeW'],
  ['bcrypt 2b', OWN, '$2b$04$abcdefghijklmnopqrstuu3cgLde/SF8dwLRAsYAnUWYKraOQuBFS'],
  // RFC 6070, the fourth vector.
  [
    'PBKDF2 with SHA-1',
    'password',
    `$pbkdf2-sha1$i=4096,l=20$${ofText('salt')}$${ofHex('4b007901b765489abead49d926f721d065a429c1')}`,
  ],
  // RFC 7914, section 11: the first vector, of 64 bytes.
  [
    'PBKDF2 with SHA-256',
    'passwd',
    `$pbkdf2-sha256$1$${ofText('salt')}$${ofHex('55ac046e56e3089fec1691c22544b605f94185216dde0465e68b9d57c20dacbca49ca7ccf179b645991664b39d77ef317c71b845b1e30bd509112041d3a19783')}`,
  ],
  // Made by Python's hashlib.pbkdf2_hmac, in the form of passlib.
  ['passlib, SHA-1', OWN, `$pbkdf2$1000$${SALT}$r6USpkFTCFHmpvhGK27axFGkarg`],
  ['PBKDF2 with SHA-512', OWN, `$pbkdf2-sha512$i=1000,l=64$${SALT}$${SHA512}`],
  // RFC 7914, section 12: the second vector.
  [
    'scrypt',
    'password',
    `$scrypt$ln=10,r=8,p=16$${ofText('NaCl')}$${ofHex('fdbabe1c9d3472007856e7190d01e9fe7c6ad7cbc8237830e77376634b3731622eaf30d92e22a3886ff109279d9830dac727afb94a83ee6d8360cbdfa2cc0640')}`,
  ],
  // dotnet/aspnetcore, PasswordHasherTest.cs: version 2, and version 3 with each digest.
  [
    'ASP.NET Identity 2',
    'my password',
    'AAABAgMEBQYHCAkKCwwNDg+ukCEMDf0yyQ29NYubggHIVY0sdEUfdyeM+E1LtH1uJg==',
  ],
  [
    'ASP.NET Identity 3, SHA-1',
    'my password',
    'AQAAAAAAAAD6AAAAEAhftMyfTJylOlZT+eEotFXd1elee8ih5WsjXaR3PA9M',
  ],
  [
    'ASP.NET Identity 3, SHA-256',
    'my password',
    'AQAAAAEAA9CQAAAAIESkQuj2Du8Y+kbc5lcN/W/3NiAZFEm11P27nrSN5/tId+bR1SwV8CO1Jd72r4C08OLvplNlCDc3oQZ8efcW+jQ=',
  ],
  [
    'ASP.NET Identity 3, SHA-512',
    'my password',
    'AQAAAAIAAAD6AAAAIJbVi5wbMR+htSfFp8fTw8N8GOS/Sje+S/4YZcgBfU7EQuqv4OkVYmc4VJl9AGZzmRTxSkP7LtVi9IWyUxX8IAAfZ8v+ZfhjCcudtC1YERSqE1OEdXLW9VukPuJWBBjLuw==',
  ],
  // Django's tests (tests/auth_tests/test_hashers.py), and hashcat's example hashes 10000, 400 and 7900.
  [
    'Django, scrypt',
    'lètmein',
    'scrypt$16384$seasalt$8$1$Qj3+9PPyRjSJIebHnG81TMjsqtaIGxNQG/aEB/NYafTJ7tibgfYz71m0ldQESkXFRkdVCBhhY8mx7rQwite/Pw==',
  ],
  [
    'Django, PBKDF2',
    'hashcat',
    'pbkdf2_sha256$20000$H0dPx8NeajVu$GiC4k5kqbbR9qWBlsRgDywNqC2vd9kqfk7zdorEnNas=',
  ],
  ['phpass', 'hashcat', '$P$984478476IagS59wHZvyQMArzfx58u.'],
  ['phpass of phpBB', 'hashcat', '$H$984478476IagS59wHZvyQMArzfx58u.'],
  ['Drupal 7', 'hashcat', '$S$C33783772bRXEx1aCsvY.dqgaaSu76XmVlKrW9Qu8IQlvxHlmzLf'],
  // Made by libxcrypt's crypt(3) from Perl's Digest::SHA.
  [
    'Django, bcrypt_sha256',
    OWN,
    'bcrypt_sha256$$2b$04$abcdefghijklmnopqrstuuUoV.Cq/4Br5xNNfou6sgEtnomwJD4hq',
  ],
  ['WordPress 6.8', OWN, '$wp$2y$04$abcdefghijklmnopqrstuusrsXIfM2knJehpzaqKjnM/Ne6JCRWfa'],
  // What Django, Spring Security and Dovecot write before a hash.
  ['Django, bcrypt', OWN, 'bcrypt$$2b$04$abcdefghijklmnopqrstuu3cgLde/SF8dwLRAsYAnUWYKraOQuBFS'],
  ['Spring, bcrypt', OWN, '{bcrypt}$2b$04$abcdefghijklmnopqrstuu3cgLde/SF8dwLRAsYAnUWYKraOQuBFS'],
  [
    'Django, argon2',
    'password',
    'argon2$argon2id$v=19$m=256,t=2,p=1$c29tZXNhbHQ$nf65EOgLrQMR/uIPnA4rEsF5h7TKyQwu9U1bMCHGi/4',
  ],
])('%s', (_, password, text) => {
  test('[OPS-44] the right password alone matches, and is hashed anew', async () => {
    const { text: stored } = known(parseHash(text));
    expect(known(parseHash(stored)).text).toBe(stored);
    expect(await hashing.verify(stored, password)).toBe(true);
    expect(await hashing.verify(stored, `${password}!`)).toBe(false);
    expect(await hashing.verify(stored, '')).toBe(false);
    expect(await hashing.renew(stored, password)).toMatch(/^\$argon2id\$v=19\$m=512,t=2,p=1\$/);
  });
});

/** Made by Python's hashlib.scrypt. */
const SCRYPT_KEY = '62pJu7vJvcBHa5sJl4ofURW3cSj4HjC9cL4DQjb80FQ';

test('[OPS-44] scrypt and PBKDF2 by their parts', async () => {
  const salt = Buffer.from(SALT, 'base64');
  const parts = { cost: 1024, blockSize: 8, parallelization: 2 };
  const byParts = known(scryptHash({ ...parts, salt, key: Buffer.from(SCRYPT_KEY, 'base64') }));
  expect(byParts.text).toBe(`$scrypt$ln=10,r=8,p=2$${SALT}$${SCRYPT_KEY}`);
  expect(await byParts.verify(OWN)).toBe(true);
  const key = Buffer.from(SHA512, 'base64');
  const pbkdf2 = known(pbkdf2Hash({ digest: 'sha512', rounds: 1000, salt, key }));
  expect(await pbkdf2.verify(OWN)).toBe(true);
  expect(await pbkdf2.verify('Rocking-Chair-8')).toBe(false);
});

const ARGON2 = (costs: string, key = 'nf65EOgLrQMR/uIPnA4rEsF5h7TKyQwu9U1bMCHGi/4') =>
  `$argon2id$v=19$${costs}$c29tZXNhbHQ$${key}`;
const BCRYPT = (cost: string) =>
  `$2b$${cost}$abcdefghijklmnopqrstuu3cgLde/SF8dwLRAsYAnUWYKraOQuBFS`;
const PBKDF2 = (digest: string, rounds: number, key = SHA512) =>
  `$pbkdf2-${digest}$i=${rounds}$${SALT}$${key}`;
const SCRYPT = (costs: string) => `$scrypt$${costs}$${SALT}$${SCRYPT_KEY}`;
const IDENTITY = (rounds: number, saltSize: number) => {
  const head = Buffer.alloc(13);
  head[0] = 1;
  head.writeUInt32BE(2, 1);
  head.writeUInt32BE(rounds, 5);
  head.writeUInt32BE(saltSize, 9);
  return Buffer.concat([head, Buffer.alloc(48)]).toString('base64');
};

test.each([
  ['memory of argon2', ARGON2('m=131073,t=1,p=1')],
  ['work of argon2', ARGON2('m=65536,t=9,p=1')],
  ['lanes of argon2', ARGON2('m=65536,t=1,p=17')],
  ['a short key of argon2', ARGON2('m=65536,t=2,p=1', 'c29tZXNhbHQ')],
  ['cost of bcrypt', BCRYPT('15')],
  ['rounds with SHA-1', PBKDF2('sha1', 2_000_001)],
  ['rounds with SHA-256', PBKDF2('sha256', 1_500_001)],
  ['rounds with SHA-512', PBKDF2('sha512', 1_000_001)],
  ['a key that is met by chance', PBKDF2('sha256', 1000, 'AAAA')],
  ['an empty key', PBKDF2('sha256', 1000, '=')],
  ['a long key', PBKDF2('sha256', 1000, 'A'.repeat(172))],
  ['a long salt', `$pbkdf2-sha256$1000$${'A'.repeat(176)}$${SHA512}`],
  ['memory of scrypt', SCRYPT('ln=18,r=8,p=1')],
  ['block size of scrypt', SCRYPT('ln=10,r=100000,p=1')],
  ['work of scrypt', SCRYPT('ln=17,r=8,p=3')],
  ['lanes of scrypt', SCRYPT('ln=10,r=8,p=17')],
  ['rounds of ASP.NET Identity', IDENTITY(4_000_000_000, 16)],
  ['rounds of Django', 'pbkdf2_sha256$1500001$salt$GiC4k5kqbbR9qWBlsRgDywNqC2vd9kqfk7zdorEnNas='],
  ['memory of Django', `scrypt$262144$salt$8$1$${'A'.repeat(86)}==`],
  ['rounds of phpass', '$P$G84478476IagS59wHZvyQMArzfx58u.'],
  ['rounds of Drupal', `$S$G33783772${'b'.repeat(43)}`],
  ['cost of WordPress', `$wp${BCRYPT('15')}`],
  ['cost of Django', `bcrypt_sha256$${BCRYPT('15')}`],
])('[OPS-44] what would cost too much or compare too little is refused: %s', (_, text) => {
  expect(parseHash(text)).toBe('dangerousHash');
});

test.each([
  [''],
  ['Rocking-Chair-7'],
  ['5f4dcc3b5aa765d61d8327deb882cf99'],
  ['{SSHA}c2FsdA=='],
  ['$1$salt$hash'],
  ['$2x$05$CCCCCCCCCCCCCCCCCCCCC.E5YPO9kmyuRGyh0XouQYb4YMJKvyOeW'],
  [BCRYPT('03')],
  [BCRYPT('32')],
  [BCRYPT('10').slice(0, -1)],
  [ARGON2('m=256,t=0,p=1')],
  [ARGON2('m=4,t=1,p=1')],
  [ARGON2('m=256,t=2,p=1', 'not base64!')],
  ['$argon2id$v=19$m=256,t=2,p=1$c2FsdA$nf65EOgLrQMR/uIPnA4rEsF5h7TKyQwu9U1bMCHGi/4'],
  [PBKDF2('md5', 1000)],
  [PBKDF2('sha256', 0)],
  [`$pbkdf2-sha256$i=1000,l=32$${SALT}$${SHA512}`],
  [SCRYPT('ln=0,r=8,p=1')],
  [SCRYPT('ln=10,r=0,p=1')],
  [IDENTITY(1000, 48)],
  [IDENTITY(1000, 4_000_000_000)],
  [`$pbkdf2-sha256$1000$${SALT}$${'A'.repeat(1000)}`],
  ['$P$484478476IagS59wHZvyQMArzfx58u.'],
  ['$P$984478476IagS59wHZvyQMArzfx58u'],
  [`$S$C33783772${'b'.repeat(22)}`],
  ['$wp$P$984478476IagS59wHZvyQMArzfx58u.'],
  [`$wp$wp${BCRYPT('10')}`],
  ['pbkdf2_md5$1000$salt$GiC4k5kqbbR9qWBlsRgDyw=='],
  ['pbkdf2_sha256$0$salt$GiC4k5kqbbR9qWBlsRgDyw=='],
  ['scrypt$1000$salt$8$1$GiC4k5kqbbR9qWBlsRgDyw=='],
])('[OPS-44] what is no hash of these is refused: %s', (text) => {
  expect(parseHash(text)).toBe('unknownHash');
});

test.each([
  [ARGON2('m=19456,t=2,p=1'), false],
  [ARGON2('m=7168,t=5,p=1'), false],
  [ARGON2('m=7168,t=4,p=1'), true],
  [BCRYPT('10'), false],
  [BCRYPT('09'), true],
  [PBKDF2('sha1', 1_300_000), false],
  [PBKDF2('sha1', 27_500), true],
  [PBKDF2('sha256', 600_000), false],
  [PBKDF2('sha256', 599_999), true],
  [PBKDF2('sha512', 210_000), false],
  [PBKDF2('sha512', 209_999), true],
  [`$pbkdf2-sha256$600000$AAAA$${SHA512}`, true],
  [SCRYPT('ln=17,r=8,p=1'), false],
  [SCRYPT('ln=14,r=8,p=4'), true],
])('[OPS-44] weaker than OWASP asks for, told and taken over: %s %s', (text, isWeak) => {
  expect(known(parseHash(text)).isWeak).toBe(isWeak);
});

test('a stored hash that nobody knows matches nothing', async () => {
  expect(await hashing.verify('5f4dcc3b5aa765d61d8327deb882cf99', 'password')).toBe(false);
});

test.each([
  ['$argon2id$v=19$m=19456,t=2,p=1', false],
  ['$argon2id$v=19$m=131072,t=1,p=1', false],
  ['$argon2id$v=19$m=131072,t=4,p=1', true],
  ['$scrypt$ln=16,r=8,p=1', false],
  ['$scrypt$ln=17,r=8,p=1', true],
  ['$pbkdf2-sha256$i=600000,l=32', false],
  ['$pbkdf2-sha1$i=2000000,l=32', true],
  ['$pbkdf2-sha512$i=1000000,l=64', true],
])('[PRF-23] S41: %s… is slow: %s', (head, isSlow) => {
  expect(
    known(parseHash(`${head}$${SALT}$${'a'.repeat(head.includes('l=64') ? 86 : 43)}`)).isSlow,
  ).toBe(isSlow);
});

test.each([
  [12, false],
  [13, true],
])('[PRF-23] S41: bcrypt of 2^%s is slow: %s', (cost, isSlow) => {
  expect(known(parseHash(`$2b$${cost}$${'a'.repeat(53)}`)).isSlow).toBe(isSlow);
});
