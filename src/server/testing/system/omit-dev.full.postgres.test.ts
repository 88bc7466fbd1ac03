/** [OPS-61] An installation without the packages for development runs as it is: nothing is fetched, nothing changes. */

import { execFileSync, spawn } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { freePort } from '../free-port.ts';
import { PROCESS_ENV, ROOT } from '../server-process.ts';
import { openTestDatabase, type TestDatabase } from '../test-database.ts';

vi.setConfig({ testTimeout: 300_000, hookTimeout: 600_000 });

/** A closed port: each request to a registry fails at once. */
const NO_REGISTRY = 'http://127.0.0.1:9';

let database: TestDatabase;

const folder = mkdtempSync(join(tmpdir(), 'porchlight-omit-dev-'));
beforeAll(async () => {
  const words = ['ls-files', '-z', '--cached', '--others', '--exclude-standard'];
  const files = execFileSync('git', words, { cwd: ROOT, encoding: 'utf8', maxBuffer: 2 ** 24 });
  // The files of a clone.
  for (const file of files.split('\0')) {
    if (!file || !existsSync(join(ROOT, file))) continue;
    mkdirSync(dirname(join(folder, file)), { recursive: true });
    cpSync(join(ROOT, file), join(folder, file));
  }
  const { NODE_ENV: _, ...env } = PROCESS_ENV;
  const npm = [
    'ci',
    '--omit=dev',
    '--ignore-scripts',
    '--no-audit',
    '--no-fund',
    '--prefer-offline',
  ];
  execFileSync('npm', npm, { cwd: folder, env, stdio: 'pipe' });
  database = await openTestDatabase('empty');
});
afterAll(async () => {
  await database.close();
  rmSync(folder, { recursive: true, force: true });
});

/** Every file of the packages, with when it was changed. */
function packages(): readonly string[] {
  const root = join(folder, 'node_modules');
  return readdirSync(root, { recursive: true, encoding: 'utf8' })
    .map((file) => `${file} ${statSync(join(root, file)).mtimeMs}`)
    .toSorted();
}

/** The entry with these words, until it ends or `isEnough` is true of what it said. */
async function run(words: readonly string[], isEnough: (said: string) => boolean = () => false) {
  const port = await freePort();
  const entry = spawn(process.execPath, ['tools/porchlight.mjs', ...words], {
    cwd: folder,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: {
      ...PROCESS_ENV,
      DATABASE_URL: database.url ?? '',
      PORCHLIGHT_DATA_DIR: join(folder, 'data'),
      PORCHLIGHT_DRAIN_SECONDS: '0',
      PORT: String(port),
      npm_config_registry: NO_REGISTRY,
      npm_config_cache: join(folder, 'no-cache'),
    },
  });
  let said = '';
  for (const stream of [entry.stdout, entry.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => (said += text));
  }
  const ended = new Promise<number | null>((resolve) => entry.once('close', resolve));
  await vi.waitUntil(() => isEnough(said) || entry.exitCode !== null, { timeout: 240_000 });
  return {
    url: `http://127.0.0.1:${port}`,
    said: () => said,
    end: () => {
      entry.kill('SIGTERM');
      return ended;
    },
  };
}

test('[OPS-61] a portal that was not built is not built, and nothing is installed for it', async () => {
  const before = packages();
  const { said, end } = await run(['serve']);
  expect(await end()).toBe(1);
  expect(said()).toContain('Porchlight has not been built from these sources');
  expect(packages()).toEqual(before);
});

test('[OPS-61] porchlight serve answers, and leaves the packages as they are', async () => {
  cpSync(join(ROOT, 'dist'), join(folder, 'dist'), { recursive: true });
  // As `npm run build` leaves it.
  const stamp = `import { markBuilt, sourcesHash } from './tools/setup/build-stamp.mjs'; markBuilt('.', sourcesHash('.'));`;
  execFileSync(process.execPath, ['--input-type=module', '--eval', stamp], { cwd: folder });
  const before = packages();
  expect(before.some((line) => line.startsWith('vite/'))).toBe(false);
  const { url, said, end } = await run(['serve'], (text) => text.includes('Porchlight is at'));
  expect(said()).toContain('Porchlight is at');
  expect((await fetch(`${url}/api/health/ready`)).status).toBe(200);
  const page = await fetch(url);
  expect([page.status, await page.text()]).toEqual([200, expect.stringContaining('<form')]);
  expect(await end()).toBe(0);
  expect(packages()).toEqual(before);
  expect(said()).not.toMatch(/npm|install/i);
});
