import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { lockDataDirectory } from './data-lock.ts';

let dir: string;
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'porchlight-lock-'));
});
afterEach(() => rmSync(dir, { recursive: true, force: true }));

const locks = () => readdirSync(dir).toSorted();
const leave = (number: number, content: string) =>
  writeFileSync(join(dir, `porchlight.lock.${number}`), content);
/** Far above what Linux hands out: nobody's process. */
const NOBODY = 2 ** 30;

test('[R39] while it is held, the next one is told who holds it', () => {
  const lock = lockDataDirectory(dir);
  expect(() => lockDataDirectory(dir)).toThrow(
    `The data directory ${dir} is in use by another Porchlight (process ${process.pid}).`,
  );
  lock.release();
  lockDataDirectory(dir).release();
  expect(locks()).toEqual(['porchlight.lock.2']);
});

test.each([
  ['a process that is gone', JSON.stringify({ pid: NOBODY, startedAt: '1' })],
  ['a process id that is used again', JSON.stringify({ pid: process.ppid, startedAt: '1' })],
  ['our own process id, of before a restart', JSON.stringify({ pid: process.pid, startedAt: '1' })],
  ['a full disk', ''],
  ['nonsense', 'null'],
])('[R39] a lock left by %s never blocks', (_, content) => {
  leave(7, content);
  lockDataDirectory(dir);
  expect(locks()).toEqual(['porchlight.lock.8']);
  expect(JSON.parse(readFileSync(join(dir, 'porchlight.lock.8'), 'utf8'))).toMatchObject({
    pid: process.pid,
  });
});

test('a directory that cannot be made is one clear sentence', () => {
  const file = join(dir, 'file');
  writeFileSync(file, '');
  expect(() => lockDataDirectory(join(file, 'data'))).toThrow(/ENOTDIR/);
});

/** Waits for the word, tries, says how it went, and holds on until it is ended. */
const RACER = `
  import { lockDataDirectory } from './src/server/db/data-lock.ts';
  process.once('message', (dir) => {
    try { lockDataDirectory(dir); process.send('held'); } catch { process.send('refused'); }
  });
  // Whoever ended would leave a stale lock, and the next one would take it with every right.
  setInterval(() => {}, 1_000_000);
  process.send('ready');
`;

const nextMessage = (child: ChildProcess) =>
  new Promise<string>((resolve) => child.once('message', (message) => resolve(message as string)));

test('[R39] of six that find the same stale lock at one moment, one gets it', async () => {
  const racers = Array.from({ length: 6 }, () =>
    spawn(process.execPath, ['--input-type=module', '--eval', RACER], {
      stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    }),
  );
  try {
    await Promise.all(racers.map(nextMessage));
    leave(1, JSON.stringify({ pid: NOBODY, startedAt: '1' }));
    const answers = racers.map(nextMessage);
    for (const racer of racers) racer.send(dir);
    expect((await Promise.all(answers)).toSorted()).toEqual(['held', ...Array(5).fill('refused')]);
  } finally {
    for (const racer of racers) racer.kill('SIGKILL');
  }
});
