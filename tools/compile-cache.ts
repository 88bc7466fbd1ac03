// For the image: fills NODE_COMPILE_CACHE with the server's sources, stripped and compiled, so that no start does it again.
import { spawnSync } from 'node:child_process';
import { globSync } from 'node:fs';
import { flushCompileCache } from 'node:module';
import path from 'node:path';
import { ROOT } from './processes.ts';

if (!process.env.NODE_COMPILE_CACHE) throw new Error('NODE_COMPILE_CACHE names no directory.');

/** Run as soon as they are loaded, so each is loaded where it ends at once: without settings, and with nothing to do. */
const ENTRIES = [
  { file: 'src/server/main.ts', args: [], env: { PORCHLIGHT_MODE: 'production' } },
  { file: 'src/server/cli/main.ts', args: ['help'], env: {} },
] as const;

const isLibrary = (file: string) =>
  !/\.test\.ts$|\/testing\/|\/system-tests\//.test(file) &&
  ENTRIES.every((entry) => entry.file !== file);
const files = globSync('src/{contract,domain,locales,modules,openid-provider,server}/**/*.ts', {
  cwd: ROOT,
}).filter(isLibrary);
await Promise.all(
  [...files, 'dist/server/entry-server.js'].map((file) => import(path.join(ROOT, file))),
);
await import('pg');
flushCompileCache();
for (const { file, args, env } of ENTRIES) {
  spawnSync(process.execPath, [path.join(ROOT, file), ...args], {
    cwd: ROOT,
    env: { ...process.env, PORCHLIGHT_CONFIG: 'none', ...env },
  });
}
process.exit();
