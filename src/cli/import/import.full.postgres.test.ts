import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterAll, expect, test } from 'vitest';
import { runCommand } from '#server/testing/command.ts';
import { toldStart } from '#server/testing/start-folder.ts';
import { PROCESS_ENV, ROOT } from '#server/testing/server-process.ts';
import { openTestDatabase } from '#server/testing/test-database.ts';

const directory = mkdtempSync(join(tmpdir(), 'import-'));
const database = await openTestDatabase();
const env = { DATABASE_URL: database.url ?? '' };
await database.db
  .insertInto('subtenants')
  .values({ id: 742, name: 'Rosewood', logo_path: '/logos/742.svg', accent: null })
  .execute();
afterAll(async () => {
  rmSync(directory, { recursive: true });
  await database.close();
});

const people = (count: number, name: string) =>
  `email,external_id\n${Array.from({ length: count }, (_, n) => `${name}${n}@race.test,${n}\n`).join('')}`;
const accounts = async () =>
  (await database.db.selectFrom('users').select('email').execute()).length;

test('[OPS-47] two runs at once, one from the end, add everybody once and fail nobody', async () => {
  const [header = '', ...rows] = people(2000, 'p').trimEnd().split('\n');
  const run = (name: string, lines: readonly string[]) => {
    const file = join(directory, name);
    writeFileSync(file, [header, ...lines].join('\n'));
    return runCommand(env, 'user', 'import', file, '--json');
  };
  const ended = await Promise.all([run('race.csv', rows), run('back.csv', rows.toReversed())]);
  const counts = ended.map(({ out }) => (JSON.parse(out) as { counts: Counts }).counts);
  expect(ended.map(({ code, err }) => [code, err])).toEqual([
    [0, ''],
    [0, ''],
  ]);
  expect(counts.map(({ added, present }) => added + present)).toEqual([2000, 2000]);
  expect(counts.reduce((sum, { added }) => sum + added, 0)).toBe(2000);
  expect(await accounts()).toBe(2000);
});
type Counts = { added: number; present: number };

test('[OPS-43] the heap of an import grows in small steps, however long the file', async () => {
  const file = join(directory, 'heap.csv');
  writeFileSync(file, people(3, 'heap'));
  const { out } = await runCommand({ ...env, ...toldStart() }, 'user', 'import', file);
  expect(out).toContain('V8 got --heap-growing-percent=40\n');
  expect(out).toContain('V8 got --no-parallel-scavenge\n');
});

test('[OPS-43] the standard input, and exit code 1 with a fault', async () => {
  const words = ['user', 'import', '-', '--format', 'csv', '--json'];
  const child = spawn(process.execPath, ['dist/server/cli.js', ...words], {
    cwd: ROOT,
    env: { ...PROCESS_ENV, ...env },
  });
  const ended = new Promise<number | null>((resolve) => child.on('close', resolve));
  child.stdin.end(`${people(3, 'stdin')}no-address,4\n`);
  const out = await text(child.stdout);
  expect(await ended).toBe(1);
  expect(JSON.parse(out)).toMatchObject({
    file: '-',
    counts: { rows: 4, added: 3, failed: 1 },
    lines: [{ line: 5, reason: 'badEmail' }],
  });
});
