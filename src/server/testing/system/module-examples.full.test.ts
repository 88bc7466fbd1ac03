/** [OPS-51] [OPS-58] The examples of modules, each as a process of its own, beside the real server of a demo. */

import { type ChildProcess, spawn } from 'node:child_process';
import { generateKeyPairSync } from 'node:crypto';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { CompactEncrypt, importJWK, type JWK } from 'jose';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { hashToken } from '../../crypto/secret-box.ts';
import { runCommand } from '../command.ts';
import { makeDataDirectory } from '../database-copies.ts';
import { freePort } from '../free-port.ts';
import {
  endProcess,
  PROCESS_ENV,
  ROOT,
  type ServerProcess,
  startProcess,
} from '../server-process.ts';
import type { Visitor } from '../visitor.ts';
import { until } from '../until.ts';

vi.setConfig({ testTimeout: 180_000, hookTimeout: 180_000 });

const SECRET = 'a secret: with a colon, of these modules';

/** `tools/test.ts` installs what Debian has. */
const EXAMPLES = [
  {
    language: 'Python',
    folder: 'python-module',
    program: '/usr/bin/python3',
    words: ['module.py'],
    module: 'member-intake',
    account: 'staff',
    role: 3,
    choice: { kind: 'role', roleId: 3 },
    opensCredential: true,
  },
  {
    language: 'TypeScript',
    folder: 'node-module',
    program: process.execPath,
    words: ['server.ts'],
    module: 'special',
    account: 'special',
    role: 20,
    choice: null,
    opensCredential: true,
  },
  {
    language: 'Java',
    folder: 'java-module',
    program: 'java',
    words: ['Server.java'],
    module: 'agent',
    account: 'agent',
    role: 5,
    choice: null,
    opensCredential: false,
  },
  {
    language: 'C#',
    folder: 'csharp-module',
    program: 'dotnet',
    words: ['run'],
    module: 'intake-entry',
    account: 'intake',
    role: 21,
    choice: null,
    opensCredential: false,
  },
] as const;
type Example = (typeof EXAMPLES)[number];

const folderOf = ({ folder }: Example) => join(ROOT, 'examples', folder);
const isThere = ({ program }: Example) =>
  ['', ...(process.env.PATH ?? '').split(delimiter)].some((folder) =>
    existsSync(join(folder, program)),
  );
const here = EXAMPLES.filter(isThere);
const elsewhere = EXAMPLES.filter((example) => !isThere(example));

type Running = {
  readonly origin: string;
  readonly process: ChildProcess;
  readonly log: () => string;
};

/** Of the modules that must have the password. */
const pair = generateKeyPairSync('rsa', { modulusLength: 2048 });
const keyOf = ({ opensCredential }: Example) => (opensCredential ? { KEY_FILE: keyFile } : {});
let server: ServerProcess;
const running = new Map<string, Running>();
const originOf = ({ language }: Example) => running.get(language)?.origin ?? '';
const logOf = ({ language }: Example) => running.get(language)?.log() ?? '';

function entryOf({ module: id, opensCredential }: Example, origin: string) {
  return {
    id,
    rootUrl: `${origin}/`,
    loginUrl: `${origin}/login`,
    secretHash: hashToken(SECRET),
    sealedTo: opensCredential ? pair.publicKey.export({ format: 'jwk' }) : null,
    signOutUrl: `${origin}/signed-out`,
  };
}

const directory = mkdtempSync(join(tmpdir(), 'porchlight-examples-'));
const data = await makeDataDirectory();
const modulesFile = join(directory, 'modules.json');
const keyFile = join(directory, 'module-key.pem');
beforeAll(async () => {
  writeFileSync(keyFile, pair.privateKey.export({ type: 'pkcs8', format: 'pem' }), { mode: 0o600 });
  const ports = await Promise.all(here.map(() => freePort()));
  const entries = here.map((example, index) =>
    entryOf(example, `http://127.0.0.1:${ports[index]}`),
  );
  writeFileSync(modulesFile, JSON.stringify(entries));
  server = await startProcess({ PORCHLIGHT_MODULES_FILE: modulesFile, PORCHLIGHT_DATA_DIR: data });
  const said = await server.started;
  if (said !== null) throw new Error(said);
  for (const [index, example] of here.entries()) start(example, ports[index] ?? 0);
  await Promise.all(here.map((example) => untilAnswered(originOf(example))));
});
afterAll(async () => {
  for (const { process: child } of running.values()) child.kill();
  if (server) await endProcess(server);
  for (const folder of [directory, data]) rmSync(folder, { recursive: true, force: true });
});

