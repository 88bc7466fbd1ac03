import { execFile } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { ROOT } from './processes.ts';

let folder: string;
const at = (...names: string[]) => path.join(folder, ...names);

/** A checkout whose command line was built, and whose sources and lock file have changed since. */
beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'porchlight-setup-'));
  for (const name of ['setup', 'setup.mjs', 'porchlight.mjs']) {
    cpSync(path.join(ROOT, 'tools', name), at('tools', name), { recursive: true });
  }
  for (const name of ['dist/server', 'node_modules', 'src'])
    mkdirSync(at(name), { recursive: true });
  writeFileSync(at('package.json'), '{"type":"module"}');
  writeFileSync(
    at('package-lock.json'),
    '{"packages":{"":{},"node_modules/new":{"version":"1.0.0"}}}',
  );
  writeFileSync(at('src', 'changed.ts'), 'export {};');
  writeFileSync(
    at('dist', 'server', 'cli.js'),
    `console.log('ran', process.argv.slice(2).join(' '))`,
  );
  writeFileSync(at('dist', '.porchlight-sources'), 'of earlier sources');
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const run = (script: string, ...words: string[]) =>
  new Promise<{ code: number; out: string; err: string }>((resolve) => {
    // Without a PATH there is no npm that could install anything.
    const env = { PATH: '', NODE_COMPILE_CACHE: at('cache') };
    execFile(process.execPath, [at('tools', script), ...words], { env }, (error, out, err) =>
      resolve({ code: error ? Number(error.code) : 0, out, err }),
    );
  });

test('[OPS-91] N3: a command runs what is built, says so, and neither installs nor builds', async () => {
  for (const [script, ...words] of [
    ['porchlight.mjs', 'user', 'list'],
    ['setup.mjs', 'porchlight', 'user', 'list'],
  ] as const) {
    const { code, out, err } = await run(script, ...words);
    expect([code, out]).toEqual([0, 'ran user list\n']);
    expect(err).toBe(
      'The sources have changed since Porchlight was built. This runs the earlier build; npm run build makes a new one.\n',
    );
  }
  expect(readFileSync(at('dist', '.porchlight-sources'), 'utf8')).toBe('of earlier sources');
});

test('[OPS-91] the first command of a checkout that was never built installs, and builds', async () => {
  rmSync(at('dist'), { recursive: true });
  const { code, err } = await run('porchlight.mjs', 'user', 'list');
  expect(code).not.toBe(0);
  expect(err).toContain('Installing packages');
});

/** Runs a verb with an npm that only says what it was asked. @returns the workspaces that were installed */
async function workspacesOf(...words: string[]): Promise<string[]> {
  const npm = at('bin', 'npm');
  mkdirSync(at('bin'), { recursive: true });
  writeFileSync(npm, `#!/bin/sh\necho "npm $*"\nexit 1\n`, { mode: 0o755 });
  const env = { PATH: `${at('bin')}:/bin:/usr/bin`, NODE_COMPILE_CACHE: at('cache') };
  const said = await new Promise<string>((resolve) => {
    execFile(process.execPath, [at('tools', 'setup.mjs'), ...words], { env }, (_, out, err) =>
      resolve(out + err),
    );
  });
  expect(said).toContain('npm ci ');
  return [...said.matchAll(/--workspace (\S+)/g)].map(([, name = '']) => name);
}

test('[OPS-107] a start installs no tools for tests, a test installs everything, and a start keeps it', async () => {
  // This Node is new enough.
  expect(await workspacesOf('start')).toEqual(['tools/start']);
  expect(await workspacesOf('test')).toEqual([]);
  // Of an earlier lock.
  mkdirSync(at('node_modules', 'vitest'));
  expect(await workspacesOf('start')).toEqual([]);
});
