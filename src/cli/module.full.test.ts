import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeEach, expect, test } from 'vitest';
import { hashToken } from '#server/crypto/secret-box.ts';
import { runCommand } from '#server/testing/command.ts';
import { freePort } from '#server/testing/free-port.ts';
import { startSloppyModule } from '#server/testing/sloppy-module.ts';

const directory = mkdtempSync(join(tmpdir(), 'porchlight-module-'));
const file = join(directory, 'modules.json');
const env = { PORCHLIGHT_MODULES_FILE: file };
const secretIn = (out: string) => out.trim().split(' ').at(-1) ?? '';

beforeEach(() => rmSync(file, { force: true }));
afterAll(() => rmSync(directory, { recursive: true, force: true }));

const entries = () => JSON.parse(readFileSync(file, 'utf8')) as Record<string, unknown>[];

test('[OPS-57] add writes an entry whose secret is told once, and leaves the others as they are', async () => {
  const other = {
    id: 'agent',
    rootUrl: 'https://agent.example.org/',
    loginUrl: 'https://agent.example.org/in',
    secretHash: hashToken('x'),
  };
  writeFileSync(file, JSON.stringify([other]));
  const told = 'https://admin.example.org/signed-out';
  const words = ['module', 'add', 'admin', 'https://admin.example.org/', '--sign-out-url', told];
  const { code, out } = await runCommand(env, ...words);
  expect(code).toBe(0);
  const [first, added] = entries();
  expect(first).toEqual(other);
  expect(added).toEqual({
    id: 'admin',
    rootUrl: 'https://admin.example.org/',
    loginUrl: 'https://admin.example.org/login',
    secretHash: hashToken(secretIn(out)),
    signOutUrl: told,
  });
  expect(readFileSync(file, 'utf8')).not.toContain(secretIn(out));
  const again = await runCommand(env, ...words);
  expect([again.code, again.out.includes('is there already')]).toEqual([0, true]);
  const elsewhere = await runCommand(env, 'module', 'add', 'admin', 'https://else.example.org/');
  expect([elsewhere.code, elsewhere.err]).toEqual([1, expect.stringContaining('module set admin')]);
  expect(entries()).toHaveLength(2);

  const listed = await runCommand(env, 'module', 'list');
  expect(listed.out).toMatch(/admin +https:\/\/admin.example.org\/ +https:\/\/admin.*signed-out\n/);
  expect(listed.out).toMatch(/agent +https:\/\/agent.example.org\/ +-\n/);
  expect(listed.out).toContain('not there: member-intake,');
  expect((await runCommand(env, 'module', 'list', '--json')).out).not.toContain('secretHash');
});

test('N14: set changes what it names alone, rotate-secret makes a secret, remove takes the entry out', async () => {
  const other = {
    id: 'agent',
    rootUrl: 'https://agent.example.org/',
    loginUrl: 'https://agent.example.org/in',
    secretHash: hashToken('x'),
  };
  writeFileSync(file, JSON.stringify([other]));
  const module = (...words: string[]) => runCommand(env, 'module', ...words);
  await module('add', 'admin', 'https://admin.example.org/');
  const added = entries()[1];
  const moved = await module('set', 'admin', '--url', 'https://new.example.org/');
  expect([moved.code, entries()[1]]).toEqual([
    0,
    { ...added, rootUrl: 'https://new.example.org/', loginUrl: 'https://new.example.org/login' },
  ]);
  expect(moved.out).toContain('https://new.example.org/, login page https://new.example.org/login');
  // A login page that was named stays, and so does what a later release wrote.
  writeFileSync(file, JSON.stringify([other, { ...entries()[1], later: 1 }]));
  await module('set', 'admin', '--login', 'https://login.example.org/');
  await module('set', 'admin', '--url', 'https://third.example.org/');
  expect(entries()[1]).toEqual({
    ...added,
    rootUrl: 'https://third.example.org/',
    loginUrl: 'https://login.example.org/',
    later: 1,
  });
  const bad = await module('set', 'admin', '--login', 'ftp://new.example.org/');
  expect([bad.code, bad.err]).toEqual([1, expect.stringContaining('loginUrl: must be an https')]);
  const rotated = await module('rotate-secret', 'admin');
  expect(entries()[1]?.secretHash).toBe(hashToken(secretIn(rotated.out)));
  expect(entries()[1]?.secretHash).not.toBe(added?.secretHash);
  expect((await module('remove', 'admin')).code).toBe(0);
  expect(entries()).toEqual([other]);
  const again = await module('remove', 'admin');
  expect([again.code, again.out]).toEqual([0, expect.stringContaining('There is no module admin')]);
  expect((await module('set', 'admin', '--login', 'https://a.example/')).code).toBe(1);
  expect((await module('set', 'agent')).code).toBe(2);
  const nowhere = await runCommand({}, 'module', 'remove', 'agent');
  expect([nowhere.code, nowhere.err]).toEqual([1, expect.stringContaining('by hand')]);
});

