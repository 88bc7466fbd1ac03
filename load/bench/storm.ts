// S8 and S9: what a storm of sign-ins takes in memory, and what it does to those who ask for something cheap.
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';
import type { Figure } from '../../tools/figures.ts';
import { type ServerProcess, startServer } from '../../tools/server-process.ts';
import { advanceClock } from './sign-in-client.ts';

const BROWSERS = 16;
export const ACCOUNTS = [
  'member',
  'top',
  'admin',
  'counter',
  'agent',
  'partner',
  'intake',
  'legal',
].map((name) => `${name}@demo.porchlight.test`);
const WARM_UP_CALLS = 300;
/** As many as in the storm: fewer have no hundredth part worth the name. */
const QUIET_CALLS = 1000;
const STORM_MS = 30_000;
const BETWEEN_CALLS_MS = 20;
/** Longer than the windows of the limits. */
export const ADVANCE_SECONDS = 700;
export const ADVANCE_MS = 2000;
const CHEAP = '/api/Settings/authSettings';

export async function measureStorm(databaseUrl: string, signal: AbortSignal): Promise<Figure[]> {
  // The secrets of demo mode live there and belong to one database.
  const dataDir = mkdtempSync(path.join(tmpdir(), 'porchlight-bench-'));
  try {
    // The first start migrates and fills the database, and the compile cache.
    await (await startServer({ databaseUrl, dataDir })).stop();
    return await measure(await startServer({ databaseUrl, dataDir }), signal);
  } finally {
    rmSync(dataDir, { recursive: true, force: true });
  }
}

async function measure(server: ServerProcess, signal: AbortSignal): Promise<Figure[]> {
  try {
    const { rssMib } = await server.usage();
    // Both compile the path first.
    await cheapCalls(server, signal, (calls) => calls < WARM_UP_CALLS);
    const quiet = await cheapCalls(server, signal, (calls) => calls < QUIET_CALLS);
    const crowd = new Worker(new URL('./storm-crowd.ts', import.meta.url), {
      workerData: { url: server.url, browsers: BROWSERS, accounts: ACCOUNTS },
    });
    const clock = setInterval(
      () => void advanceClock(server.url, ADVANCE_SECONDS).catch(() => undefined),
      ADVANCE_MS,
    );
    const end = performance.now() + STORM_MS;
    const stormy = await cheapCalls(server, signal, () => performance.now() < end);
    clearInterval(clock);
    const answer = once(crowd, 'message') as Promise<[{ done: number; refused: number }]>;
    crowd.postMessage('end');
    const [{ done, refused }] = await answer;
    const { peakRssMib } = await server.usage();
    const crowdText = `${BROWSERS} browsers, ${done} sign-ins, ${refused} refused`;
    return [
      {
        id: 'S8',
        what: 'p99 of a cheap call in a storm',
        unit: 'ms',
        value: p99(stormy),
        budget: 50,
        baseline: `quiet ${p99(quiet).toFixed(0)} ms, n ${stormy.length}; ${crowdText}`,
      },
      { id: 'S8', what: 'sign-ins in a storm', unit: '/s', value: (done * 1000) / STORM_MS },
      { id: 'S9', what: 'memory after start', unit: 'MiB', value: rssMib, budget: 130 },
      { id: 'S9', what: 'peak memory in a storm', unit: 'MiB', value: peakRssMib, budget: 200 },
    ];
  } finally {
    await server.stop();
  }
}

/** One after another, with a pause. @returns milliseconds each */
async function cheapCalls(
  { url }: ServerProcess,
  signal: AbortSignal,
  goesOn: (calls: number) => boolean,
): Promise<number[]> {
  const took: number[] = [];
  while (goesOn(took.length)) {
    const begun = performance.now();
    const response = await fetch(url + CHEAP, { signal });
    await response.arrayBuffer();
    if (!response.ok) throw new Error(`${CHEAP} answered ${response.status}.`);
    took.push(performance.now() - begun);
    await sleep(BETWEEN_CALLS_MS);
  }
  return took;
}

function p99(times: number[]): number {
  const sorted = times.toSorted((a, b) => a - b);
  return sorted[Math.floor(sorted.length * 0.99)] ?? Number.NaN;
}
