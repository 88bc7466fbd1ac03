/** [OPS-42] [R46] The release before this one goes on working while instances are replaced one by one. */

import { execFileSync, spawn } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { runCommand } from '../testing/command.ts';
import { freePort } from '../testing/free-port.ts';
import {
  endProcess,
  PROCESS_ENV,
  ROOT,
  type ServerProcess,
  startProcess,
} from '../testing/server-process.ts';
import { openTestDatabase, type TestDatabase } from '../testing/test-database.ts';
import { PASSWORD } from '../testing/visitor.ts';

/** 0.1.0 */
const RELEASE_BEFORE = '2d1a26e';
const SLOW_MS = 300_000;

/** Somebody who comes to the release before, by its own means; ends with 1 when a step fails. */
const VISIT = `
import { codeIn } from './src/server/testing/inbox.ts';
import { createVisitor } from './src/server/testing/visitor.ts';
const [url, email, password] = process.argv.slice(2);
const visitor = createVisitor({ url, codeFor: (to) => codeIn(url, to) });
await visitor.register({ emailAddress: email });
await visitor.signIn(email, password);
await visitor.complete();
const { data } = await visitor.call('issueHandoff', { body: { choice: null, entrance: 'portal' } });
if (!data) throw new Error('No hand-off');
await visitor.ok('forgotPassword', { body: { userName: email, emailID: email } });
`;

let folder: string;
let database: TestDatabase;
let before: { readonly url: string; end(): Promise<void> };
let now: ServerProcess | undefined;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'porchlight-release-before-'));
  const archive = execFileSync('git', ['archive', RELEASE_BEFORE], {
    cwd: ROOT,
    maxBuffer: 256 * 1024 * 1024,
  });
  execFileSync('tar', ['x', '-C', folder], { input: archive });
  // Its own packages: this release may have let go of some.
  const install = ['ci', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error'];
  execFileSync('npm', install, { cwd: folder });
  execFileSync(process.execPath, ['tools/build.ts'], { cwd: folder });
  writeFileSync(join(folder, 'visit.ts'), VISIT);
  database = await openTestDatabase('empty');
  before = await startBefore();
}, SLOW_MS);
afterAll(async () => {
  if (now) await endProcess(now);
  await before?.end();
  await database?.close();
  rmSync(folder, { recursive: true, force: true });
});

const settings = () => ({
  DATABASE_URL: database.url ?? '',
  PORCHLIGHT_SECRET: 'the-secret-of-two-releases-long-enough',
  PORCHLIGHT_DRAIN_SECONDS: '0',
});

async function startBefore() {
  const port = await freePort();
  const url = `http://localhost:${port}`;
  const child = spawn(process.execPath, ['src/server/main.ts'], {
    cwd: folder,
    stdio: 'ignore',
    env: { ...PROCESS_ENV, NODE_ENV: 'production', ...settings(), PORT: String(port) },
  });
  const ended = new Promise<void>((resolve) => child.once('close', () => resolve()));
  const isReady = () =>
    fetch(`${url}/api/health/ready`).then(
      ({ ok }) => ok,
      () => false,
    );
  await vi.waitUntil(isReady, { timeout: 120_000, interval: 200 });
  return {
    url,
    async end() {
      child.kill('SIGKILL');
      await ended;
    },
  };
}

const visitBefore = (email: string) =>
  execFileSync(process.execPath, ['visit.ts', before.url, email, PASSWORD], {
    cwd: folder,
    env: PROCESS_ENV,
    encoding: 'utf8',
  });

test(
  '[OPS-42] people sign up and in at 0.1.0 before and after this release has migrated, and at this one',
  async () => {
    visitBefore('early@example.test');
    now = await startProcess(settings());
    expect(await now.started).toBeNull();

    visitBefore('meanwhile@example.test');
    const visitor = now.visitor();
    // An account is the same at both, whichever made it.
    for (const email of ['early@example.test', 'meanwhile@example.test']) {
      expect(await visitor.signIn(email, PASSWORD)).toMatchObject({ userRoles: [{ roleId: 1 }] });
    }
    await now.visitor().register({ emailAddress: 'late@example.test' });
    visitBefore('later@example.test');

    // What both wrote into the audit log is one chain.
    const audit = await runCommand(settings(), 'audit', 'verify');
    expect(audit).toMatchObject({ code: 0, err: '' });
  },
  SLOW_MS,
);
