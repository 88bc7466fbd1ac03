import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createAudit } from '#server/audit/audit.ts';
import { demoEmail } from '#server/demo/seed.ts';
import { operate } from '#server/testing/operate.ts';
import { createTestApp, createTestContext } from '#server/testing/test-app.ts';
import { readCommand } from '../verbs.ts';

const PASSWORD = 'Rocking-Chair-7';
/** Made by libxcrypt's crypt(3). */
const BCRYPT = '$2b$04$abcdefghijklmnopqrstuu3cgLde/SF8dwLRAsYAnUWYKraOQuBFS';
const SALT = 'AAECAwQFBgcICQoLDA0ODw';
/** Made by Python's hashlib. */
const SHA1_KEY = 'r6USpkFTCFHmpvhGK27axFGkarg';
const SHA256_KEY =
  '/1goUFicruNo+Y04KT1B2sApMC9AwVk6tRYSDMdIoYYq8VcV3KPnz00uB2wLJCr3eD443q1s0rUTA3cxWrI8uQ';
const SHA512_KEY =
  'IqFh5lg8qWhvEzSGRptC7ZY8Px8jFiI3lVI1e/nCVKqq6DQRSfQsiXkU1CF+Vo/xqw1Mg+LxGMqK/K3CUySUcw';
const SCRYPT_KEY = '62pJu7vJvcBHa5sJl4ofURW3cSj4HjC9cL4DQjb80FQ';

const directory = mkdtempSync(join(tmpdir(), 'import-'));
const testApp = await createTestApp();
const context = await createTestContext();
afterAll(async () => {
  rmSync(directory, { recursive: true });
  await testApp.close();
  await context.database.close();
});

type Report = {
  counts: Record<string, number>;
  faults: Record<string, number>;
  lines: { line: number; reason: string; column: string; value: string }[];
  weakLines: number[];
  rolesLeftOut: Record<string, number>;
};

/** The command on the database of the running portal. */
async function importing(name: string, content: string | object, ...words: string[]) {
  const file = join(directory, name);
  const isText = typeof content === 'string' || Buffer.isBuffer(content);
  writeFileSync(file, isText ? content : JSON.stringify(content));
  const { db, clock } = testApp;
  const audit = createAudit({ db, clock, actor: 'operator:test' });
  const made = await operate({ ...context, db, clock, audit }, 'user', 'import', file, ...words);
  return { ...made, data: made.data as Report };
}
const accountOf = (email: string) =>
  testApp.db
    .selectFrom('users')
    .selectAll()
    .select((eb) =>
      eb
        .selectFrom('user_roles')
        .whereRef('user_id', '=', 'users.id')
        .select((of) => of.fn<number[]>('array_agg', ['role_id']).as('ids'))
        .as('roles'),
    )
    .where('email', '=', email)
    .executeTakeFirstOrThrow();
const events = async () =>
  (await testApp.db.selectFrom('audit_events').orderBy('id').selectAll().execute()).filter(
    ({ kind }) => kind === 'account.imported',
  );
/** The server seals its audit log at a time of its own. */
const dumpWithoutLog = async () =>
  (await testApp.dump()).split('\n== ').filter((table) => !table.startsWith('audit_'));
const countAccounts = async () =>
  (await testApp.db.selectFrom('users').select('id').execute()).length;

