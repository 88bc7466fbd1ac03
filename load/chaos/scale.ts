import { hash } from '@node-rs/argon2';
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import pg from 'pg';
import { inCluster } from '../../src/server/testing/cluster.ts';
import { emailOfCrowd, FILLED, fillDatabase } from '../../src/server/testing/crowded-database.ts';
import { goEveryPath, runJobs, SECRET_OF_CROWD } from '../../src/server/testing/every-path.ts';
import { newestCode } from '../../src/server/testing/inbox.ts';
import { findScans, watchPlans } from '../../src/server/testing/plan-watch.ts';
import { createVisitor, PASSWORD } from '../../src/server/testing/visitor.ts';
import { median } from '../../tools/figures.ts';
import { createDatabase, startCluster } from '../../tools/postgres.ts';
import { type ServerProcess, startServer } from '../../tools/server-process.ts';
import { onPostgresOnly, type Run } from './run.ts';

const FEW = 1000;
const MANY = 1_000_000;
const SIGN_INS = 40;
const WARM_UP = 20;
/** A batch of the clean-up, with what hangs on its rows. */
const MOST_ROWS = 2500;
/** What one more level of an index, and blocks that are not at hand, may cost. */
const MOST_RATIO = 1.15;
const COST = { memoryCost: 19_456, timeCost: 2, parallelism: 1 };
const SETTINGS = {
  shared_preload_libraries: 'pg_stat_statements',
  'pg_stat_statements.track_planning': 'on',
  track_io_timing: 'on',
  'pg_stat_statements.max': 10_000,
  shared_buffers: '8GB',
  max_wal_size: '16GB',
  wal_level: 'minimal',
  max_wal_senders: 0,
};

/** As on a server that has been up for a day: the first touch of a block tells of its disk, not of the statements. */
const INTO_MEMORY = `create extension pg_prewarm;
  select pg_prewarm(oid) from pg_class where relkind in ('r', 'i') and relnamespace = 'public'::regnamespace`;

/** What a sign-in costs the database and the portal with few and with many accounts, and the plans of all statements. */
export async function runScale(run: Run): Promise<void> {
  onPostgresOnly(run);
  const { report, signal } = run;
  const many = run.accounts ?? MANY;
  const cluster = await startCluster(signal, { settings: SETTINGS });
  run.onEnd(cluster.stop);
  await inCluster(cluster.url, 'create extension pg_stat_statements');
  const passwordHash = await hash(PASSWORD, COST);
  const installations: Installation[] = [];
  for (const size of [FEW, many]) {
    const url = await createDatabase(cluster.url, `porchlight_${size}`);
    const begun = performance.now();
    const rows = await fillDatabase(url, { size, passwordHash });
    signal.throwIfAborted();
    const seconds = ((performance.now() - begun) / 1000).toFixed(0);
    report.say(`${size} accounts: ${rows} rows in ${seconds} s`);
    // What is old enough to go would go beside the sign-ins, and count as theirs; a thousand accounts have next to none.
    await runJobs(url);
    await inCluster(url, 'vacuum analyze');
    const server = await startServer({
      databaseUrl: url,
      env: {
        PORCHLIGHT_SECRET: SECRET_OF_CROWD,
        PORCHLIGHT_DRAIN_SECONDS: '0',
        TRUSTED_PROXIES: '127.0.0.1',
        LOG_LEVEL: 'fatal',
      },
    });
    run.onEnd(server.stop);
    installations.push({ size, url, server });
  }
  for (const { url } of installations) await inCluster(url, INTO_MEMORY);
  // What the filling left to be written would be written beside the sign-ins.
  await inCluster(cluster.url, 'checkpoint');
  await writeOut();
  await compareSignIns(run, cluster.url, installations);
  for (const { server } of installations) await server.stop();

  const [, crowded] = installations;
  if (!crowded) return;
  const watch = await watchPlans(crowded.url);
  run.onEnd(watch.close);
  const scans: string[] = [];
  const paths: (readonly [string, number, number])[] = [];
  const limits = { big: new Set(FILLED), mostRows: MOST_ROWS };
  let begun = performance.now();
  await goEveryPath({
    databaseUrl: watch.url,
    size: many,
    onDone(path) {
      const executed = watch.take();
      paths.push([path, executed.length, Math.round(performance.now() - begun)]);
      begun = performance.now();
      scans.push(...findScans(executed, limits).map((scan) => `${path}: ${scan}`));
    },
  });
  report.say('');
  report.table(['path', 'statements', 'ms, with its plans told'], paths);
  report.check('statements that read a big table whole, or too much of it', scans);
}

const writeOut = () => promisify(execFile)('sync');

type Installation = {
  readonly size: number;
  readonly url: string;
  readonly server: ServerProcess;
};
type Costs = {
  readonly sqlMs: number;
  /** Of it, waiting for blocks that are not in the database's memory. */
  readonly ioMs: number;
  readonly blocks: number;
  readonly calls: number;
};

