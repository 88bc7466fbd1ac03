// S10: from the spawn to the first answered request, beside Fastify with one route.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { type Figure, median } from '../../tools/figures.ts';
import { type ServerOptions, startServer } from '../../tools/server-process.ts';

const RUNS = 5;

export async function measureStart(databaseUrl: string, signal: AbortSignal): Promise<Figure[]> {
  // The secrets of demo mode live there and belong to one database each.
  const folder = mkdtempSync(path.join(tmpdir(), 'porchlight-bench-'));
  const withEmbedded = { dataDir: path.join(folder, 'embedded') };
  const withPostgres = { dataDir: path.join(folder, 'postgres'), databaseUrl };
  const bare: number[] = [];
  const onPostgres: number[] = [];
  const embedded: number[] = [];
  try {
    const firstEmbedded = await startAndStop(withEmbedded);
    // The first start on a database migrates and seeds it: not what is compared here.
    await startAndStop(withPostgres);
    for (let round = 0; round < RUNS; round += 1) {
      signal.throwIfAborted();
      bare.push(await startAndStop({ script: 'load/bench/baselines/bare-fastify.ts' }));
      onPostgres.push(await startAndStop(withPostgres));
      embedded.push(await startAndStop(withEmbedded));
    }
    const base = median(bare);
    const ratios = onPostgres.map((ms) => ms / base);
    return [
      {
        id: 'S10',
        what: 'start on PostgreSQL / bare Fastify',
        unit: '',
        value: median(ratios),
        runs: ratios,
        budget: 2.5,
        baseline: `${Math.round(median(onPostgres))} ms : ${Math.round(base)} ms`,
      },
      { id: '-', what: 'first start, embedded database', unit: 'ms', value: firstEmbedded },
      {
        id: '-',
        what: 'later start, embedded database',
        unit: 'ms',
        value: median(embedded),
        runs: embedded,
        budget: 5000,
      },
    ];
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

async function startAndStop(options: ServerOptions): Promise<number> {
  const server = await startServer(options);
  await server.stop();
  return server.startMs;
}