describe('[OPS-43] the same person from each system', () => {
  const auth0 = {
    email: 'auth0@example.test',
    email_verified: true,
    given_name: 'nora',
    family_name: 'Lind',
    phone_number: '+1 (212) 555-0142',
    blocked: true,
    app_metadata: { roles: [3, 'admin'], subtenant: 3 },
    identities: [{ provider: 'auth0' }],
  };
  const keycloak = {
    realm: 'porch',
    users: [
      {
        id: 'k1',
        email: 'keycloak@example.test',
        emailVerified: true,
        enabled: false,
        firstName: 'nora',
        lastName: 'Lind',
        attributes: { phoneNumber: ['+12125550142'], subtenant: ['3'] },
        realmRoles: ['Staff', 'Admin', 'default-roles-porch', 'offline_access'],
        credentials: [
          { type: 'otp', secretData: '{}' },
          {
            type: 'password',
            secretData: JSON.stringify({ value: `${SHA256_KEY}==`, salt: `${SALT}==` }),
            credentialData: JSON.stringify({ hashIterations: 1000, algorithm: 'pbkdf2-sha256' }),
          },
        ],
      },
    ],
  };
  const csv =
    '\uFEFFEmail,First name,lastName,phone,roles,subtenant,email_verified,suspended,password_hash,external_id\r\n' +
    `csv@example.test,nora,Lind,+1 212 555-0142,"3,Admin",porchlight academy,TRUE,yes,${BCRYPT},c1\r\n`;
  const ndjson = {
    email: 'ndjson@example.test',
    firstName: 'nora',
    last_name: 'Lind',
    phone: '+12125550142',
    roles: ['3', 4],
    subtenant: 3,
    emailVerified: true,
    suspended: true,
    passwordHash: BCRYPT,
    externalId: 'n1',
  };
  const pbkdf2 = `$pbkdf2-sha256$i=1000,l=32$${SALT}$/1goUFicruNo+Y04KT1B2sApMC9AwVk6tRYSDMdIoYY`;

  test.each([
    ['csv', 'people.csv', csv, [], 'csv@example.test', 'c1', BCRYPT],
    ['ndjson', 'people.ndjson', ndjson, [], 'ndjson@example.test', 'n1', BCRYPT],
    [
      'auth0, a line',
      'lines.json',
      `\n${JSON.stringify({ ...auth0, user_id: 'auth0|1', passwordHash: BCRYPT })}\n`,
      ['--format', 'auth0'],
      'auth0@example.test',
      'auth0|1',
      BCRYPT,
    ],
    [
      'auth0, a list',
      'list.json',
      [
        {
          ...auth0,
          email: 'list@example.test',
          _id: { $oid: '2' },
          given_name: undefined,
          family_name: undefined,
          name: 'nora Lind',
          custom_password_hash: { algorithm: 'bcrypt', hash: { value: BCRYPT, encoding: 'utf8' } },
        },
      ],
      ['--format', 'auth0'],
      'list@example.test',
      'auth0|2',
      BCRYPT,
    ],
    [
      'keycloak',
      'realm.json',
      keycloak,
      ['--format', 'keycloak'],
      'keycloak@example.test',
      'k1',
      pbkdf2,
    ],
  ] as const)('%s', async (_, name, content, words, email, externalId, hash) => {
    const { data, hasFailed } = await importing(name, content, ...words);
    expect(data).toMatchObject({ counts: { rows: 1, added: 1, failed: 0, weak: 1 }, faults: {} });
    expect(hasFailed).toBe(false);
    const account = await accountOf(email);
    expect(account).toMatchObject({
      first_name: 'nora',
      last_name: 'Lind',
      mobile: '+12125550142',
      subtenant_id: 3,
      status: 'inactive',
      password_hash: hash,
      external_id: externalId,
      email_proven_at: null,
      mail_codes_only: true,
    });
    expect(account.roles?.toSorted()).toEqual([3, 4]);
  });

  test('what a file leaves out: Member of 742, active, without a password; or what the command says', async () => {
    await importing('bare.csv', 'email\nbare@example.test\n');
    expect(await accountOf('bare@example.test')).toMatchObject({
      roles: [1],
      subtenant_id: 742,
      status: 'active',
      password_hash: null,
      external_id: null,
    });
    const words = ['--role', '3', '--subtenant', '900'];
    const { data } = await importing('other.csv', 'email\nother@example.test\n', ...words);
    expect(await accountOf('other@example.test')).toMatchObject({ roles: [3], subtenant_id: 900 });
    expect(data.counts).toMatchObject({ withoutPassword: 1, weak: 0 });
    const visitor = testApp.visitor();
    expect((await visitor.authenticate('bare@example.test', PASSWORD)).status).toBe(403);
  });
});

