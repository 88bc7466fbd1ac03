import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { openDatabase } from './db/database.ts';
import { migrate } from './db/migrate.ts';
import { seedDemo } from './db/seed.ts';
import { createTestClock } from './testing/test-clock.ts';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const directory = mkdtempSync(join(tmpdir(), 'porchlight-operate-'));
const clock = createTestClock();
clock.pin(new Date('2026-11-21T16:30:00.000Z'));
// Each command opens a database of its own, in a process of its own.
vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 });

type Ended = { readonly code: number; readonly out: string; readonly err: string };

/** The command as `npm run` starts it, on an embedded database of its own. */
function operate(...args: string[]): Promise<Ended> {
  return new Promise((resolve) => {
    execFile(
      process.execPath,
      ['src/server/operate.ts', ...args],
      { cwd: ROOT, env: { PATH: process.env.PATH, PORCHLIGHT_DATA_DIR: directory } },
      (error, out, err) => resolve({ code: error ? Number(error.code) : 0, out, err }),
    );
  });
}

async function withDatabase<T>(
  act: (db: Awaited<ReturnType<typeof openDatabase>>['db']) => Promise<T>,
): Promise<T> {
  const database = await openDatabase({ directory });
  try {
    return await act(database.db);
  } finally {
    await database.close();
  }
}

beforeAll(async () => {
  await withDatabase(async (db) => {
    await migrate(db);
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
      .values([
        answer(412, ''),
        answer(419, '=HYPERLINK("http://evil"), said "Zoë"\nand left', 217),
      ])
      .execute();
  });
});
afterAll(() => rmSync(directory, { recursive: true, force: true }));

describe('[SUP-17] npm run survey -- export', () => {
  test('one line an answer, with who gave it; nothing a spreadsheet would run', async () => {
    const { code, out } = await operate('survey', 'export');
    expect(code).toBe(0);
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
    const { out } = await operate('survey', 'export', '--out', file);
    expect(out).toBe(`${file}: 2 answers.\n`);
    expect(readFileSync(file, 'utf8')).toBe((await operate('survey', 'export')).out);
    expect(statSync(file).mode & 0o777).toBe(0o600);
  });
});

describe('[SUP-14] npm run promo', () => {
  test('adds, changes and lists; a cap below what was used is refused', async () => {
    expect(
      await operate('promo', 'add', 'spring-30', '--until', '2027-01-31', '--uses', '50'),
    ).toEqual({ code: 0, out: 'SPRING-30 is saved.\n', err: '' });
    await withDatabase((db) =>
      db.updateTable('promo_codes').set({ used: 7 }).where('code', '=', 'SPRING-30').execute(),
    );
    const refused = await operate('promo', 'add', 'SPRING-30', '--uses', '6');
    expect(refused).toMatchObject({ code: 1, out: '' });
    expect(refused.err).toContain('was used more often');
    const { out } = await operate('promo', 'list');
    expect(out).toBe(
      'code, valid until, most uses, used\nSPRING-30, 2027-01-31T23:59:59.999Z, 50, 7\nWELCOME30, no end, any number, 0\n',
    );
    expect((await operate('promo', 'add', 'SPRING-30')).code).toBe(0);
    expect((await operate('promo', 'list')).out).toContain('SPRING-30, no end, any number, 7');
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
  ])('anything else says how it is meant: %j', async (...args) => {
    const { code, out, err } = await operate(...args.flat());
    expect([code, out]).toEqual([1, '']);
    expect(err).toContain('npm run promo -- add CODE');
  });
});

test('beside a running portal on the embedded database: a clear sentence', async () => {
  await withDatabase(async () => {
    const { code, err } = await operate('promo', 'list');
    expect(code).toBe(1);
    expect(err).toContain('is in use by another Porchlight');
  });
});
