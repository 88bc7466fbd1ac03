import {
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { OperatorError } from '#server/config/operator-error.ts';
import { type Db, openDatabase } from '#server/db/database.ts';
import { migrate } from '#server/db/migrate.ts';
import { seedDemo } from '#server/demo/seed.ts';
import { createAudit } from '#server/audit/audit.ts';
import { sealSurveyText } from '#server/accounts/survey-text.ts';
import { createSecretBox } from '#server/crypto/secret-box.ts';
import { SECRET, testConfig } from '#server/testing/test-app.ts';
import { operate as run } from '#server/testing/operate.ts';
import { readCommand } from './verbs.ts';
import { makeDataDirectory } from '#server/testing/database-copies.ts';
import { runCommand } from '#server/testing/command.ts';
import { makeNextRelease } from '#server/testing/next-release.ts';
import { createTestClock } from '#server/testing/test-clock.ts';
import { openTestDatabase } from '#server/testing/test-database.ts';

const directory = await makeDataDirectory();
const clock = createTestClock();
clock.pin(new Date('2026-11-21T16:30:00.000Z'));
/** The command in a process of its own, on an embedded database of its own. */
const start = (...args: string[]) => runCommand({ PORCHLIGHT_DATA_DIR: directory }, ...args);

/** The command itself, on the database of the tests. */
const operate = async (...words: string[]): Promise<string> =>
  (await run(contextOf(), ...words)).text;

function contextOf() {
  const { db } = database;
  const config = testConfig('http://localhost:3000');
  const audit = createAudit({ db, clock });
  return { db, clock, config, secretBox: createSecretBox(SECRET), audit };
}

const database = await openTestDatabase();
beforeAll(async () => {
  const { db } = database;
  await seedDemo(db, clock, async () => 'hash');
  const [user] = await db.selectFrom('users').select('id').orderBy('id').execute();
  const answer = (response_id: number, text: string, subject_id = 213) => ({
    id: crypto.randomUUID(),
    user_id: user?.id ?? 0,
    subject_id,
    response_id,
    ...sealSurveyText(createSecretBox(SECRET), text),
    created_at: clock.now(),
  });
  await db
    .insertInto('survey_answers')
    .values([answer(412, ''), answer(419, '=HYPERLINK("http://evil"), said "Zoë"\nand left', 217)])
    .execute();
});
afterAll(async () => {
  await database.close();
  rmSync(directory, { recursive: true, force: true });
});

describe('[OPS-90] N3: a verb that only looks writes no schema', () => {
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'porchlight-'));
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));
  const at = (...words: string[]) => runCommand({ PORCHLIGHT_DATA_DIR: folder }, ...words);

  test('where no settings name a database, it makes none and names --settings', async () => {
    for (const words of [
      ['user', 'list'],
      ['doctor', '--json'],
      ['migrate', '--status'],
    ]) {
      const { code, out, err } = await at(...words);
      expect([code, out + err]).toEqual([
        1,
        expect.stringContaining(`${folder} holds none. Add --settings FILE`),
      ]);
    }
    // A demo's secret belongs to its settings.
    expect(readdirSync(folder)).toEqual(['secret']);
  });

  test('a database of an earlier release stays as it is', async () => {
    const tablesOf = (db: Db) => db.introspection.getTables();
    const earlier = await openDatabase({ directory: folder });
    await migrate(earlier.db);
    const before = await tablesOf(earlier.db);
    await earlier.close();
    const { root, remove } = makeNextRelease();
    const env = { PORCHLIGHT_DATA_DIR: folder };
    for (const words of [
      ['user', 'list'],
      ['support', 'a@example.test'],
      ['audit', 'tail'],
    ]) {
      expect(await runCommand(env, ...words, { root })).toMatchObject({
        code: 1,
        out: '',
        err: expect.stringMatching(/Migrations that wait: 1, from 9998.* porchlight migrate/),
      });
    }
    remove();
    const after = await openDatabase({ directory: folder });
    expect(await tablesOf(after.db)).toEqual(before);
    await after.close();
  });
});