const hashOf = (value: object) => ({ custom_password_hash: value });
const credential = (secret: object, data: object) => ({
  type: 'password',
  secretData: JSON.stringify(secret),
  credentialData: JSON.stringify(data),
});

describe('[OPS-44] the password of before signs in', () => {
  test.each([
    ['bcrypt', PASSWORD, BCRYPT],
    // An example of hashcat. All forms are in hash-formats.test.ts.
    [
      'Django',
      'hashcat',
      'pbkdf2_sha256$20000$H0dPx8NeajVu$GiC4k5kqbbR9qWBlsRgDywNqC2vd9kqfk7zdorEnNas=',
    ],
  ])('%s: a wrong one is refused, the right one is hashed anew', async (name, password, text) => {
    const email = `${name.replaceAll(' ', '-')}@hash.test`;
    const row = { email, password_hash: text };
    expect((await importing('one.ndjson', row)).data.counts.added).toBe(1);
    await signsIn(email, password);
  });

  test.each([
    [
      'scrypt by its parts, in hex',
      {
        algorithm: 'scrypt',
        hash: { value: Buffer.from(SCRYPT_KEY, 'base64').toString('hex'), encoding: 'hex' },
        salt: { value: SALT, encoding: 'base64' },
        keylen: 32,
        cost: 1024,
        parallelization: 2,
      },
    ],
    [
      'PBKDF2 in base64',
      {
        algorithm: 'pbkdf2',
        hash: {
          value: Buffer.from(`$pbkdf2-sha512$i=1000,l=64$${SALT}$${SHA512_KEY}`).toString('base64'),
          encoding: 'base64',
        },
      },
    ],
  ])('Auth0: %s', async (name, hash) => {
    const email = `auth0-${name.length}@hash.test`;
    const file = [{ email, ...hashOf(hash) }];
    const { data: told } = await importing('auth0.json', file, '--format', 'auth0');
    expect(told.counts.added).toBe(1);
    await signsIn(email, PASSWORD);
  });

  test.each([
    ['pbkdf2', PASSWORD, { value: SHA1_KEY, salt: SALT }, { hashIterations: 1000 }],
    ['pbkdf2-sha512', PASSWORD, { value: SHA512_KEY, salt: SALT }, { hashIterations: 1000 }],
    // The tests of argon2's reference implementation; Keycloak writes each parameter as a list.
    [
      'argon2',
      'password',
      { value: 'iekCn0Y3spW+sCcFanM2xBT63UP2sghkUoHLIUpWRS8=', salt: 'c29tZXNhbHQ=' },
      {
        hashIterations: 2,
        additionalParameters: {
          hashLength: ['32'],
          memory: ['256'],
          type: ['i'],
          version: ['1.3'],
          parallelism: ['1'],
        },
      },
    ],
  ])('Keycloak: %s', async (algorithm, password, secret, data) => {
    const email = `${algorithm}@keycloak.test`;
    const users = [{ email, credentials: [credential(secret, { algorithm, ...data })] }];
    const { data: told } = await importing('realm.json', { users }, '--format', 'keycloak');
    expect(told.counts.added).toBe(1);
    await signsIn(email, password);
  });

  async function signsIn(email: string, password: string): Promise<void> {
    const before = (await accountOf(email)).password_hash;
    const wrong = await testApp.visitor().authenticate(email, `${password}!`);
    expect(wrong.status).toBe(403);
    expect((await accountOf(email)).password_hash).toBe(before);
    expect((await testApp.visitor().authenticate(email, password)).status).toBe(200);
    const after = (await accountOf(email)).password_hash;
    expect(after).not.toBe(before);
    expect(after).toMatch(/^\$argon2id\$v=19\$m=8,t=1,p=1\$/);
    expect((await testApp.visitor().authenticate(email, password)).status).toBe(200);
    expect((await testApp.visitor().authenticate(email, `${password}!`)).status).toBe(403);
  }
});

