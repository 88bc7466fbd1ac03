import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { toCsv } from '#domain/text/csv.ts';
import { toSpreadsheet } from '#server/catalog/survey-export.ts';
import { createAudit } from '#server/audit/audit.ts';
import { operate } from '#server/testing/operate.ts';
import { createTestApp, createTestContext } from '#server/testing/test-app.ts';

/* [OPS-43] What spreadsheets and other systems do to a table of people. */

const directory = mkdtempSync(join(tmpdir(), 'import-tables-'));
const testApp = await createTestApp();
const context = await createTestContext();
afterAll(async () => {
  rmSync(directory, { recursive: true });
  await testApp.close();
  await context.database.close();
});

type Line = { line: number; reason: string; column: string; value: string };
type Report = {
  counts: Record<string, number>;
  faults: Record<string, number>;
  lines: Line[];
  notes: Line[];
  hashKinds: Record<string, number>;
  columnsLeftOut: string[];
};

async function importing(name: string, content: string | Buffer, ...words: string[]) {
  const file = join(directory, name);
  writeFileSync(file, content);
  const { db, clock } = testApp;
  const audit = createAudit({ db, clock, actor: 'operator:test' });
  const made = await operate({ ...context, db, clock, audit }, 'user', 'import', file, ...words);
  return { ...made, data: made.data as Report };
}
const peopleOf = (domain: string) =>
  testApp.db
    .selectFrom('users')
    .select(['email', 'first_name', 'last_name', 'mobile', 'external_id', 'status'])
    .select((eb) =>
      eb
        .selectFrom('user_roles')
        .whereRef('user_id', '=', 'users.id')
        .select((of) => of.fn<number[]>('array_agg', ['role_id']).as('ids'))
        .as('roles'),
    )
    .where('email', 'like', `%@${domain}`)
    .orderBy('email')
    .execute();

let tables = 0;
/** The same two people, in a table of rows that are joined as one likes. */
async function imports(make: (rows: readonly (readonly string[])[]) => string | Buffer) {
  const domain = `table${(tables += 1)}.test`;
  const rows = [
    ['Email', 'First name', 'Last_Name', 'PHONE', 'roles', 'email verified'],
    [`a@${domain}`, 'Núñez', 'Lind, the second', '+12125550142', '3;4', 'TRUE'],
    [`b@${domain}`, 'Zoë', 'said "no"', '', '', 'FALSE'],
  ];
  const { data } = await importing(`${domain}.csv`, make(rows), '--trust-proof');
  return { people: await peopleOf(domain), data, domain };
}
const quoted = (text: string) => `"${text.replaceAll('"', '""')}"`;
const joined =
  (separator: string, end = '\r\n', quote = quoted) =>
  (rows: readonly (readonly string[])[]) =>
    rows.map((row) => row.map(quote).join(separator) + end).join('');
