// For the image: fills NODE_COMPILE_CACHE with what the server and the command line compile to, so that no start does it again.
import { spawnSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { flushCompileCache } from 'node:module';
import path from 'node:path';
import { ROOT } from './processes.ts';

if (!process.env.NODE_COMPILE_CACHE) throw new Error('NODE_COMPILE_CACHE names no directory.');

/** Run as soon as they are loaded, so each is loaded where it ends at once: without settings, and with nothing to do. */
const ENTRIES = [
  { file: 'main.js', args: [], env: { PORCHLIGHT_MODE: 'production' } },
  { file: 'cli.js', args: ['help'], env: {} },
] as const;

const built = path.join(ROOT, 'dist/server');
const parts = readdirSync(built).filter(
  (file) => file.endsWith('.js') && ENTRIES.every((entry) => entry.file !== file),
);
await Promise.all(parts.map((file) => import(path.join(built, file))));
flushCompileCache();
for (const { file, args, env } of ENTRIES) {
  spawnSync(process.execPath, [path.join(built, file), ...args], {
    cwd: ROOT,
    env: { ...process.env, PORCHLIGHT_CONFIG: 'none', ...env },
  });
}
process.exit();
