// What several instances take on one PostgreSQL, and where their sign-ins stop: cores, connections or locks.
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';
import { Client } from 'pg';
import type { Figure } from '../../tools/figures.ts';
import { type ServerOptions, type ServerProcess, startServer } from '../../tools/server-process.ts';
import { inCluster } from '../../src/server/testing/cluster.ts';
import { startPooler } from '../../src/server/testing/pooler.ts';
import { ensurePrograms } from '../../tools/system-packages.ts';
import { advanceClock } from './sign-in-client.ts';
import { ACCOUNTS, ADVANCE_MS, ADVANCE_SECONDS } from './storm.ts';

const INSTANCES = [1, 2, 4];
/** In all: each instance gets its part. */
const BROWSERS = 16;
/** Connections of the pooler, for all instances together. */
const POOLED = 8;
const RUN_MS = 15_000;
const SAMPLE_MS = 250;

type Sample = { readonly connections: number; readonly locked: number; readonly busy: number };

/** Measures instances that talk to PostgreSQL themselves, and then through PgBouncer. */
export async function measureScaleOut(databaseUrl: string, signal: AbortSignal): Promise<Figure[]> {
  await ensurePrograms({ pgbouncer: 'pgbouncer' }, signal);
  // The secrets of demo mode live there and belong to one database.
  const dataDir = mkdtempSync(path.join(tmpdir(), 'porchlight-bench-'));
  try {
    await (await startServer({ databaseUrl, dataDir })).stop();
    const figures = await measureEach({ databaseUrl, dataDir }, databaseUrl, signal);
    // The pooler forwards no time limit of a connection.
    const { pathname, username: role } = new URL(databaseUrl);
    await inCluster(
      databaseUrl,
      `alter database ${pathname.slice(1)} set statement_timeout = 2500`,
    );
    const pooler = await startPooler(databaseUrl, { role, connections: POOLED });
    try {
      const through = await measureEach({ databaseUrl: pooler.url, dataDir }, databaseUrl, signal);
      const named = through.map((each) => ({ ...each, what: `${each.what}, PgBouncer` }));
      return [...figures, ...named];
    } finally {
      await pooler.stop();
    }
  } finally {
    rmSync(dataDir, { recursive: true, force: true });
  }
}

async function measureEach(
  options: ServerOptions,
  databaseUrl: string,
  signal: AbortSignal,
): Promise<Figure[]> {
  const figures: Figure[] = [];
  for (const count of INSTANCES) {
    signal.throwIfAborted();
    const servers: ServerProcess[] = [];
    try {
      for (let n = 0; n < count; n += 1) servers.push(await startServer(options));
      figures.push(await measure(servers, databaseUrl));
    } finally {
      for (const server of servers) await server.stop();
    }
  }
  return figures;
}

async function measure(servers: readonly ServerProcess[], databaseUrl: string): Promise<Figure> {
  const count = servers.length;
  const before = await cpuOf(servers);
  const crowds = servers.map(
    ({ url }) =>
      new Worker(new URL('./storm-crowd.ts', import.meta.url), {
        workerData: { url, browsers: BROWSERS / count, accounts: ACCOUNTS },
      }),
  );
  const clock = setInterval(() => {
    for (const { url } of servers) void advanceClock(url, ADVANCE_SECONDS).catch(() => undefined);
  }, ADVANCE_MS);
  const samples = await watch(databaseUrl);
  clearInterval(clock);
  const answers = crowds.map((crowd) => once(crowd, 'message') as Promise<[Crowd]>);
  for (const crowd of crowds) crowd.postMessage('end');
  const ended = (await Promise.all(answers)).map(([each]) => each);
  const done = ended.reduce((sum, each) => sum + each.done, 0);
  const refused = ended.reduce((sum, each) => sum + each.refused, 0);
  const cpuMs = (await cpuOf(servers)) - before;
  const most = (of: (sample: Sample) => number) => Math.max(...samples.map(of));
  return {
    id: '-',
    what: `sign-ins, ${count} instances`,
    unit: '/s',
    value: (done * 1000) / RUN_MS,
    baseline:
      `${refused} refused; ${(cpuMs / RUN_MS).toFixed(2)} cores of the portal; ` +
      `connections at most ${most(({ connections }) => connections)}, busy ${most(({ busy }) => busy)}, ` +
      `waiting for a lock ${most(({ locked }) => locked)}`,
  };
}

type Crowd = { readonly done: number; readonly refused: number };

async function cpuOf(servers: readonly ServerProcess[]): Promise<number> {
  const usages = await Promise.all(servers.map((server) => server.usage()));
  return usages.reduce((sum, { cpuMs }) => sum + cpuMs, 0);
}

/** Looks at the connections of the portal for the time of a run. */
async function watch(databaseUrl: string): Promise<readonly Sample[]> {
  const client = new Client({ connectionString: databaseUrl });
  await client.connect();
  const samples: Sample[] = [];
  try {
    const end = performance.now() + RUN_MS;
    while (performance.now() < end) {
      const { rows } = await client.query<Sample>(`
        select count(*)::int as connections,
          count(*) filter (where wait_event_type = 'Lock')::int as locked,
          count(*) filter (where state = 'active')::int as busy
        from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()`);
      samples.push(...rows);
      await sleep(SAMPLE_MS);
    }
  } finally {
    await client.end();
  }
  return samples;
}
