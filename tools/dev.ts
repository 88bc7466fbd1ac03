// `npm run dev`: rebuilds the portal and restarts the server whenever a source changes.
// It starts the very process that production starts, with the same rendering and the same content
// security policy. A dev server with its own injected scripts would need a weaker policy than the
// one that ships, and faults of the policy would first show in production.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { watch } from 'node:fs';
import path from 'node:path';
import { buildPortal } from './build.ts';

const ROOT = path.resolve(import.meta.dirname, '..');
/** Editors write a file in several steps; what changes within this time is one change. */
const SETTLE_MS = 120;
const BUNDLED = /^(?:portal|messages|domain|contract)\//;

let server: ChildProcess | undefined;
let changed = new Set<string>();
let timer: NodeJS.Timeout | undefined;
let work = Promise.resolve();
let isStopping = false;

watch(path.join(ROOT, 'src'), { recursive: true }, (_event, name) => {
  if (!name || /\.test\.tsx?$/.test(name)) return;
  changed.add(name.replaceAll(path.sep, '/'));
  clearTimeout(timer);
  timer = setTimeout(() => {
    const names = [...changed];
    changed = new Set();
    work = work.then(() => update(names));
  }, SETTLE_MS);
});

for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
  process.on(signal, () => {
    isStopping = true;
    void stopServer(signal).then(() => process.exit(0));
  });
}

work = work.then(() => update(['portal/']));

async function update(names: string[]): Promise<void> {
  if (isStopping) return;
  if (names.some((name) => BUNDLED.test(name)) && !(await isBuilt())) return;
  await stopServer('SIGTERM');
  if (!isStopping) server = spawnServer();
}

/** A fault in the sources is shown and waited out; the server goes on with the last good build. */
async function isBuilt(): Promise<boolean> {
  const start = performance.now();
  try {
    await buildPortal({ mode: 'development', logLevel: 'error' });
  } catch (error) {
    console.error(error instanceof Error ? error.message : error);
    return false;
  }
  console.log(`Portal built in ${Math.round(performance.now() - start)} ms`);
  return true;
}

function spawnServer(): ChildProcess {
  const child = spawn(process.execPath, ['src/server/main.ts'], { cwd: ROOT, stdio: 'inherit' });
  child.once('exit', (code) => {
    if (server !== child) return;
    server = undefined;
    if (!isStopping) console.error(`The server ended (exit code ${code}); waiting for a change.`);
  });
  return child;
}

/** Waits for the end: the embedded database must be closed before the next process opens it. */
async function stopServer(signal: NodeJS.Signals): Promise<void> {
  const child = server;
  server = undefined;
  if (!child || child.exitCode !== null || child.signalCode !== null) return;
  const exited = once(child, 'exit');
  child.kill(signal);
  await exited;
}
