import { setTimeout as sleep } from 'node:timers/promises';
import { openDatabase } from '../../src/server/db/database.ts';
import { inCluster } from '../../src/server/testing/cluster.ts';
import { median } from '../../tools/figures.ts';
import { createDatabase, startCluster } from '../../tools/postgres.ts';
import { createAnswers } from './answers.ts';
import { startCrowd } from './crowd.ts';
import { checkLedger } from './ledger.ts';
import { startOutside } from './outside.ts';
import { startPair } from './pair.ts';
import { onPostgresOnly, type Run } from './run.ts';
import { untilSent } from './until-sent.ts';
import { readyStatus, until } from './wait.ts';

const ROUNDS = 3;
const PEOPLE = 12;
/** Steps that go through before the primary ends, and again after it. */
const BEFORE = 40;
const MOST_MS = 120_000;
/** R42. */
const RECOVERED_MS = 5000;
const STANDBY = 'standby';

/** The primary ends under load, its synchronous standby takes over; the instances know both by their address alone. */
export async function runFailover(run: Run): Promise<void> {
  onPostgresOnly(run);
  const { report } = run;
  const times: number[] = [];
  for (let round = 0; round < (run.rounds ?? ROUNDS); round += 1) {
    const cleanUps: (() => unknown)[] = [];
    const own = { ...run, onEnd: (cleanUp: () => unknown) => void cleanUps.push(cleanUp) };
    try {
      times.push(await failOver(own));
    } finally {
      for (const cleanUp of cleanUps.reverse()) await cleanUp();
    }
  }
  report.say('');
  report.table(
    ['fail-overs', 'both ready after the promotion, median ms', 'most ms'],
    [[times.length, Math.round(median(times)), Math.round(Math.max(...times))]],
  );
}

/** @returns milliseconds from the promotion until both instances were ready */
async function failOver(run: Run): Promise<number> {
  const { report, random, signal } = run;
  const primary = await startCluster(signal, { isDurable: true });
  run.onEnd(primary.stop);
  const first = new URL(await createDatabase(primary.url, 'porchlight_failover'));
  const standby = await startCluster(signal, {
    isDurable: true,
    standbyOf: { url: primary.url, name: STANDBY },
  });
  run.onEnd(standby.stop);
  // From here on nothing is acknowledged that the standby does not have.
  await inCluster(primary.url, `alter system set synchronous_standby_names = '${STANDBY}'`);
  await inCluster(primary.url, 'select pg_reload_conf()');
  const second = new URL(standby.url);
  second.pathname = first.pathname;
  const both = `postgres://postgres@${first.host},${second.host}${first.pathname}?target_session_attrs=read-write`;

  const outside = await startOutside(run);
  const answers = createAnswers({ isStrict: true });
  let failed = 0;
  const instances = await startPair(
    run,
    { DATABASE_URL: both, LOG_LEVEL: 'fatal', ...outside.env },
    {
      isBlind: true,
      onAnswer(status, path, retryAfter) {
        if (status >= 500) failed += 1;
        answers.note(status, path, retryAfter);
      },
    },
  );
  const ended: string[] = [];
  for (const { url, exited } of instances.servers())
    void exited.then((code) => ended.push(`${url} ended with ${code}`));
  const crowd = startCrowd({ url: instances.balancer.url, outside, size: PEOPLE });
  run.onEnd(crowd.leave);
  const readiness = (wanted: number) => async () =>
    ended.length > 0 ||
    (await Promise.all(instances.ports.map(readyStatus))).every((status) => status === wanted);
  const progress = (steps: number) => {
    const target = crowd.acknowledged() + steps;
    return until(() => crowd.acknowledged() >= target, MOST_MS, signal);
  };

  await progress(BEFORE);
  crowd.disturb();
  answers.disturb();
  await primary.halt('immediate');
  const gone = performance.now();
  const unnoticed = (await until(readiness(503), MOST_MS, signal)) ? [] : ['nobody noticed'];
  await sleep(random.between(0, 2000));
  await standby.promote();
  const promoted = performance.now();
  await until(readiness(200), MOST_MS, signal);
  const took = performance.now() - promoted;
  crowd.calm();
  answers.calm();
  report.say(
    `both ready ${Math.round(took)} ms after the promotion, ${Math.round(performance.now() - gone)} ms after the end of the primary`,
  );
  report.check('a process that ended', ended);
  if (ended.length > 0) return took;
  const stuck = (await progress(BEFORE)) ? [] : ['nobody went on'];
  await crowd.finish();
  for (const port of instances.ports) await untilSent(`http://127.0.0.1:${port}`);
  report.count('people', crowd.people.length);
  report.count('answers', answers.summary());
  report.count('requests that failed', failed);
  const { db, close } = await openDatabase({ url: second.href });
  await checkLedger(report, db, { people: crowd.people, outside });
  await close();
  report.check('neither a success nor 503 with Retry-After', answers.faults());
  report.check('ready although the primary was away', unnoticed);
  report.check(
    `ready later than ${RECOVERED_MS / 1000} s after the promotion`,
    took <= RECOVERED_MS ? [] : [`${Math.round(took)} ms`],
  );
  report.check('somebody could not go on, or a code worked twice', [...stuck, ...crowd.faults]);
  return took;
}