test('[OPS-57] add makes the file, prints where there is none, and refuses what no server would take', async () => {
  const words = ['module', 'add', 'admin', 'http://localhost:8080/'];
  expect((await runCommand(env, ...words)).code).toBe(0);
  expect(entries()).toHaveLength(1);
  const printed = await runCommand({}, ...words);
  const text = printed.out.slice(printed.out.indexOf('['), printed.out.lastIndexOf(']') + 1);
  expect(JSON.parse(text)).toEqual([
    expect.objectContaining({ id: 'admin', secretHash: hashToken(secretIn(printed.out)) }),
  ]);
  const call = ['--sign-out-url', 'http://localhost:8080/signed-out'];
  const production = { ...env, PORCHLIGHT_MODE: 'production' };
  const refused = await runCommand(
    production,
    'module',
    'add',
    'agent',
    'http://elsewhere.example/',
    ...call,
  );
  expect(refused.code).toBe(1);
  expect(refused.err).toContain('rootUrl: must be an https address');
  expect(refused.err).toContain('signOutUrl: must be an https address');
  expect(entries()).toHaveLength(1);
});

test('[OPS-57] check by id takes the entry, with its own secret; exit code 1 and the mend on faults', async () => {
  const port = await freePort();
  const portal = `http://localhost:${await freePort()}`;
  const origin = `http://127.0.0.1:${port}`;
  const added = await runCommand(
    env,
    'module',
    'add',
    'special',
    `${origin}/`,
    '--sign-out-url',
    `${origin}/signed-out`,
  );
  const secret = secretIn(added.out);
  const run = async (flaw: string | null) => {
    const end = await startSloppyModule({ id: 'special', portal, secret, port, flaw });
    const { PORT } = { PORT: new URL(portal).port };
    const done = await runCommand({ ...env, PORT }, 'module', 'check', 'special', '--json');
    end();
    const rows = done.out
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as Record<string, string>);
    return { ...done, faults: rows.filter(({ state }) => state === 'fault') };
  };
  const well = await run(null);
  expect([well.code, well.faults]).toEqual([0, []]);
  expect(well.err).toContain(`plays the portal at ${portal}`);
  expect(well.err).not.toContain(secret);
  const sloppy = await run('audience');
  expect(sloppy.code).toBe(1);
  expect(sloppy.faults).toEqual([
    expect.objectContaining({ check: 'audience', mend: 'Compare aud with your id' }),
  ]);
});

test('[OPS-57] check says what is in its way', async () => {
  const port = await freePort();
  const url = `http://127.0.0.1:${port}/`;
  const portal = `http://localhost:${await freePort()}`;
  const at = (...words: string[]) => runCommand(env, 'module', 'check', url, ...words);
  expect(
    (await at('--portal', `http://127.0.0.1:${new URL(portal).port}`, '--run', 'false')).err,
  ).toContain('The command of --run has ended: false');
  expect((await at('--portal', 'https://login.example.org')).err).toContain(
    'is not an http address of this machine',
  );
  const end = await startSloppyModule({ id: 'admin', portal, secret: 'x', port, flaw: null });
  expect((await at('--portal', `http://127.0.0.1:${port}`)).err).toContain(
    'cannot be listened at (EADDRINUSE)',
  );
  end();
  expect((await runCommand(env, 'module', 'check', 'admin')).code).toBe(1);
  expect((await runCommand(env, 'module', 'check', 'nobody')).code).toBe(2);
  expect((await runCommand(env, 'module', 'add', 'admin')).code).toBe(2);
});