/** Each line from line 2, with its fault, column and shown value. */
const FAULTS: readonly (readonly [string, string, string, string])[] = [
  ['no-address,Nora,,,,,,,', 'badEmail', 'email', 'no-address'],
  ['a@b@example.test,Nora,,,,,,,', 'badEmail', 'email', 'a@b@example.test'],
  [`${demoEmail('member')},Nora,,,,,,,`, 'taken', 'email', demoEmail('member')],
  [
    `${demoEmail('member').toUpperCase()},Nora,,,,,,,`,
    'duplicate',
    'email',
    demoEmail('member').toUpperCase(),
  ],
  ['name@fault.test,No\tra,,,,,,,', 'badName', 'first_name', 'No?ra'],
  [`long@fault.test,${'n'.repeat(101)},,,,,,,`, 'badName', 'first_name', ''],
  ['phone@fault.test,Nora,2125550142,,,,,,', 'badPhone', 'phone', '2125550142'],
  ['role@fault.test,Nora,,3;12,,,,,', 'unknownRole', 'roles', '12'],
  ['role2@fault.test,Nora,,Owner,,,,,', 'unknownRole', 'roles', 'Owner'],
  ['subtenant@fault.test,Nora,,,7,,,,', 'unknownSubtenant', 'subtenant', '7'],
  ['closed@fault.test,Nora,,,77,,,,', 'unknownSubtenant', 'subtenant', '77'],
  ['flag@fault.test,Nora,,,,maybe,,,', 'badFlag', 'email_verified', ''],
  ['flag2@fault.test,Nora,,,,,off,,', 'badFlag', 'suspended', ''],
  [
    'hash@fault.test,Nora,,,,,,5f4dcc3b5aa765d61d8327deb882cf99,',
    'unknownHash',
    'password_hash',
    'MD5 or NTLM (32 digits)',
  ],
  [
    `costly@fault.test,Nora,,,,,,${BCRYPT.replace('04', '31')},`,
    'dangerousHash',
    'password_hash',
    'bcrypt',
  ],
  [`id@fault.test,Nora,,,,,,,${'i'.repeat(256)}`, 'badExternalId', 'external_id', ''],
  ['short@fault.test,Nora', 'badRow', '', ''],
  ['"quote@fault.test" ,Nora,,,,,,,', 'badRow', '', ''],
];
const FAULTY = [
  'email,first_name,phone,roles,subtenant,email_verified,suspended,password_hash,external_id',
  ...FAULTS.map(([line]) => line),
  `good@fault.test,Nora,,,,,,${BCRYPT},g1`,
].join('\n');

