import { setTimeout as sleep } from 'node:timers/promises';
import { openDatabase } from '../../src/server/db/database.ts';
import { inCluster } from '../../src/server/testing/cluster.ts';
import { startTcpProxy } from '../../src/server/testing/tcp-proxy.ts';
import { median } from '../../tools/figures.ts';
import { type Cluster, createDatabase, startCluster } from '../../tools/postgres.ts';
import { createAnswers } from './answers.ts';
import { startCrowd } from './crowd.ts';
import { onPostgresOnly, type Run } from './run.ts';
import { checkLedger } from './ledger.ts';
import { startOutside } from './outside.ts';
import { startPair } from './pair.ts';
import { untilSent } from './until-sent.ts';
import { readyStatus, until } from './wait.ts';

const ROUNDS = 10;
const PEOPLE = 12;
/** Steps that go through between two faults. */
const BETWEEN = 8;
const STALLED_MS = 120_000;
const NOTICED_MS = 60_000;
/** R42. */
const RECOVERED_MS = 5000;
const NAME = 'porchlight_database';

type Fault = {
  readonly name: string;
  readonly isAway: boolean;
  begin(): Promise<unknown>;
  end(): Promise<unknown>;
};

/** Takes the database away in five ways while people do all they can do at two instances. */
export async function runDatabase(run: Run): Promise<void> {
  onPostgresOnly(run);
  const { report, random, signal } = run;
  const rounds = run.rounds ?? ROUNDS;
  const cluster = await startCluster(signal, { isDurable: true });
  run.onEnd(cluster.stop);
  const direct = await createDatabase(cluster.url, NAME);
  const { hostname, port } = new URL(direct);
  const proxy = await startTcpProxy({ host: hostname, port: Number(port) });
  run.onEnd(proxy.close);
  const proxied = new URL(direct);
  proxied.port = String(proxy.port);
  const outside = await startOutside(run);
  const answers = createAnswers({ isStrict: true });
  const instances = await startPair(
    run,
    { DATABASE_URL: proxied.href, LOG_LEVEL: 'fatal', ...outside.env },
    { isBlind: true, onAnswer: answers.note },
  );
  const ended: string[] = [];
  for (const { url, exited } of instances.servers())
    void exited.then((code) => ended.push(`${url} ended with ${code}`));

  const readiness = () => Promise.all(instances.ports.map(readyStatus));
  const crowd = startCrowd({ url: instances.balancer.url, outside, size: PEOPLE });
  run.onEnd(crowd.leave);
  const unnoticed: string[] = [];
  const late: string[] = [];
  const faults = faultsOf(cluster, proxy);
  const times = new Map<string, number[]>(faults.map(({ name }) => [name, []]));
  for (let round = 0; round < rounds; round += 1) {
    const fault = faults[round % faults.length];
    if (!fault) break;
    const target = crowd.acknowledged() + random.between(1, BETWEEN);
    await until(() => crowd.acknowledged() >= target, STALLED_MS, signal);
    crowd.disturb();
    answers.disturb();
    await fault.begin();
    if (fault.isAway) {
      const isNoticed = async () =>
        ended.length > 0 || (await readiness()).every((status) => status === 503);
      if (!(await until(isNoticed, NOTICED_MS, signal)))
        unnoticed.push(`${fault.name}: ready said ${(await readiness()).join(' and ')}`);
      await sleep(random.between(0, 2000));
    }
    await fault.end();
    const back = performance.now();
    const isBack = async () =>
      ended.length > 0 || (await readiness()).every((status) => status === 200);
    await until(isBack, NOTICED_MS, signal);
    const took = performance.now() - back;
    times.get(fault.name)?.push(took);
    if (took > RECOVERED_MS) late.push(`${fault.name}: ${Math.round(took)} ms`);
    crowd.calm();
    answers.calm();
    report.say(`${fault.name}: both ready after ${Math.round(took)} ms`);
    if (ended.length > 0) break;
  }
  report.check('a process that ended', ended);
  if (ended.length > 0) return;
  await crowd.finish();
  for (const instance of instances.ports) await untilSent(`http://127.0.0.1:${instance}`);

  report.say('');
  report.table(
    ['fault', 'rounds', 'both ready again, median ms', 'most ms'],
    [...times].map(([name, took]) => [
      name,
      took.length,
      Math.round(median(took)),
      Math.round(Math.max(...took)),
    ]),
  );
  report.count('people', crowd.people.length);
  report.count('answers', answers.summary());
  const { db, close } = await openDatabase({ url: direct });
  await checkLedger(report, db, { people: crowd.people, outside });
  await close();
  report.check('neither a success nor 503 with Retry-After', answers.faults());
  report.check('ready although the database was away', unnoticed);
  report.check(`ready later than ${RECOVERED_MS / 1000} s after the database`, late);
  report.check('somebody could not go on, or a code worked twice', crowd.faults);
}

function faultsOf(
  cluster: Cluster,
  proxy: Awaited<ReturnType<typeof startTcpProxy>>,
): readonly Fault[] {
  const nothing = async () => undefined;
  const cut = () =>
    inCluster(
      cluster.url,
      `select pg_terminate_backend(pid) from pg_stat_activity where datname = '${NAME}'`,
    );
  const readOnly = (mode: string) =>
    inCluster(cluster.url, `alter database ${NAME} set default_transaction_read_only = ${mode}`);
  return [
    { name: 'connections ended', isAway: false, begin: cut, end: nothing },
    {
      name: 'fast restart',
      isAway: true,
      begin: () => cluster.halt('fast'),
      end: cluster.resume,
    },
    {
      name: 'immediate restart',
      isAway: true,
      begin: () => cluster.halt('immediate'),
      end: cluster.resume,
    },
    {
      name: 'host frozen',
      isAway: true,
      begin: async () => proxy.freeze(),
      end: async () => proxy.heal(),
    },
    {
      name: 'read-only',
      isAway: true,
      begin: async () => {
        await readOnly('on');
        await cut();
      },
      end: () => readOnly('off'),
    },
  ];
}