/** As spreadsheets do: quotes where they are needed. */
const sparing = (separator: string) => (text: string) =>
  text.includes(separator) || /["\r\n]/.test(text) ? quoted(text) : text;
const utf16 = (text: string) => Buffer.from(`\uFEFF${text}`, 'utf16le');

describe('[OPS-43] one table, as spreadsheets save it', () => {
  test.each<[string, (rows: readonly (readonly string[])[]) => string | Buffer]>([
    ['with commas', joined(',')],
    ['with semicolons', joined(';')],
    ['with semicolons, few quotes', joined(';', '\r\n', sparing(';'))],
    ['with tabs', joined('\t')],
    ['with tabs, few quotes', joined('\t', '\n', sparing('\t'))],
    ['with LF', joined(';', '\n')],
    ['with CR', joined(';', '\r')],
    ['with a mark of the byte order', (rows) => `\uFEFF${joined(';')(rows)}`],
    ['with sep=;', (rows) => `sep=;\r\n${joined(';')(rows)}`],
    ['with a mark and "SEP=,"', (rows) => `\uFEFF"SEP=,"\r\n${joined(',')(rows)}`],
    ['with sep= and a tab', (rows) => `sep=\t\n${joined('\t')(rows)}`],
    ['as Unicode text', (rows) => utf16(joined('\t', '\r\n', sparing('\t'))(rows))],
    ['in UTF-16, big endian', (rows) => utf16(joined('\t')(rows)).swap16()],
    ['in UTF-16 without a mark', (rows) => Buffer.from(joined(';')(rows), 'utf16le')],
    ['with empty columns', (rows) => joined(';')(rows.map((row) => [...row, '', ' ']))],
    [
      'with empty rows',
      (rows) => joined(';')([...rows, ['', '', ''], [' ', '', '', '', '', '', '']]),
    ],
    ['with an empty first line', (rows) => `\r\n${joined(';')(rows)}`],
    ['with a first line of blanks', (rows) => ` \n${joined('\t')(rows)}`],
    ['without a last end of line', (rows) => joined(';')(rows).trimEnd()],
    [
      'with texts as formulas',
      (rows) => joined(',')(rows.map((row) => row.map((c) => `="${c.replaceAll('"', '')}"`))),
    ],
    [
      'with texts as bare formulas',
      (rows) => joined(',', '\n', (c) => `="${c.replaceAll('"', '')}"`)(rows),
    ],
    ['by our own writer', toCsv],
    [
      'in German',
      (rows) => joined(';')(rows).replace('"TRUE"', 'WAHR').replace('"FALSE"', 'FALSCH'),
    ],
    [
      'in Spanish',
      (rows) => joined(';')(rows).replace('"TRUE"', 'VERDADERO').replace('"FALSE"', 'FALSO'),
    ],
  ])('%s', async (name, make) => {
    const { people, data, domain } = await imports(make);
    expect(data.lines).toEqual([]);
    expect(people).toMatchObject([
      {
        email: `a@${domain}`,
        first_name: 'Núñez',
        last_name: 'Lind, the second',
        mobile: '+12125550142',
      },
      {
        email: `b@${domain}`,
        first_name: 'Zoë',
        last_name: name.endsWith('formulas') ? 'said no' : 'said "no"',
        mobile: '',
      },
    ]);
    expect(people.map(({ roles }) => roles?.toSorted())).toEqual([[3, 4], [1]]);
  });

  test('what is not UTF-8 is told with its line and its kind', async () => {
    const rows =
      'email;first_name\r\na@latin.test;Ann\r\nb@latin.test;Zo\xeb\r\nc@latin.test;Bo\r\n';
    await expect(importing('latin.csv', Buffer.from(rows, 'latin1'))).rejects.toThrow(
      'is not UTF-8 in line 3: so Excel saves "CSV" (Windows-1252). Save it as "CSV UTF-8".',
    );
  });

  test('lines are told as editors count them, whatever ends them', async () => {
    for (const end of ['\r\n', '\n', '\r']) {
      const text = [
        'sep=;',
        'email;first_name',
        '',
        '"a@line',
        'two";x',
        'b-line;y',
        'c@line.test',
      ].join(end);
      const { data } = await importing('lines.csv', text);
      const [first, second, third] = data.lines;
      expect([first?.line, second?.line, third?.line]).toEqual(
        end === '\r' ? [4, 5, 6] : [4, 6, 7],
      );
      expect([first, second, third].map((each) => each?.reason)).toEqual([
        'badEmail',
        'badEmail',
        'badRow',
      ]);
    }
  });
});

describe('[OPS-43] numbers', () => {
  const numbers = async (texts: readonly string[], ...words: string[]) => {
    const domain = `number${(tables += 1)}.test`;
    const rows = texts.map((text, at) => [`p${at}@${domain}`, text].map(quoted).join(';'));
    const { data, text } = await importing('n.csv', `email;phone\n${rows.join('\n')}\n`, ...words);
    const people = await peopleOf(domain);
    const at = (row: number) =>
      people.find(({ email }) => email.startsWith(`p${row}@`))?.mobile ??
      data.lines.find(({ line }) => line === row + 2)?.reason;
    return { read: texts.map((_, row) => at(row)), people, data, text };
  };

  test.each([
    ['2125550142', 'badPhone', '+12125550142'],
    ['(212) 555-0142', 'badPhone', '+12125550142'],
    ['12125550142', 'badPhone', '+12125550142'],
    ['212.555.0142', 'badPhone', '+12125550142'],
    ['٢١٢٥٥٥٠١٤٢', 'badPhone', '+12125550142'],
    ['+1 (212) 555-0142', '+12125550142', '+12125550142'],
    ['\u202A+12125550142\u202C', '+12125550142', '+12125550142'],
    ["'+12125550142", '+12125550142', '+12125550142'],
    ['0012125550142', '+12125550142', '+12125550142'],
    ['+254 712 345678', '+254712345678', '+254712345678'],
    ['2.12556E+09', 'roundedPhone', 'roundedPhone'],
    ['2,12556E+09', 'roundedPhone', 'roundedPhone'],
    ['1.21256e+10', 'roundedPhone', 'roundedPhone'],
    ['+1 212 555 0142 x123', 'phoneExtension', 'phoneExtension'],
    ['+12125550142 ext. 4', 'phoneExtension', 'phoneExtension'],
    ['+12125550142,,5', 'phoneExtension', 'phoneExtension'],
    ['+121255501421', 'impossiblePhone', 'impossiblePhone'],
    ['+1212555014', 'impossiblePhone', 'impossiblePhone'],
    ['21255501421', 'badPhone', 'impossiblePhone'],
    ['212-555-0142 / 212-555-0199', 'badPhone', 'impossiblePhone'],
    ['none', 'badPhone', 'impossiblePhone'],
  ])('%s: %s; with --country US %s', async (given, without, withCountry) => {
    expect((await numbers([given])).read).toEqual([without]);
    expect((await numbers([given], '--country', 'us')).read).toEqual([withCountry]);
  });

  test('a lost zero and a lost plus, by the country', async () => {
    const kenya = await numbers(['712345678', '0712345678', '254712345678'], '--country', 'KE');
    expect(kenya.read).toEqual(['+254712345678', '+254712345678', '+254712345678']);
    expect(kenya.data.counts).toMatchObject({ added: 3, sameNumber: 2 });
    expect(kenya.data.notes.map(({ line, reason }) => [line, reason])).toEqual([
      [3, 'sameNumber'],
      [4, 'sameNumber'],
    ]);
    expect(kenya.text).toContain(
      "Line 3, phone '+254712345678': an earlier line has this number, too",
    );
    await expect(numbers(['1'], '--country', 'XX')).rejects.toThrow('XX is no country');
  });

  test('--without-bad-numbers takes the people and lists what was left out', async () => {
    const words = ['--without-bad-numbers', '--country', 'US'];
    const { people, data, hasFailed } = {
      ...(await numbers(['2125550142', '12', '2.1E+09'], ...words)),
      hasFailed: false,
    };
    expect(hasFailed).toBe(false);
    expect(people.map(({ mobile }) => mobile)).toEqual(['+12125550142', '', '']);
    expect(data.counts).toMatchObject({ added: 3, failed: 0, leftOut: 2 });
    expect(data.notes).toEqual([
      { line: 3, reason: 'impossiblePhone', column: 'phone', value: '12' },
      { line: 4, reason: 'roundedPhone', column: 'phone', value: '2.1E+09' },
    ]);
  });
});

const KINDS = [
  ['5f4dcc3b5aa765d61d8327deb882cf99', 'MD5 or NTLM (32 digits)'],
  ['5baa61e4c9b93f3f0682250b6cf8331b7ee68fd8', 'SHA-1 (40 digits)'],
  ['a'.repeat(64), 'SHA-256 (64 digits)'],
  ['a'.repeat(128), 'SHA-512 (128 digits)'],
  [`${'a'.repeat(32)}:salt`, 'a digest and its salt (hash:salt)'],
  ['$1$salt$qJH7.N4xYta3aEG/dfqo/0', 'md5-crypt ($1$, $apr1$)'],
  ['$apr1$salt$xxj3kZIiOdAZTXG8mwMZx1', 'md5-crypt ($1$, $apr1$)'],
  ['$5$salt$Gcm6FsVtF/Qa77ZKD.iwsJlCVPY0XSMgLJL0Hnww/c1', 'sha256-crypt ($5$)'],
  [`$6$salt$${'a'.repeat(86)}`, 'sha512-crypt ($6$)'],
  ['$y$j9T$salt$abcdefghijkl', 'yescrypt ($y$)'],
  ['{SSHA}c2FsdHNhbHRzYWx0c2FsdHNhbHRzYWx0', 'LDAP ({SHA}, {SSHA}, {SSHA512})'],
  ['{SSHA512}c2FsdA==', 'LDAP ({SHA}, {SSHA}, {SSHA512})'],
  ['{SMD5}c2FsdA==', 'LDAP ({MD5}, {SMD5})'],
  ['{CRYPT}ab01FAX.bQRSU', 'LDAP ({…})'],
  ['{PKCS5S2}c2FsdA==', 'Atlassian ({PKCS5S2})'],
  ['{noop}secret', 'Spring Security ({…})'],
  ['U$S$C33783772bRXEx1aCsvY', 'Drupal ($S$)'],
  ['$P$short', 'phpass ($P$, $H$: WordPress, phpBB)'],
  ['pbkdf2_md5$1$salt$key', 'PBKDF2 in a form of its own'],
  ['pbkdf2_sha256$1$salt$not base64', 'Django (pbkdf2_…)'],
  ['sha1$salt$abc', 'Django (md5, sha1 or crypt)'],
  ['pbkdf2:sha256:600000$salt$abc', 'Werkzeug (Flask)'],
  ['sha256:1000:salt:key', 'PBKDF2 (digest:rounds:…)'],
  ['!uNuSaBLe', 'a mark that says that there is no password (!)'],
  ['*2470C0C06DEE42FD1618BB99005ADCA2EC9D1E19', 'MySQL'],
  ['ab01FAX.bQRSU', 'DES-crypt (13 characters)'],
  ['$2b$31$abcdefghijklmnopqrstuu3cgLde/SF8dwLRAsYAnUWYKraOQuBFS', 'bcrypt'],
  ['Rocking-Chair-7', 'not recognized'],
] as const;

describe('[OPS-44] hashes that are refused', () => {
  const file = (domain: string) =>
    `email;password_hash\n${KINDS.map(([text], at) => `p${at}@${domain};${quoted(text)}\n`).join('')}`;

  test('each is told with its kind, and a dry run sums them', async () => {
    const { data, text, hasFailed } = await importing('kinds.csv', file('kinds.test'), '--dry-run');
    expect(hasFailed).toBe(true);
    expect(data.lines.map(({ line, column, value }) => [line, column, value])).toEqual(
      KINDS.map(([, kind], at) => [at + 2, 'password_hash', kind]),
    );
    const sums: Record<string, number> = {};
    for (const [, kind] of KINDS) sums[kind] = (sums[kind] ?? 0) + 1;
    expect(data.hashKinds).toEqual(sums);
    expect(text).toContain(
      '2 rows have a refused password hash of this kind: md5-crypt ($1$, $apr1$)',
    );
    for (const [hash] of KINDS) expect(text + JSON.stringify(data)).not.toContain(hash);
  });

  test('--without-unknown-hashes takes the people without a password, and lists them', async () => {
    const word = '--without-unknown-hashes';
    const { data, hasFailed } = await importing('taken.csv', file('taken.test'), word);
    expect(hasFailed).toBe(false);
    const { length } = KINDS;
    expect(data.counts).toMatchObject({ added: length, withoutPassword: length, leftOut: length });
    expect(data.notes.map(({ line, value }) => [line, value])).toEqual(
      KINDS.map(([, kind], at) => [at + 2, kind]),
    );
    expect(await peopleOf('taken.test')).toHaveLength(length);
  });
});

describe('[OPS-43] files of other systems, and our own', () => {
  test.each([[[]], [['--format', 'cognito']]])("Cognito's CSV, %j", async (words) => {
    const domain = `cognito${words.length}.test`;
    const names =
      'name,given_name,family_name,middle_name,nickname,preferred_username,profile,picture,website,email,email_verified,gender,birthdate,zoneinfo,locale,phone_number,phone_number_verified,address,updated_at,cognito:mfa_enabled,cognito:username';
    const row = `,Nora,Lind,,,,,,,a@${domain},TRUE,,,,,+12125550142,FALSE,,,FALSE,nora`;
    const other = `Bo Ek,,,,,,,,,b@${domain},FALSE,,,,,,FALSE,,,FALSE,bo`;
    const { data, text } = await importing('c.csv', [names, row, other].join('\n'), ...words);
    expect(await peopleOf(domain)).toMatchObject([
      { first_name: 'Nora', last_name: 'Lind', mobile: '+12125550142', external_id: 'nora' },
      { first_name: 'Bo', last_name: 'Ek', external_id: 'bo' },
    ]);
    expect(data.columnsLeftOut).toHaveLength(14);
    expect(text).toContain('Columns that mean nothing here were left out: middle_name, nickname');
  });

  const firebase = {
    localId: 'u1',
    email: 'json@firebase.test',
    emailVerified: true,
    passwordHash:
      'lSrfV15cpx95_sZS2W9c9Kp6i_LVgQNDNC_qzrCnh1SAyZvqmZqAjTdn3aoItz-VHjoZilo78198JAdRuid5lQ==',
    salt: '42xEC-ixf3L2lw==',
    displayName: 'Nora Lind',
    phoneNumber: '+12125550142',
    disabled: true,
    customAttributes: '{"roles":[3]}',
  };
  const asCsv = [
    'u2,csv@firebase.test,true',
    firebase.passwordHash,
    firebase.salt,
    'Nora Lind',
    ...Array.from({ length: 19 }, () => ''),
    '+12125550142',
  ].join(',');

  test.each([
    ['json', JSON.stringify({ users: [firebase] }), [3], 'inactive'],
    ['csv', `${asCsv}\n`, [1], 'active'],
  ])(
    "Firebase's file as %s: without the hash, which only Firebase can check",
    async (name, content, roles, status) => {
      const words = ['--format', 'firebase'];
      const refused = await importing(`firebase.${name}`, content, ...words);
      expect(refused.data.hashKinds).toEqual({ 'Firebase scrypt': 1 });
      expect(refused.data.counts.failed).toBe(1);
      const { data } = await importing(
        `firebase.${name}`,
        content,
        ...words,
        '--without-unknown-hashes',
      );
      expect(data.counts).toMatchObject({ added: 1, leftOut: 1 });
      const person = (await peopleOf('firebase.test')).find(({ email }) => email.startsWith(name));
      expect(person).toMatchObject({
        first_name: 'Nora',
        last_name: 'Lind',
        mobile: '+12125550142',
        status,
        roles,
      });
    },
  );

  test('the survey and a list of leads, as a browser downloads them', async () => {
    const answer = {
      answered_at: '2026-11-26',
      account_id: '7',
      account_status: 'active',
      subtenant_id: '3',
      subtenant: 'Porchlight Academy',
      email: 'a@survey.test',
      first_name: 'Núñez',
      last_name: '-Lind',
      subject_id: '1',
      response_id: '2',
      answer: 'A friend',
      text: '=1+1',
    };
    const { data } = await importing('survey.csv', `\uFEFF${toSpreadsheet([answer])}`);
    expect(data.counts).toMatchObject({ added: 1, failed: 0 });
    const leads = toCsv([
      ['Name', 'Email', 'Phone', 'Received'],
      ['Zoë Lind', 'b@survey.test', '+12125550142', 'today'],
    ]);
    expect((await importing('leads.csv', `\uFEFF${leads}`)).data.counts.added).toBe(1);
    expect(await peopleOf('survey.test')).toMatchObject([
      { first_name: 'Núñez', last_name: '-Lind' },
      { first_name: 'Zoë', last_name: 'Lind', mobile: '+12125550142' },
    ]);
  });
});