describe('rows with faults', () => {
  beforeAll(async () => {
    await testApp.db
      .insertInto('subtenants')
      .values({
        id: 77,
        name: 'Closed',
        logo_path: '/logos/742.svg',
        accent: null,
        is_active: false,
      })
      .execute();
  });
  const expected = FAULTS.map(([, reason, column, value], at) => ({
    line: at + 2,
    reason,
    column,
    value,
  }));

  test('[OPS-45] a dry run says who would fail, and writes nothing but the report', async () => {
    const before = await dumpWithoutLog();
    const report = join(directory, 'dry.json');
    const dry = await importing('faults.csv', FAULTY, '--dry-run', '--report', report);
    expect(await dumpWithoutLog()).toEqual(before);
    expect(dry.hasFailed).toBe(true);
    expect(dry.data).toMatchObject({
      isDryRun: true,
      counts: { rows: FAULTS.length + 1, added: 1, failed: FAULTS.length },
      lines: expected,
      weakLines: [FAULTS.length + 2],
    });
    expect(JSON.parse(readFileSync(report, 'utf8'))).toEqual(dry.data);
    expect(statSync(report).mode & 0o777).toBe(0o600);
    expect(dry.text).toContain('Nothing was written.');
    expect(dry.text).toContain("\nLine 2, email 'no-address': the address is no email address\n");
    expect(dry.text).toContain('\nLine 18: the row cannot be read\n');
  });

  test('[OPS-46] each fails alone, with its line and reason, and no account that is there changes', async () => {
    const email = demoEmail('member');
    const before = await accountOf(email);
    const { data, hasFailed, text } = await importing('faults.csv', FAULTY);
    expect(hasFailed).toBe(true);
    expect(data.lines).toEqual(expected);
    expect(data.faults).toMatchObject({ badEmail: 2, taken: 1, unknownRole: 2, badRow: 2 });
    expect(await accountOf(email)).toEqual(before);
    expect((await accountOf('good@fault.test')).password_hash).toBe(BCRYPT);
    expect(text).toContain('19 rows: 1 added, 0 there already, 18 failed.');
  });

  test('[OPS-45] no hash is printed, reported or in an event', async () => {
    const report = join(directory, 'hashes.json');
    const { text, data } = await importing('faults.csv', FAULTY, '--report', report);
    const all = [
      text,
      JSON.stringify(data),
      readFileSync(report, 'utf8'),
      JSON.stringify(await events()),
    ];
    // The columns mixed up.
    const mixed = await importing('mixed.csv', `email,roles\n${BCRYPT},${BCRYPT}\n`);
    all.push(mixed.text, JSON.stringify(mixed.data));
    for (const said of all) expect(said).not.toMatch(/\$2b\$|5f4dcc3b|\$argon2|\$pbkdf2/);
  });

  test('[OPS-45] N19: roles that every Keycloak realm has are counted, for who had nothing else becomes a member', async () => {
    const people = ['first', 'second'].map((name) => ({
      email: `${name}@realm.test`,
      realmRoles: ['default-roles-porch', ...(name === 'first' ? ['offline_access'] : [])],
    }));
    const { data, text } = await importing('r.json', { users: people }, '--format', 'keycloak');
    expect(data.rolesLeftOut).toEqual({ 'default-roles-porch': 2, offline_access: 1 });
    expect(text).toContain('2 people had the role default-roles-porch, which means nothing here.');
  });

  test('[OPS-43] S34: an address whose accent stands apart is stored in one piece', async () => {
    const { data } = await importing('nfd.ndjson', { email: 'rene\u0301@accent.test' });
    expect(data.counts.added).toBe(1);
    expect(await accountOf('ren\u00e9@accent.test')).toMatchObject({ status: 'active' });
  });

  test('[OPS-45] the first 1,000 lines are told, and all are counted', async () => {
    const rows = Array.from({ length: 1200 }, (_, n) => `no-address-${n}\n`).join('');
    const { data, text } = await importing('many.csv', `email\n${rows}`);
    expect(data.counts).toMatchObject({ rows: 1200, failed: 1200 });
    expect(data.lines).toHaveLength(1000);
    expect(data.faults).toEqual({ badEmail: 1200 });
    expect(text).toContain('first 1000');
  });

  test('[OPS-46] a field that is not known is a fault, not a loss', async () => {
    const row = { email: 'typo@fault.test', pasword_hash: BCRYPT };
    expect((await importing('typo.ndjson', row)).data.faults).toEqual({ unknownField: 1 });
    const csv = `email,pasword_hash\ntypo@fault.test,${BCRYPT}\n`;
    await expect(importing('typo.csv', csv)).rejects.toThrow('Not known: pasword_hash.');
    await expect(importing('empty.csv', '')).rejects.toThrow('has to name the columns');
    await expect(importing('plain.csv', 'email,password\n')).rejects.toThrow(
      'Not known: password.',
    );
  });

  test.each([
    ['a sum of SHA-1', { algorithm: 'sha1', hash: { value: 'aa', encoding: 'hex' } }],
    [
      'a salt of somebody’s own',
      { algorithm: 'bcrypt', hash: { value: BCRYPT }, salt: { value: 'x' } },
    ],
    ['no value', { algorithm: 'bcrypt', hash: {} }],
    [
      'another length',
      { algorithm: 'scrypt', hash: { value: 'x'.repeat(32) }, salt: { value: 'x' }, keylen: 64 },
    ],
  ])('[OPS-46] Auth0: %s is no known hash', async (_, hash) => {
    const users = [{ email: 'odd@fault.test', ...hashOf(hash) }];
    const { data } = await importing('odd.json', users, '--format', 'auth0');
    expect(data.faults).toEqual({ unknownHash: 1 });
  });

  test.each([
    ['another algorithm', credential({ value: SHA1_KEY, salt: SALT }, { algorithm: 'md5' })],
    ['no rounds', credential({ value: SHA1_KEY, salt: SALT }, { algorithm: 'pbkdf2' })],
    ['no JSON', { type: 'password', secretData: '{', credentialData: '' }],
  ])('[OPS-46] Keycloak: %s is no known hash', async (_, broken) => {
    const users = [{ email: 'odd@fault.test', credentials: [broken] }];
    const { data } = await importing('odd.json', { users }, '--format', 'keycloak');
    expect(data.faults).toEqual({ unknownHash: 1 });
  });
});

