/** [OPS-51] The example in `examples/python-module`, as a process of its own, beside the real server of a demo. */

import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { hashToken } from '../crypto/secret-box.ts';
import { freePort } from '../testing/free-port.ts';
import { endProcess, ROOT, type ServerProcess, startProcess } from '../testing/server-process.ts';
import { makeDataDirectory } from '../testing/database-copies.ts';

const SECRET = 'a secret: with a colon, of the python module';

let directory: string;
let data: string;
let server: ServerProcess;
let module: ChildProcess;
let origin: string;
let log = '';

beforeAll(async () => {
  directory = mkdtempSync(join(tmpdir(), 'porchlight-python-'));
  data = await makeDataDirectory();
  const port = await freePort();
  origin = `http://127.0.0.1:${port}`;
  const file = join(directory, 'modules.json');
  const entry = {
    id: 'admin',
    rootUrl: `${origin}/`,
    loginUrl: `${origin}/login`,
    secretHash: hashToken(SECRET),
    sealedTo: null,
  };
  writeFileSync(file, JSON.stringify([entry]));
  server = await startProcess({ PORCHLIGHT_MODULES_FILE: file, PORCHLIGHT_DATA_DIR: data });
  const said = await server.started;
  if (said !== null) throw new Error(said);
  module = spawn('/usr/bin/python3', ['examples/python-module/module.py'], {
    cwd: ROOT,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { PORTAL: server.url, MODULE: 'admin', SECRET, ORIGIN: origin, PORT: String(port) },
  });
  const hear = (chunk: Buffer) => void (log += chunk.toString());
  module.stdout?.on('data', hear);
  module.stderr?.on('data', hear);
  await vi.waitUntil(
    () =>
      fetch(origin).then(
        () => true,
        () => false,
      ),
    { timeout: 30_000 },
  );
}, 120_000);
afterAll(async () => {
  module?.kill();
  if (server) await endProcess(server);
  for (const folder of [directory, data]) rmSync(folder, { recursive: true, force: true });
});

const ask = (url: string, cookie = '') =>
  fetch(url, { redirect: 'manual', headers: { cookie, accept: 'text/html' } });

/** Signed in at the portal, with the address of a hand-off. */
async function handedOff() {
  const visitor = server.visitor();
  await visitor.signIn('admin');
  const { data: issued } = await visitor.call('issueHandoff', {
    body: { choice: null, entrance: 'portal' },
  });
  expect(issued?.url.startsWith(`${origin}/?`)).toBe(true);
  return issued?.url ?? '';
}

test('[OPS-51] it receives a visitor once, greets, and signs out', async () => {
  const url = await handedOff();
  const received = await ask(url);
  expect([received.status, received.headers.get('location')]).toEqual([303, '/']);
  expect(received.headers.get('referrer-policy')).toBe('no-referrer');
  const cookie = received.headers.getSetCookie()[0]?.split(';')[0] ?? '';
  const page = await ask(origin, cookie);
  expect(await page.text()).toContain('Role 4.');

  expect((await ask(url)).status).toBe(403);
  expect(log).toContain('Redeem: 409 CONFLICT');
  expect(log).not.toContain('token=');

  const out = await ask(`${origin}/sign-out`, cookie);
  expect(out.headers.get('location')).toMatch(
    new RegExp(`^${server.url}/account/Signout\\?success=true&appState=[^&]+&loggenInId=[^&]+&`),
  );
  expect((await ask(origin, cookie)).status).toBe(401);
}, 120_000);

test('[OPS-51] it refuses hints and tokens that were changed', async () => {
  const url = await handedOff();
  for (const [name, value] of [
    ['roleId', '3'],
    ['userId', '1'],
    ['appState', 'other'],
    ['token', 'bm90aGluZw=='],
  ] as const) {
    const changed = new URL(url);
    changed.searchParams.set(name, value);
    expect([name, (await ask(changed.href)).status]).toEqual([name, 403]);
  }
  expect((await ask(url)).status).toBe(303);
}, 120_000);

test('[OPS-51] the others are played by the demo', async () => {
  const visitor = server.visitor();
  await visitor.signIn('counter');
  const { data: issued } = await visitor.call('issueHandoff', {
    body: { choice: null, entrance: 'portal' },
  });
  expect(issued?.url).toContain(`${server.url}/demo/event-counter`);
}, 120_000);