function start(example: Example, port: number): void {
  const origin = `http://127.0.0.1:${port}`;
  const child = spawn(example.program, example.words, {
    cwd: folderOf(example),
    stdio: ['ignore', 'pipe', 'pipe'],
    env: {
      ...PROCESS_ENV,
      PORTAL: server.url,
      MODULE: example.module,
      SECRET,
      ORIGIN: origin,
      PORT: String(port),
      ...keyOf(example),
    },
  });
  let log = '';
  const hear = (chunk: Buffer) => void (log += chunk.toString());
  child.stdout.on('data', hear);
  child.stderr.on('data', hear);
  running.set(example.language, { origin, process: child, log: () => log });
}

const untilAnswered = (url: string) =>
  vi.waitUntil(
    () =>
      fetch(url).then(
        () => true,
        () => false,
      ),
    { timeout: 60_000 },
  );

const ask = (url: string, cookie = '') =>
  fetch(url, { redirect: 'manual', headers: { cookie, accept: 'text/html' } });

/** Signed in at the portal, with the address of a hand-off. */
async function handedOff(
  account: string,
  choice: Example['choice'] = null,
): Promise<{ visitor: Visitor; url: string }> {
  const visitor = server.visitor();
  await visitor.signIn(account);
  const { url } = await visitor.ok('issueHandoff', { body: { choice, entrance: 'portal' } });
  return { visitor, url };
}

/** Received by the module, with its cookie. */
async function received(example: Example) {
  const { visitor, url } = await handedOff(example.account, example.choice);
  expect(url.startsWith(`${originOf(example)}/?`)).toBe(true);
  const arrival = await ask(url);
  const cookie = arrival.headers.getSetCookie()[0]?.split(';')[0] ?? '';
  return { visitor, url, arrival, cookie };
}

describe.each(here)('[OPS-58] the example in $language', (example) => {
  test('receives a visitor once, greets, and signs out', async () => {
    const { url, arrival, cookie } = await received(example);
    expect([arrival.status, arrival.headers.get('location')]).toEqual([303, '/']);
    expect(arrival.headers.get('referrer-policy')).toBe('no-referrer');
    const page = await ask(originOf(example), cookie);
    expect(await page.text()).toContain(`Role ${example.role}.`);

    expect((await ask(url)).status).toBe(403);
    await until(() => logOf(example).includes('Redeem: 409 CONFLICT'));
    expect(logOf(example)).not.toContain('token=');

    const out = await ask(`${originOf(example)}/sign-out`, cookie);
    expect(out.headers.get('location')).toMatch(
      new RegExp(`^${server.url}/account/Signout\\?success=true&appState=[^&]+&loggenInId=[^&]+&`),
    );
    expect((await ask(originOf(example), cookie)).status).toBe(401);
  });

  test('refuses hints and tokens that were changed', async () => {
    const { url } = await handedOff(example.account, example.choice);
    for (const [name, value] of [
      ['roleId', '9'],
      ['userId', '1'],
      ['appState', 'other'],
      ['token', 'bm90aGluZw=='],
    ] as const) {
      const changed = new URL(url);
      changed.searchParams.set(name, value);
      expect([name, (await ask(changed.href)).status]).toEqual([name, 403]);
    }
    expect((await ask(url)).status).toBe(303);
  });

  test('hears of a sign-out in the portal, and lets another session be', async () => {
    const [ending, staying] = [await received(example), await received(example)];
    const ids = { userId: '1', appState: 'x', loggedInId: 'x', roleId: '1' };
    await ending.visitor.ok('logOut', { params: ids });
    await vi.waitUntil(async () => (await ask(originOf(example), ending.cookie)).status === 401, {
      timeout: 20_000,
      interval: 100,
    });
    expect((await ask(originOf(example), staying.cookie)).status).toBe(200);
  });

  test('passes module check', async () => {
    const origin = `http://127.0.0.1:${await freePort()}`;
    const portal = `http://localhost:${await freePort()}`;
    const entry = entryOf(example, origin);
    const file = join(directory, `${example.module}.json`);
    writeFileSync(file, JSON.stringify([entry]));
    // With an entry of its own the module gets credentials, too.
    const [words, env, count] = example.opensCredential
      ? [[entry.id], { PORCHLIGHT_MODULES_FILE: file, SECRET, ...keyOf(example) }, 52]
      : [[entry.rootUrl, '--sign-out-url', entry.signOutUrl], {}, 48];
    const command = [example.program, ...example.words].join(' ');
    const check = ['module', 'check', ...words, '--sign-out', '/sign-out', '--portal', portal];
    const { code, out } = await runCommand(env, ...check, '--run', command, {
      cwd: folderOf(example),
    });
    expect(out.split('\n').filter((line) => line.startsWith('FAULT'))).toEqual([]);
    expect([code, out.trim().split('\n').at(-1)]).toEqual([0, `${count} checks. Faults: 0.`]);
  });
});