describe('[OPS-47] batches and second runs', () => {
  const file = (count: number) =>
    `email,external_id\n${Array.from({ length: count }, (_, n) => `p${n}@batch.test,${n}\n`).join('')}`;

  test('a batch has one event, with counts and the hash of the file', async () => {
    const before = (await events()).length;
    const { data } = await importing('batch.csv', file(501));
    const made = (await events()).slice(before);
    expect(made.map(({ details }) => details)).toMatchObject([
      {
        file: (data as unknown as { sha256: string }).sha256,
        fromLine: 2,
        toLine: 501,
        added: 500,
      },
      {
        file: (data as unknown as { sha256: string }).sha256,
        fromLine: 502,
        toLine: 502,
        added: 1,
      },
    ]);
    expect(made[0]).toMatchObject({ actor: 'operator:test', user_id: null });
    expect((data as unknown as { sha256: string }).sha256).toMatch(/^[\da-f]{64}$/);
  });

  test(
    'a second run changes nothing, and a run that broke off goes on',
    { tags: 'long' },
    async () => {
      await importing('batch.csv', file(501));
      const eventsOf = async () =>
        (await testApp.db.selectFrom('audit_events').select('id').execute()).length;
      const before = [await dumpWithoutLog(), await eventsOf()];
      const again = await importing('batch.csv', file(501));
      expect(again.hasFailed).toBe(false);
      expect(again.data.counts).toMatchObject({ added: 0, present: 501, failed: 0 });
      expect([await dumpWithoutLog(), await eventsOf()]).toEqual(before);
      const { data } = await importing('batch.csv', file(503));
      expect(data.counts).toMatchObject({ added: 2, present: 501 });
    },
  );

  test('a batch goes in as one or not at all', async () => {
    const accounts = await countAccounts();
    const { db, clock } = testApp;
    const path = join(directory, 'whole.csv');
    writeFileSync(path, 'email\nwhole@batch.test\n');
    const audit = () => Promise.reject(new Error('no event'));
    const run = operate({ ...context, db, clock, audit }, 'user', 'import', path);
    await expect(run).rejects.toThrow('no event');
    expect(await countAccounts()).toBe(accounts);
  });

  test('an account with another id has taken the address', async () => {
    await importing('id.csv', 'email,external_id\nid@batch.test,1\n');
    const { data } = await importing('id.csv', 'email,external_id\nID@batch.test,2\n');
    expect(data).toMatchObject({ counts: { present: 0 }, faults: { taken: 1 } });
  });
});