/** Sign-ins with their hand-off, one here and one there in turn. */
async function compareSignIns(
  { report, signal }: Run,
  clusterUrl: string,
  installations: readonly Installation[],
): Promise<void> {
  const monitor = new pg.Client({ connectionString: clusterUrl });
  await monitor.connect();
  const costs = installations.map(() => [] as (Costs & { readonly cpuMs: number })[]);
  try {
    for (let turn = 0; turn < WARM_UP + SIGN_INS; turn += 1) {
      for (const [at, { size, url, server }] of installations.entries()) {
        signal.throwIfAborted();
        // Spread over all; the ends of the crowd are pending or stand in for others.
        const n = 20 * Math.floor((turn * size) / 20 / (WARM_UP + SIGN_INS)) + 3;
        const before = await costsOf(monitor, url);
        const { cpuMs } = await server.usage();
        await signIn(server.url, emailOfCrowd(n));
        const after = await costsOf(monitor, url);
        if (turn < WARM_UP) continue;
        if (turn === WARM_UP && at === 0) await monitor.query('select pg_stat_statements_reset()');
        costs[at]?.push({
          sqlMs: after.sqlMs - before.sqlMs,
          ioMs: after.ioMs - before.ioMs,
          blocks: after.blocks - before.blocks,
          calls: after.calls - before.calls,
          cpuMs: (await server.usage()).cpuMs - cpuMs,
        });
      }
    }
    await tellGrowth(report, monitor, installations);
  } finally {
    await monitor.end();
  }
  const figures = costs.map((each) => ({
    sqlMs: median(each.map((one) => one.sqlMs)),
    ioMs: median(each.map((one) => one.ioMs)),
    blocks: median(each.map((one) => one.blocks)),
    calls: median(each.map((one) => one.calls)),
    cpuMs: median(each.map((one) => one.cpuMs)),
  }));
  const [few, many] = figures;
  if (!few || !many) return;
  report.say('');
  report.table(
    [`one sign-in with its hand-off, median of ${SIGN_INS}`, ...sizes(installations), 'ratio'],
    (['sqlMs', 'ioMs', 'blocks', 'calls', 'cpuMs'] as const).map((name) => [
      NAMES[name],
      few[name].toFixed(2),
      many[name].toFixed(2),
      few[name] > 0 ? (many[name] / few[name]).toFixed(2) : '',
    ]),
  );
  const ratio = many.sqlMs / few.sqlMs;
  report.check(
    `SQL time grows by more than ${MOST_RATIO}`,
    ratio <= MOST_RATIO ? [] : [ratio.toFixed(2)],
  );
}

const MOST_TOLD = 8;
const IS_COUNTED = `query not ilike '%inbox_messages%' and query not like '%trial_told%'`;

/** The statements that cost the larger one most, beyond what they cost the smaller one. */
async function tellGrowth(
  report: Run['report'],
  monitor: pg.Client,
  installations: readonly Installation[],
): Promise<void> {
  const names = installations.map(({ url }) => new URL(url).pathname.slice(1));
  const { rows } = await monitor.query<{ query: string; [cost: string]: number | string }>(
    `with each as (
       select query, datname, sum(total_exec_time + total_plan_time) / $3 as ms,
         sum(shared_blks_hit + shared_blks_read) / $3 as blocks
       from pg_stat_statements join pg_database on pg_database.oid = dbid
       where ${IS_COUNTED} group by query, datname)
     select query, coalesce(few.ms, 0) as few_ms, many.ms as many_ms, coalesce(few.blocks, 0)::float as few_blocks,
       many.blocks::float as many_blocks
     from (select * from each where datname = $2) as many
     left join (select * from each where datname = $1) as few using (query)
     order by many.ms - coalesce(few.ms, 0) desc limit ${MOST_TOLD}`,
    [...names, SIGN_INS],
  );
  report.say('');
  report.table(
    [`ms a sign-in: ${sizes(installations).join(', ')}`, '', 'blocks', '', 'statement'],
    rows.map(({ query, few_ms, many_ms, few_blocks, many_blocks }) => [
      Number(few_ms).toFixed(2),
      Number(many_ms).toFixed(2),
      Number(few_blocks).toFixed(1),
      Number(many_blocks).toFixed(1),
      query.replaceAll(/\s+/g, ' ').slice(0, 150),
    ]),
  );
}

const NAMES = {
  sqlMs: 'SQL, ms (planning and execution)',
  ioMs: 'of it waiting for blocks, ms',
  blocks: 'blocks read',
  calls: 'statements',
  cpuMs: 'CPU of the portal, ms',
};
const sizes = (installations: readonly Installation[]) =>
  installations.map(({ size }) => `${size} accounts`);

async function signIn(url: string, email: string): Promise<void> {
  const visitor = createVisitor({ url, codeFor: (whom) => newestCode(url, whom) });
  await visitor.signIn(email, PASSWORD);
  const handOff = await visitor.ok('issueHandoff', { body: { choice: null, entrance: 'portal' } });
  const { status } = await visitor.request(handOff.url);
  if (status !== 303) throw new Error(`The module answered ${status}`);
}

/** Of one database. A look into the demo's inbox, which also reminds people of their trial's end, is no part of a sign-in. */
async function costsOf(monitor: pg.Client, url: string): Promise<Costs> {
  const { rows } = await monitor.query<Costs>(
    `select sum(total_exec_time + total_plan_time)::float as "sqlMs", sum(calls)::float as calls,
       sum(shared_blks_hit + shared_blks_read)::float as blocks,
       -- Of another name from 17 on.
       sum(coalesce(to_jsonb(s) ->> 'shared_blk_read_time', to_jsonb(s) ->> 'blk_read_time')::float) as "ioMs"
     from pg_stat_statements as s where dbid = (select oid from pg_database where datname = $1)
     and ${IS_COUNTED}`,
    [new URL(url).pathname.slice(1)],
  );
  return rows[0] ?? { sqlMs: 0, ioMs: 0, calls: 0, blocks: 0 };
}