describe('[SUP-17] porchlight survey export', () => {
  test('one line an answer, with who gave it; nothing a spreadsheet would run', async () => {
    const out = await operate('survey', 'export');
    const [header, first, second] = out.split('\r\n');
    // F27: Excel reads letters beyond ASCII by the byte order mark.
    expect(header).toBe(
      '\uFEFFanswered_at,account_id,account_status,subtenant_id,subtenant,email,first_name,last_name,subject_id,response_id,answer,text',
    );
    const who =
      '4000000001,active,742,Rosewood Senior Living,member@demo.porchlight.test,Margaret,Okafor';
    const at = clock.now().toISOString();
    expect(first).toBe(`${at},${who},213,412,Friend or family,`);
    expect(second).toBe(
      `${at},${who},217,419,,"'=HYPERLINK(""http://evil""), said ""Zoë""\nand left"`,
    );
  });

  test('into a file that only its owner may read', async () => {
    const file = join(directory, 'answers.csv');
    const out = await operate('survey', 'export', '--out', file);
    expect(out).toBe(`${file}: 2 answers.\n`);
    expect(readFileSync(file, 'utf8')).toBe(await operate('survey', 'export'));
    expect(statSync(file).mode & 0o777).toBe(0o600);
  });

  test('S45: a file that is there keeps its readers, so nothing is written into it; other faults are told in words', async () => {
    const [file, link] = [join(directory, 'readable.csv'), join(directory, 'link.csv')];
    writeFileSync(file, 'kept', { mode: 0o644 });
    symlinkSync(file, link);
    for (const out of [file, link, directory]) {
      const told = operate('survey', 'export', '--out', out);
      await expect(told).rejects.toThrow(`${out} is there already and stays as it is.`);
    }
    expect(readFileSync(file, 'utf8')).toBe('kept');
    const nowhere = operate('survey', 'export', '--out', join(directory, 'no', 'answers.csv'));
    await expect(nowhere).rejects.toBeInstanceOf(OperatorError);
  });
});

test('[R50] what is done to promo codes, limits and dead letters is in the audit log', async () => {
  const { db } = database;
  await operate('promo', 'add', 'AUTUMN-30');
  await operate('limits', 'clear', 'signUpPerIp');
  const id = crypto.randomUUID();
  await db
    .insertInto('outbox')
    .values({
      id,
      kind: 'lead',
      payload: JSON.stringify({ sealed: 'x' }),
      idempotency_key: 'lead:dead',
      created_at: clock.now(),
      run_at: clock.now(),
      locked_until: null,
      expires_at: null,
      give_up_at: null,
      done_at: null,
      dead_at: clock.now(),
      last_error: 'no',
    })
    .execute();
  await operate('outbox', 'retry', id);
  await db.deleteFrom('promo_codes').where('code', '=', 'AUTUMN-30').execute();
  const kinds = await db.selectFrom('audit_events').select('kind').orderBy('id').execute();
  expect(kinds.map(({ kind }) => kind)).toEqual([
    'promo.saved',
    'limits.cleared',
    'outbox.retried',
  ]);
});

describe('[SUP-14] porchlight promo', () => {
  test('adds, changes and lists; a cap below what was used is refused', async () => {
    expect(
      await operate('promo', 'add', 'spring-30', '--until', '2027-01-31', '--uses', '50'),
    ).toBe('SPRING-30 is saved.\n');
    await database.db
      .updateTable('promo_codes')
      .set({ used: 7 })
      .where('code', '=', 'SPRING-30')
      .execute();
    await expect(operate('promo', 'set', 'SPRING-30', '--uses', '6')).rejects.toThrow(
      'was used more often',
    );
    expect(await operate('promo', 'list')).toBe(
      `${[
        'code       valid until               most uses   used',
        'SPRING-30  2027-01-31T23:59:59.999Z  50          7',
        'WELCOME30  no end                    any number  0',
      ].join('\n')}\n`,
    );
    await operate('promo', 'set', 'SPRING-30', '--until', 'none', '--uses', 'none');
    expect(await operate('promo', 'list')).toMatch(/SPRING-30 +no end +any number +7\n/);
  });

  test('N11: a code that is there stays as it is', async () => {
    expect(await operate('promo', 'add', 'SPRING-30')).toContain('is there already');
    await expect(operate('promo', 'add', 'SPRING-30', '--uses', '90')).rejects.toThrow(
      'To change it: porchlight promo set SPRING-30',
    );
    await expect(operate('promo', 'set', 'NO-SUCH-1', '--uses', '9')).rejects.toThrow(
      'There is no code NO-SUCH-1',
    );
    expect(await operate('promo', 'list')).toMatch(/SPRING-30 +no end +any number +7\n/);
  });

  test.each([
    [['promo'], 'Usage:'],
    [['survey', 'import'], "Unknown command 'import'"],
    [['promo', 'add'], "Missing required argument 'CODE'"],
    [['promo', 'add', 'a b'], 'a b is no code'],
    [['promo', 'add', 'GOOD-1', '--uses', '0'], 'The number of uses is a whole number'],
    [['promo', 'add', 'GOOD-1', '--uses', 'many'], 'The number of uses is a whole number'],
    [['promo', 'add', 'GOOD-1', '--until', '2027-02-31'], 'The end is a day'],
    [['promo', 'add', 'GOOD-1', '--until', 'soon'], 'The end is a day'],
    [['promo', 'set', 'GOOD-1'], 'Nothing was changed'],
    [['promo', 'list', '--what'], "Unknown option '--what'"],
  ])('says what is wrong: %j', (words, said) => {
    expect(() => readCommand(words)).toThrow(said);
  });
});

