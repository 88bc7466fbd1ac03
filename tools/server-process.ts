// The real server as a child process, for the budgets and the bench.
import { type ChildProcess, spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { freePort } from '../src/server/testing/free-port.ts';
import { createDatabase } from './postgres.ts';
import { killGroup, ROOT } from './processes.ts';
import { serverEnv } from './setup/server-env.mjs';

const START_MS = 60_000;

export type ServerOptions = {
  /** Without one: a database of its own in the cluster of TEST_DATABASE_URL, or else the embedded one. */
  databaseUrl?: string;
  /** A data directory to be kept, for a second start. */
  dataDir?: string;
  nodeArgs?: string[];
  /** Settings that need the server's own address. */
  envFor?: (url: string) => Record<string, string>;
  /** Settings of this server alone. */
  env?: Readonly<Record<string, string>>;
  script?: string;
  /** Words behind the script. */
  args?: readonly string[];
  /** Where others expect it; otherwise a free one. */
  port?: number;
};

export type Usage = {
  cpuMs: number;
  rssMib: number;
  peakRssMib: number;
};

export type ServerProcess = {
  url: string;
  /** From the spawn to the first answered request. */
  startMs: number;
  usage: () => Promise<Usage>;
  stop: () => Promise<void>;
};

export async function startServer(options: ServerOptions = {}): Promise<ServerProcess> {
  const { nodeArgs = [], script = 'dist/server/main.js', args = [] } = options;
  const databaseUrl = options.databaseUrl ?? (await ownDatabase());
  const port = options.port ?? (await freePort());
  const url = `http://127.0.0.1:${port}`;
  const dataDir = options.dataDir ?? mkdtempSync(path.join(tmpdir(), 'porchlight-data-'));
  const { DATABASE_URL: _, ...inherited } = process.env;
  const start = performance.now();
  const child = spawn(
    process.execPath,
    ['--import', './tools/cpu-probe.mjs', ...nodeArgs, script, ...args],
    {
      cwd: ROOT,
      detached: process.platform !== 'win32',
      stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
      env: {
        ...inherited,
        // As every way to start it has them.
        ...serverEnv(ROOT, inherited),
        NODE_ENV: 'production',
        HOST: '127.0.0.1',
        PORT: String(port),
        PORCHLIGHT_CONFIG: 'none',
        PORCHLIGHT_MODE: 'demo',
        PORCHLIGHT_PUBLIC_URL: url,
        PORCHLIGHT_DATA_DIR: dataDir,
        ...options.env,
        ...(databaseUrl && { DATABASE_URL: databaseUrl }),
        ...options.envFor?.(url),
      },
    },
  );
  let log = '';
  const keepTail = (text: string) => (log = (log + text).slice(-8000));
  child.stdout?.setEncoding('utf8').on('data', keepTail);
  child.stderr?.setEncoding('utf8').on('data', keepTail);

  const stop = async () => {
    await end(child);
    if (!options.dataDir) rmSync(dataDir, { recursive: true, force: true });
  };
  try {
    await untilAnswering(child, `${url}/api/health/live`);
  } catch (error) {
    await stop();
    throw new Error(`${error instanceof Error ? error.message : String(error)}\n${log}`);
  }
  return { url, startMs: performance.now() - start, usage: () => askUsage(child), stop };
}

/** A first start on the embedded database costs as much as six on PostgreSQL. */
async function ownDatabase(): Promise<string | undefined> {
  const url = process.env.TEST_DATABASE_URL;
  return url && createDatabase(url, `porchlight_${randomUUID().replaceAll('-', '')}`);
}

async function untilAnswering(child: ChildProcess, url: string): Promise<void> {
  const deadline = performance.now() + START_MS;
  while (performance.now() < deadline) {
    if (child.exitCode !== null) throw new Error(`The server ended with code ${child.exitCode}.`);
    try {
      await (await fetch(url, { signal: AbortSignal.timeout(5_000) })).arrayBuffer();
      return;
    } catch {
      await sleep(10);
    }
  }
  throw new Error(`The server did not answer within ${START_MS / 1000} s.`);
}

async function askUsage(child: ChildProcess): Promise<Usage> {
  const answer = once(child, 'message') as Promise<[Usage]>;
  child.send('usage');
  return (await answer)[0];
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const exited = once(child, 'exit');
  const force = setTimeout(() => killGroup(child, 'SIGKILL'), 10_000);
  child.kill('SIGTERM');
  await exited;
  clearTimeout(force);
}
