/** [OPS-42] [R46] The release before this one goes on working while instances are replaced one by one. */

import { execFile, execFileSync, spawn } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, request as requestTo } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { runCommand } from '../command.ts';
import { freePort } from '../free-port.ts';
import { newestCode, readInbox } from '../inbox.ts';
import { resetBy } from '../reset.ts';
import {
  endProcess,
  PROCESS_ENV,
  ROOT,
  type ServerProcess,
  startProcess,
} from '../server-process.ts';
import { openTestDatabase, type TestDatabase } from '../test-database.ts';
import { createVisitor, PASSWORD } from '../visitor.ts';

/** The release before; until one is published, a commit that has the schema of the first migration. */
const RELEASES = ['e62449eb'];
const SLOW_MS = 300_000;
const NEW_PASSWORD = 'Another-Porch-9';

/** A visitor with the pages of the previous release; ends with 1 when a step fails. */
const VISIT = `
import { codeIn } from './src/server/testing/inbox.ts';
import { createVisitor } from './src/server/testing/visitor.ts';
const [url, email, password] = process.argv.slice(2);
// The mail may be the other instance's to send: until it is there, the newest code is one that was used.
const used = new Set();
async function codeFor(to) {
  for (let n = 0; n < 100; n += 1) {
    const code = await codeIn(url, to).catch(() => null);
    if (code && !used.has(code)) {
      used.add(code);
      return code;
    }
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  throw new Error('No code');
}
const visitor = createVisitor({ url, codeFor });
await visitor.register({ emailAddress: email });
await visitor.signIn(email, password);
await visitor.complete();
const { data } = await visitor.call('issueHandoff', { body: { choice: null, entrance: 'portal' } });
if (!data) throw new Error('No hand-off');
await visitor.ok('forgotPassword', { body: { userName: email, emailID: email } });
`;

