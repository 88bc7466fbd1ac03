// What several instances take on one PostgreSQL, and where their sign-ins stop: cores, connections or locks.
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';
import { Client } from 'pg';
import type { Figure } from '../../tools/figures.ts';
import { type ServerProcess, startServer } from '../../tools/server-process.ts';
import { advanceClock } from './sign-in-client.ts';
import { ACCOUNTS, ADVANCE_MS, ADVANCE_SECONDS } from './storm.ts';

const INSTANCES = [1, 2, 4];
/** In all: each instance gets its part. */
const BROWSERS = 16;
const RUN_MS = 15_000;
const SAMPLE_MS = 250;

type Sample = { readonly connections: number; readonly locked: number; readonly busy: number };

export async function measureScaleOut(databaseUrl: string, signal: AbortSignal): Promise<Figure[]> {
  // The secrets of demo mode live there and belong to one database.
  const dataDir = mkdtempSync(path.join(tmpdir(), 'porchlight-bench-'));
  const figures: Figure[] = [];
  try {
    await (await startServer({ databaseUrl, dataDir })).stop();
    for (const count of INSTANCES) {
      signal.throwIfAborted();
      const servers: ServerProcess[] = [];
      try {
        for (let n = 0; n < count; n += 1)
          servers.push(await startServer({ databaseUrl, dataDir }));
        figures.push(await measure(servers, databaseUrl));
      } finally {
        for (const server of servers) await server.stop();
      }
    }
    return figures;
  } finally {
    rmSync(dataDir, { recursive: true, force: true });
  }
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
        from pg_stat_activity where application_name like 'porchlight%'
          and datname = current_database()`);
      samples.push(...rows);
      await sleep(SAMPLE_MS);
    }
  } finally {
    await client.end();
  }
  return samples;
}
