/** [OPS-06] `porchlight serve` as a supervisor starts and stops it: the entry, and the server below it. */

import { type ChildProcess, spawn } from 'node:child_process';
import { readFileSync, rmSync } from 'node:fs';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { makeDataDirectory } from '../testing/database-copies.ts';
import { PROCESS_ENV, ROOT } from '../testing/server-process.ts';
import { openProcessDatabase, type ProcessDatabase } from '../testing/test-database.ts';
import { until } from '../testing/until.ts';

let database: ProcessDatabase;
let directory: string;
let entry: ChildProcess;
let said = '';
let ended: Promise<number | null>;
let server: number;

beforeEach(async () => {
  database = await openProcessDatabase();
  directory = await makeDataDirectory(process.env.TEST_DATABASE_URL);
  said = '';
  entry = spawn(process.execPath, [`${ROOT}tools/porchlight.mjs`, 'serve'], {
    cwd: directory,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: {
      ...PROCESS_ENV,
      ...(database.url && { DATABASE_URL: database.url }),
      PORCHLIGHT_DATA_DIR: directory,
      PORCHLIGHT_DRAIN_SECONDS: '1',
      LOG_LEVEL: 'info',
      PORT: '0',
    },
  });
  ended = new Promise((resolve) => entry.once('close', resolve));
  for (const stream of [entry.stdout, entry.stderr]) {
    stream?.setEncoding('utf8').on('data', (text: string) => (said += text));
  }
  await vi.waitUntil(() => said.includes('Porchlight is at'), { timeout: 110_000 });
  const children = readFileSync(`/proc/${entry.pid}/task/${entry.pid}/children`, 'utf8');
  server = Number(children.trim());
});
afterEach(async () => {
  entry.kill('SIGKILL');
  if (isAlive(server)) process.kill(server, 'SIGKILL');
  await database.close();
  rmSync(directory, { recursive: true, force: true });
});

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

const drained = () => [...said.matchAll(/"msg":"(draining|stopping|stopped)"/g)].map(([, m]) => m);

test('[S9] the server below has the flags that keep its memory small', () => {
  const settings = readFileSync(`/proc/${server}/environ`, 'utf8').split('\0');
  expect(settings).toContain('NODE_OPTIONS=--max-semi-space-size=8');
});

test('[OPS-06] one SIGTERM to the entry: it ends with 0 after the drain', async () => {
  entry.kill('SIGTERM');
  expect(await ended).toBe(0);
  expect(drained()).toEqual(['draining', 'stopping', 'stopped']);
  expect(isAlive(server)).toBe(false);
});

test('[OPS-06] three to every process of the tree, as a supervisor sends them: the same', async () => {
  for (let n = 0; n < 3; n += 1) {
    for (const pid of [entry.pid ?? 0, server]) if (isAlive(pid)) process.kill(pid, 'SIGTERM');
    // The next one finds it draining.
    await until(() => drained().length > 0);
  }
  expect(await ended).toBe(0);
  expect(drained()).toEqual(['draining', 'stopping', 'stopped']);
});