describe.each(here.filter(({ opensCredential }) => opensCredential))(
  '[OPS-58] [RED-12] the example in $language, with a key',
  (example) => {
    const PASSWORD = 'Pässword-1 👵';

    /** As the browser seals it at sign-in. */
    async function seal(visitor: Visitor, txn: string, aud: string): Promise<string> {
      const { sealedModules } = await visitor.ok('beginSession', {
        body: { entrance: 'portal', isFresh: false },
      });
      const own = sealedModules.find(({ module }) => module === example.module);
      const key = await importJWK(own?.publicKey as JWK, 'RSA-OAEP-256');
      return new CompactEncrypt(Buffer.from(JSON.stringify({ pwd: PASSWORD, txn, aud })))
        .setProtectedHeader({ alg: 'RSA-OAEP-256', enc: 'A256GCM' })
        .encrypt(key);
    }
    async function arrive(change: { txn?: string; aud?: string; end?: string } = {}) {
      const { visitor, url } = await handedOff(example.account, example.choice);
      const appState = new URL(url).searchParams.get('appState') ?? '';
      const { txn = appState, aud = example.module, end } = change;
      const sealed = await seal(visitor, txn, aud);
      const credential = end === undefined ? sealed : sealed.slice(0, -end.length) + end;
      return ask(`${url}&credential=${credential}`);
    }

    test('opens the credential of the same sign-in, and shows it nowhere', async () => {
      const arrival = await arrive();
      expect(arrival.status).toBe(303);
      const cookie = arrival.headers.getSetCookie()[0]?.split(';')[0] ?? '';
      const page = await (await ask(originOf(example), cookie)).text();
      expect(page).toContain('Your password came along.');
      expect(page + logOf(example)).not.toContain(PASSWORD);
    });

    test.each([
      ['another sign-in', { txn: 'another' }],
      ['another module', { aud: 'admin' }],
      ['nobody: it was changed', { end: 'AAAA' }],
    ])('refuses one that is for %s', async (_, change) => {
      expect((await arrive(change)).status).toBe(403);
    });
  },
);

test('[OPS-58] an example that cannot run here says in its README that it was not', () => {
  const told = elsewhere.filter((example) =>
    readFileSync(join(folderOf(example), 'README.md'), 'utf8').includes('was not run here'),
  );
  expect(told).toEqual(elsewhere);
  for (const { language, program } of elsewhere) {
    process.stderr.write(`The example in ${language} was not run: there is no ${program}.\n`);
  }
  expect(here.length).toBeGreaterThanOrEqual(EXAMPLES.length - 1);
});

test('[OPS-51] the others are played by the demo', async () => {
  const { url } = await handedOff('counter');
  expect(url).toContain(`${server.url}/demo/event-counter`);
});