describe('[OPS-48] whose address', () => {
  const row = (email: string) => ({
    email,
    emailVerified: true,
    phone: '+12125550142',
    passwordHash: BCRYPT,
  });

  test('what was proven elsewhere is not proven here; the mailed code does it, and no text before', async () => {
    const email = 'unproven@proof.test';
    await importing('proof.ndjson', row(email));
    const { sent } = await testApp.visitor().reachCode(email, PASSWORD);
    expect(JSON.stringify(sent)).not.toContain('0142');
    expect(await testApp.inbox('12125550142')).toEqual([]);
    await testApp.visitor().signIn(email, PASSWORD);
    const after = await accountOf(email);
    expect(after).toMatchObject({ mail_codes_only: false, phone_proven_at: null });
    expect(after.email_proven_at).not.toBeNull();
  });

  test('with --trust-proof it is, where the file says so', async () => {
    const rows = [
      JSON.stringify(row('trusted@proof.test')),
      JSON.stringify({ ...row('never@proof.test'), emailVerified: false }),
    ];
    await importing('trust.ndjson', rows.join('\n'), '--trust-proof');
    const trusted = await accountOf('trusted@proof.test');
    expect(trusted.mail_codes_only).toBe(false);
    expect(trusted.email_proven_at).not.toBeNull();
    const never = await accountOf('never@proof.test');
    expect(never).toMatchObject({ mail_codes_only: true, email_proven_at: null });
  });
});

test('[OPS-44] with an Auth0 tenant its passwords stay there', async () => {
  const { db, clock } = testApp;
  const audit = createAudit({ db, clock, actor: 'operator:test' });
  const path = join(directory, 'tenant.csv');
  writeFileSync(path, `email,password_hash\ntenant@example.test,${BCRYPT}\n`);
  const tenant = {} as NonNullable<typeof context.config.tenant>;
  const config = { ...context.config, tenant };
  const { text } = await operate({ ...context, db, clock, audit, config }, 'user', 'import', path);
  expect(text).toContain('the Auth0 tenant keeps the passwords');
  expect((await accountOf('tenant@example.test')).password_hash).toBeNull();
});

test('a person whose name nobody gave is greeted without one', async () => {
  await importing('nameless.csv', 'email\nnameless@example.test\n');
  const body = { userName: 'nameless@example.test', emailID: 'nameless@example.test' };
  await testApp.visitor().ok('forgotPassword', { body });
  const [mail] = await testApp.inbox('nameless@example.test');
  expect(mail?.text).toMatch(/^Hello,$/m);
});

describe('files', () => {
  test('[OPS-43] what cannot be read is said, and a report that is there stays', async () => {
    const missing = operate(context, 'user', 'import', join(directory, 'none.csv'));
    await expect(missing).rejects.toThrow('none.csv cannot be read');
    const realm = importing('realm.json', { realm: 'x' }, '--format', 'keycloak');
    await expect(realm).rejects.toThrow('has no list of users');
    const latin = Buffer.from('email,first_name\nlatin@example.test,Zo\xeb\n', 'latin1');
    await expect(importing('latin.csv', latin)).rejects.toThrow('is not UTF-8');
    const report = join(directory, 'kept.json');
    writeFileSync(report, 'kept');
    const run = importing('kept.csv', 'email\nkept@example.test\n', '--report', report);
    await expect(run).rejects.toThrow('The report cannot be written');
    expect(readFileSync(report, 'utf8')).toBe('kept');
    const closed = importing('kept.csv', 'email\nkept@example.test\n', '--subtenant', '77');
    await expect(closed).rejects.toThrow('There is no open subtenant 77');
  });

  test.each([
    [['import'], 'Usage:'],
    [['import', 'a.csv', 'b.csv'], 'Usage:'],
    [['import', 'a.csv', '--yes'], 'Usage:'],
    [['import', 'a.json'], 'Say what a.json is'],
    [['import', '-'], 'Say what - is'],
    [['import', 'a.csv', '--format', 'ldif'], 'ldif is no format'],
    [['import', 'a.csv', '--role', '99'], '99 is no role'],
  ])('[OPS-43] before anything is opened: %j', (words, said) => {
    expect(() => readCommand(['user', ...words])).toThrow(said);
  });
});
