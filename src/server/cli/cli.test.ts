import { execFile } from 'node:child_process';
import { readFileSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { openDatabase } from '../db/database.ts';
import { seedDemo } from '../demo/seed.ts';
import { createAudit } from '../audit/audit.ts';
import { createSecretBox } from '../crypto/secret-box.ts';
import { SECRET, testConfig } from '../testing/test-app.ts';
import { readCommand } from './commands.ts';
import { makeDataDirectory } from '../testing/database-copies.ts';
import { PROCESS_ENV } from '../testing/server-process.ts';
import { createTestClock } from '../testing/test-clock.ts';
import { openTestDatabase, type TestDatabase } from '../testing/test-database.ts';

const ROOT = fileURLToPath(new URL('../../../', import.meta.url));
const directory = await makeDataDirectory();
const clock = createTestClock();
clock.pin(new Date('2026-11-21T16:30:00.000Z'));
// Some commands run in a process of their own, which makes its embedded database.
vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 });

type Ended = { readonly code: number; readonly out: string; readonly err: string };

/** The command as `npm run` starts it, on an embedded database of its own. */
function start(...args: string[]): Promise<Ended> {
  return new Promise((resolve) => {
    execFile(
      process.execPath,
      ['src/server/cli/main.ts', ...args],
      { cwd: ROOT, env: { ...PROCESS_ENV, PORCHLIGHT_DATA_DIR: directory } },
      (error, out, err) => resolve({ code: error ? Number(error.code) : 0, out, err }),
    );
  });
}

let database: TestDatabase;
/** The command itself, on the database of the tests. */
async function operate(...words: string[]): Promise<string> {
  const { db } = database;
  const config = testConfig('http://localhost:3000');
  const context = {
    db,
    clock,
    config,
    secretBox: createSecretBox(SECRET),
    audit: createAudit({ db, clock }),
  };
  const run = readCommand(words);
  return (await run({ config: () => config, withDatabase: (work) => work(context) })).text;
}

beforeAll(async () => {
  database = await openTestDatabase();
  const { db } = database;
  await seedDemo(db, clock, async () => 'hash');
  const [user] = await db.selectFrom('users').select('id').orderBy('id').execute();
  const answer = (response_id: number, sub_response: string, subject_id = 213) => ({
    id: crypto.randomUUID(),
    user_id: user?.id ?? 0,
    subject_id,
    response_id,
    sub_response,
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

describe('[SUP-17] npm run survey -- export', () => {
  test('one line an answer, with who gave it; nothing a spreadsheet would run', async () => {
    const out = await operate('survey', 'export');
    const [header, first, second] = out.split('\r\n');
    expect(header).toBe(
      'answered_at,account_id,account_status,subtenant_id,subtenant,email,first_name,last_name,subject_id,response_id,answer,text',
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
});

describe('[SUP-14] npm run promo', () => {
  test('adds, changes and lists; a cap below what was used is refused', async () => {
    expect(
      await operate('promo', 'add', 'spring-30', '--until', '2027-01-31', '--uses', '50'),
    ).toBe('SPRING-30 is saved.\n');
    await database.db
      .updateTable('promo_codes')
      .set({ used: 7 })
      .where('code', '=', 'SPRING-30')
      .execute();
    await expect(operate('promo', 'add', 'SPRING-30', '--uses', '6')).rejects.toThrow(
      'was used more often',
    );
    expect(await operate('promo', 'list')).toBe(
      'code, valid until, most uses, used\nSPRING-30, 2027-01-31T23:59:59.999Z, 50, 7\nWELCOME30, no end, any number, 0\n',
    );
    await operate('promo', 'add', 'SPRING-30');
    expect(await operate('promo', 'list')).toContain('SPRING-30, no end, any number, 7');
  });

  test.each([
    [],
    ['promo'],
    ['survey', 'import'],
    ['promo', 'add'],
    ['promo', 'add', 'a b'],
    ['promo', 'add', 'GOOD-1', '--uses', '0'],
    ['promo', 'add', 'GOOD-1', '--uses', 'many'],
    ['promo', 'add', 'GOOD-1', '--until', '2027-02-31'],
    ['promo', 'add', 'GOOD-1', '--until', 'soon'],
    ['promo', 'list', '--what'],
    ['constructor'],
  ])('anything else says how it is meant: %j', (...args) => {
    expect(() => readCommand(args.flat())).toThrow('Usage:');
  });
});

describe('as `npm run` starts it', () => {
  test('prints to its own streams, and ends with 0 or 1', async () => {
    expect(await start('promo', 'add', 'spring-30')).toEqual({
      code: 0,
      out: 'SPRING-30 is saved.\n',
      err: '',
    });
    const refused = await start('promo', 'add', 'a b');
    expect(refused).toMatchObject({ code: 1, out: '' });
    expect(refused.err).toContain('npm run promo -- add CODE');
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