describe.each(RELEASES)('beside %s', (release) => {
  let folder: string;
  let database: TestDatabase;
  let balancer: Balancer;
  let before: { readonly url: string; end(): Promise<void> };
  let now: ServerProcess | undefined;

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'porchlight-release-before-'));
    const archive = execFileSync('git', ['archive', release], {
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
    balancer = await startBalancer();
    before = await startBefore();
  }, SLOW_MS);
  afterAll(async () => {
    if (now) await endProcess(now);
    await before?.end();
    await balancer?.close();
    await database?.close();
    rmSync(folder, { recursive: true, force: true });
  });

  const settings = () => ({
    DATABASE_URL: database.url ?? '',
    PORCHLIGHT_SECRET: 'the-secret-of-two-releases-long-enough',
    PORCHLIGHT_DRAIN_SECONDS: '0',
    PORCHLIGHT_PUBLIC_URL: balancer.url,
  });

  async function startBefore(files: Readonly<Record<string, string>> = {}) {
    const port = await freePort();
    const url = `http://localhost:${port}`;
    const built = 'dist/server/main.js';
    const main = existsSync(join(folder, built)) ? built : 'src/server/main.ts';
    const child = spawn(process.execPath, [main], {
      cwd: folder,
      stdio: 'ignore',
      env: {
        ...PROCESS_ENV,
        NODE_ENV: 'production',
        PORCHLIGHT_CONFIG: 'none',
        ...settings(),
        ...files,
        PORT: String(port),
      },
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

  /** The way back: the release before starts on the files that this release has written. */
  async function startOnOurFiles(): Promise<void> {
    const modules = { PORCHLIGHT_MODULES_FILE: join(folder, 'modules.json') };
    for (const words of [
      ['add', 'member-intake', 'https://intake.example.test/'],
      ['add', 'agent', 'https://agent.example.test/', '--login', 'https://agent.example.test/in'],
      ['set', 'member-intake', '--url', 'https://moved.example.test/'],
      ['rotate-secret', 'agent'],
    ]) {
      const wrote = await runCommand({ ...settings(), ...modules }, 'module', ...words);
      expect(wrote).toMatchObject({ code: 0, err: '' });
    }
    await before.end();
    before = await startBefore(modules);
    balancer.sendTo(before.url);
    await visitBefore('back@example.test');
  }

  const visitBefore = (email: string) =>
    promisify(execFile)(process.execPath, ['visit.ts', balancer.url, email, PASSWORD], {
      cwd: folder,
      env: PROCESS_ENV,
    });
  const visitor = () => {
    const used = new Set<string>();
    return createVisitor({
      url: balancer.url,
      codeFor: (to) =>
        vi.waitFor(
          async () => {
            const code = await newestCode(balancer.url, to);
            expect(used).not.toContain(code);
            used.add(code);
            return code;
          },
          { timeout: 10_000 },
        ),
    });
  };

  test(
    '[OPS-42] people sign up and in there before and after this release has migrated, and here',
    async () => {
      balancer.sendTo(before.url);
      await visitBefore('early@example.test');
      const port = String(await freePort());
      now = await startProcess({ ...settings(), PORT: port });
      expect(await now.started).toBeNull();

      await visitBefore('meanwhile@example.test');
      balancer.sendTo(`http://localhost:${port}`);
      // An account is the same at both, whichever made it.
      for (const email of ['early@example.test', 'meanwhile@example.test']) {
        const there = await visitor().signIn(email, PASSWORD);
        expect(there).toMatchObject({ userRoles: [{ roleId: 1 }] });
      }
      await visitor().register({ emailAddress: 'late@example.test' });
      balancer.sendTo(before.url);
      await visitBefore('later@example.test');

      // N4: each call comes to the other release, with the pages of either, whichever has the first one.
      const both = [before.url, `http://localhost:${port}`];
      for (const [n, first] of both.entries()) {
        balancer.sendTo(first, ...both.filter((url) => url !== first));
        await visitBefore(`hops-there-${n}@example.test`);
        const hopping = visitor();
        await hopping.register({ emailAddress: `hops-${n}@example.test` });
        await hopping.signIn(`hops-${n}@example.test`, PASSWORD);
        await hopping.complete();
        const body = { choice: null, entrance: 'portal' } as const;
        expect((await hopping.call('issueHandoff', { body })).data).toBeTruthy();
        const email = `hops-${n}@example.test`;
        await resetBy(hopping, email, NEW_PASSWORD, () =>
          vi.waitFor(
            async () => {
              const mails = await readInbox(balancer.url, email);
              expect(mails[0]?.link).toContain('resetPassword');
              return mails;
            },
            { timeout: 10_000 },
          ),
        );
        await hopping.signIn(email, NEW_PASSWORD);
        const { appState } = await hopping.complete();
        const params = { userId: '1', appState, loggedInId: 'x', roleId: '1' };
        await hopping.ok('logOut', { params });
        expect((await hopping.call('issueHandoff', { body })).data).toBeFalsy();
      }

      await startOnOurFiles();

      // The entries of both form one chain.
      const audit = await runCommand(settings(), 'audit', 'verify');
      expect(audit).toMatchObject({ code: 0, err: '' });
    },
    SLOW_MS,
  );
});

type Balancer = {
  readonly url: string;
  /** From now on one request goes to each of these in turn. */
  sendTo(...urls: readonly string[]): void;
  close(): Promise<void>;
};

async function startBalancer(): Promise<Balancer> {
  let targets: readonly string[] = [];
  let count = 0;
  const server = createServer((request, response) => {
    const target = new URL(targets[count % targets.length] ?? '');
    count += 1;
    const { method, url: path, headers } = request;
    const { hostname, port } = target;
    const onward = requestTo({ hostname, port, method, path, headers }, (answer) => {
      response.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(response);
    });
    onward.on('error', () => response.destroy());
    request.pipe(onward);
  });
  await new Promise<void>((resolve) => server.listen(0, 'localhost', resolve));
  return {
    url: `http://localhost:${(server.address() as AddressInfo).port}`,
    sendTo(...urls) {
      targets = urls;
      count = 0;
    },
    close: () => new Promise((resolve) => server.close(() => resolve())),
  };
}
