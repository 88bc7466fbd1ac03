import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { defineConfig } from '@playwright/test';
import { TEST_CHROMIUM_ARGS } from './tools/chromium.ts';
import { createDatabase } from './tools/postgres.ts';
import { freePort } from './src/server/testing/free-port.ts';

// Every worker reads this file again: the first reading decides and the others inherit it.
process.env.E2E_PORT ??= String(await freePort());
process.env.E2E_DATA_DIR ??= temporaryDataDir();
process.env.E2E_DATABASE_URL ??= await ownDatabase();

/** Removed when the runner ends, and that is after the server has ended; a teardown comes before. */
function temporaryDataDir(): string {
  const folder = mkdtempSync(path.join(tmpdir(), 'porchlight-e2e-'));
  process.on('exit', () => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** The full matrix has no cluster: there the portal runs on the embedded database, as at a first start. */
async function ownDatabase(): Promise<string> {
  const cluster = process.env.TEST_DATABASE_URL;
  return cluster ? createDatabase(cluster, `porchlight_e2e_${process.env.E2E_PORT}`) : '';
}

/** Pictures of every screen, for people to look at. */
const PICTURES = '**/screenshots.spec.ts';

/**
 * What runs: all tests; the `core` of `npm test`; the `rest` that `.ci/run` adds; the `states`, which have axe. Tests with
 * `@full`, rare ways through a page, run in the full matrix.
 */
const CHOICES: Readonly<Record<string, { readonly grep?: RegExp; readonly grepInvert?: RegExp }>> =
  {
    core: { grep: /@core/ },
    rest: { grepInvert: /@core|@state|@full/ },
    states: { grep: /@state/ },
  };

// A name, and no IP address: saved keys belong to a host name, so every journey meets the page that offers them.
const url = `http://localhost:${process.env.E2E_PORT}`;
process.env.E2E_URL = url;

export default defineConfig({
  testDir: 'e2e',
  outputDir: 'test-results/e2e',
  fullyParallel: true,
  // One more than two cores: a browser test waits for most of its time.
  workers: 3,
  // Generous: a test waits for what happens, and how long that takes is the machine's affair.
  timeout: 60_000,
  expect: { timeout: 15_000 },
  // A test that needs a second try has found something.
  retries: 0,
  ...CHOICES[process.env.PORCHLIGHT_E2E ?? ''],
  forbidOnly: Boolean(process.env.CI),
  reporter: [['list'], ['json', { outputFile: 'test-results/reports/e2e.json' }]],
  projects: [
    {
      name: 'portal',
      testMatch: '**/*.spec.ts',
      testIgnore: process.env.PORCHLIGHT_E2E ? [PICTURES, '**/*.full.spec.ts'] : PICTURES,
    },
    // Nothing is asserted there: PORCHLIGHT_SHOTS=<folder> npm run e2e -- --project=pictures
    ...(process.env.PORCHLIGHT_SHOTS
      ? [{ name: 'pictures', testMatch: PICTURES, timeout: 300_000 }]
      : []),
  ],
  use: {
    baseURL: url,
    browserName: 'chromium',
    // A record of every test is a fifth of the work: `npm run e2e -- --trace=retain-on-failure <file>` has it.
    trace: 'off',
    screenshot: 'only-on-failure',
    launchOptions: {
      args: TEST_CHROMIUM_ARGS,
      ...(process.env.CHROMIUM_SHELL_PATH && { executablePath: process.env.CHROMIUM_SHELL_PATH }),
    },
  },
  webServer: {
    // The real process, and nothing replaced.
    command: `"${process.execPath}" dist/server/main.js`,
    url: `${url}/api/health/ready`,
    timeout: 60_000,
    reuseExistingServer: false,
    // The embedded database wants to be closed.
    gracefulShutdown: { signal: 'SIGTERM', timeout: 10_000 },
    stdout: 'ignore',
    stderr: 'pipe',
    env: {
      NODE_ENV: 'production',
      HOST: '127.0.0.1',
      PORT: process.env.E2E_PORT,
      PORCHLIGHT_CONFIG: 'none',
      PORCHLIGHT_MODE: 'demo',
      PORCHLIGHT_PUBLIC_URL: url,
      PORCHLIGHT_DATA_DIR: process.env.E2E_DATA_DIR,
      // `redirect.spec.ts` and the states of that screen see the usual gap.
      PORCHLIGHT_STEP_GAP_MS: '0',
      // All tests are one network, and sign up and look up more addresses than a demo tells the truth about.
      PORCHLIGHT_LIMITS: JSON.stringify({
        lookUpPerIp: { max: 1_000_000 },
        lookUpPerIpADay: { max: 1_000_000 },
        signUpPerIp: { max: 1_000_000 },
        signUpProofPerIp: { max: 1_000_000 },
      }),
      ...(process.env.E2E_DATABASE_URL && { DATABASE_URL: process.env.E2E_DATABASE_URL }),
    },
  },
});