describe('[OPS-01] porchlight tenant', () => {
  const rowOf = (id: number) =>
    database.db.selectFrom('subtenants').selectAll().where('id', '=', id).executeTakeFirst();

  test('adds, lists, changes, closes and opens; each is in the audit log', async () => {
    expect(await operate('tenant', 'add', '31', 'Maple Court', '--accent', '#1f5fa8')).toBe(
      '31 Maple Court is added. People sign up there from now on.\n',
    );
    const logo_path = '/logos/porchlight.svg';
    const made = {
      id: 31,
      name: 'Maple Court',
      logo_path,
      accent: '#1F5FA8',
      is_active: true,
      language: null,
      help_hours: null,
    };
    expect(await rowOf(31)).toEqual(made);
    await operate('tenant', 'set', '31', '--name', 'Maple House', '--accent', 'none');
    expect(await rowOf(31)).toEqual({ ...made, name: 'Maple House', accent: null });
    await operate('tenant', 'set', '31', '--logo', '/logos/900.svg');
    await operate('tenant', 'close', '31');
    expect(await operate('tenant', 'list')).toMatch(
      /31 +Maple House +\/logos\/900.svg +the product's own +closed\n/,
    );
    await operate('tenant', 'open', '31');
    expect((await rowOf(31))?.is_active).toBe(true);
    const kinds = await database.db
      .selectFrom('audit_events')
      .select('kind')
      .where('kind', 'like', 'subtenant.%')
      .orderBy('id')
      .execute();
    expect(kinds.map(({ kind }) => kind.replace('subtenant.', ''))).toEqual([
      'added',
      'changed',
      'changed',
      'closed',
      'opened',
    ]);
  });

  test('checks the default, logos and accents, and ends with 1 for a fault', async () => {
    const look = async () => run(contextOf(), 'tenant', 'check');
    expect(await look()).toMatchObject({ hasFailed: false });
    const changes = { accent: 'blue', logo_path: '/logos/none.svg' };
    const of = (row: object) =>
      database.db.updateTable('subtenants').set(row).where('id', '=', 900).execute();
    const before = await rowOf(900);
    await of(changes);
    const { text, hasFailed } = await look();
    expect(hasFailed).toBe(true);
    expect(text).toContain('Subtenant 900 names the logo /logos/none.svg');
    expect(text).toContain('The accent of subtenant 900 is no color');
    await of({ accent: before?.accent ?? null, logo_path: before?.logo_path });
  });

  test.each([
    [['add', '742', 'Again'], 'There is a subtenant 742 already, and it differs'],
    [['set', '41', '--name', 'Nobody'], 'There is no subtenant 41.'],
    [['close', '41'], 'There is no subtenant 41.'],
    [['set', '742', '--logo', '/logos/none.svg'], 'There is no /logos/none.svg'],
    [['set', '742', '--logo', 'https://elsewhere.example/logo.png'], '/logos/742.svg'],
  ])('what cannot be is said, and nothing is changed: %j', async (words, said) => {
    const before = await operate('tenant', 'list');
    await expect(operate('tenant', ...words)).rejects.toThrow(said);
    expect(await operate('tenant', 'list')).toBe(before);
  });

  test.each([
    [['add', '0', 'Zero'], 'a whole number from 1'],
    [['add', '31x', 'Letters'], 'a whole number from 1'],
    [['add', '41', 'two\nlines'], 'one line'],
    [['set', '742', '--accent', 'blue'], '#1F5FA8'],
    [['set', '742'], 'Usage:'],
    [['close', '742', '--name', 'x'], 'Usage:'],
    [['add', '41'], 'Usage:'],
    [['list', '742'], 'Usage:'],
    [['check', '742'], 'Usage:'],
    [['what', '742'], 'Usage:'],
  ])('what is not meant so is refused before anything is opened: %j', (words, said) => {
    expect(() => readCommand(['tenant', ...words])).toThrow(said);
  });
});

describe('in a process of its own', () => {
  test('[OPS-05] prints to its own streams, and ends with 0, 1 or 2', async () => {
    await start('migrate');
    expect(await start('promo', 'add', 'spring-30')).toEqual({
      code: 0,
      out: 'SPRING-30 is saved.\n',
      err: '',
    });
    const refused = await start('promo', 'add', 'a b');
    expect(refused).toMatchObject({ code: 2, out: '' });
    expect(refused.err).toBe('a b is no code: a code has 4 to 32 letters, digits and hyphens.\n');
    expect(await start('promo', 'list', '--json')).toMatchObject({
      code: 0,
      out: `${JSON.stringify({ code: 'SPRING-30', validUntil: null, maxUses: null, used: 0 })}\n`,
    });
    const unknown = await start('tenant', 'close', '41', '--json');
    expect(unknown).toMatchObject({ code: 1, out: '' });
    expect(JSON.parse(unknown.err)).toEqual({ error: 'There is no subtenant 41.', code: 1 });
  });

  test('beside a running portal on the embedded database: a clear sentence', async () => {
    const running = await openDatabase({ directory });
    try {
      const { code, err } = await start('promo', 'list');
      expect(code).toBe(1);
      expect(err).toContain('is in use by another Porchlight');
    } finally {
      await running.close();
    }
  });
});
