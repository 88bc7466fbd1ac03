import { setTimeout as sleep } from 'node:timers/promises';
import { openDatabase } from '../../src/server/db/database.ts';
import { startBalancer } from '../../src/server/testing/balancer.ts';
import { freePort } from '../../src/server/testing/free-port.ts';
import {
  endProcess,
  type ServerProcess,
  startProcess,
} from '../../src/server/testing/server-process.ts';
import { median } from '../../tools/figures.ts';
import { createAnswers } from './answers.ts';
import { startCrowd } from './crowd.ts';
import type { Engine, Run } from './run.ts';
import { checkLedger } from './ledger.ts';
import { startOutside } from './outside.ts';
import { ownDatabase } from './own-database.ts';
import { untilSent } from './until-sent.ts';

const ROUNDS = 200;
/** The embedded database gets fewer people: it serves small installations. */
const EMBEDDED_PART = 0.2;
/** The embedded database answers one at a time. */
const PEOPLE: Readonly<Record<Engine, number>> = { pglite: 4, postgres: 12 };
const MOST_ACKNOWLEDGED = 30;
const MOST_WAIT_MS = 40;
const STALLED_MS = 120_000;
/** Characters of the server's output that tell why. */
const LAST_WORDS = 3000;

/** Kills the server while people use every function, and compares the data afterwards. */
export async function runCrash(run: Run): Promise<void> {
  const rounds = run.rounds ?? ROUNDS;
  const embedded = Math.max(1, Math.round(rounds * EMBEDDED_PART));
  const parts: readonly (readonly [Engine, number])[] = run.engine
    ? [[run.engine, rounds]]
    : [
        ['pglite', embedded],
        ['postgres', Math.max(1, rounds - embedded)],
      ];
  for (const [engine, count] of parts) await crash(run, engine, count);
}

async function crash(run: Run, engine: Engine, rounds: number): Promise<void> {
  const { report, random, signal } = run;
  const database = await ownDatabase(run, engine);
  const outside = await startOutside(run);
  const answers = createAnswers();
  const port = await freePort();
  const balancer = await startBalancer([port], { isBlind: true, onAnswer: answers.note });
  run.onEnd(balancer.close);

  let server: ServerProcess | null = null;
  run.onEnd(async () => server && endProcess(server));
  const starts: number[] = [];
  async function start(): Promise<ServerProcess> {
    const begun = performance.now();
    server = await startProcess({
      PORT: String(port),
      PORCHLIGHT_PUBLIC_URL: balancer.url,
      TRUSTED_PROXIES: '127.0.0.1',
      PORCHLIGHT_DRAIN_SECONDS: '0',
      PORCHLIGHT_CAPTCHA_WORK: '1',
      LOG_LEVEL: 'error',
      ...database.env,
      ...outside.env,
    });
    const said = await server.started;
    if (said !== null) throw new Error(`The server did not start again: ${said}`);
    starts.push(performance.now() - begun);
    return server;
  }

  let current = await start();
  const crowd = startCrowd({ url: balancer.url, outside, size: PEOPLE[engine] });
  run.onEnd(crowd.leave);
  for (let round = 1; round <= rounds; round += 1) {
    signal.throwIfAborted();
    const target = crowd.acknowledged() + random.between(1, MOST_ACKNOWLEDGED);
    const stalledAt = performance.now() + STALLED_MS;
    while (crowd.acknowledged() < target) {
      if (performance.now() > stalledAt) {
        report.count('answers', answers.summary());
        report.say(current.output().slice(-LAST_WORDS));
        report.check(`${engine}, round ${round}: nothing goes on`, crowd.waiting());
        return;
      }
      await sleep(5);
    }
    await sleep(random.between(0, MOST_WAIT_MS));
    crowd.disturb();
    answers.disturb();
    current.kill('SIGKILL');
    await current.exited;
    current = await start();
    crowd.calm();
    answers.calm();
    if (round % 20 === 0) report.say(`${engine}: ${round} of ${rounds} rounds`);
  }
  await crowd.finish();
  await untilSent(balancer.url);
  current.kill('SIGTERM');
  const code = await current.exited;

  report.say(`\n${engine}`);
  report.count('rounds', rounds);
  report.count('people', crowd.people.length);
  report.count(
    'start after a kill, median and most, ms',
    `${Math.round(median(starts))}, ${Math.round(Math.max(...starts))}`,
  );
  report.count('answers', answers.summary());
  const { db, close } = await openDatabase(database.where);
  await checkLedger(report, db, { people: crowd.people, outside });
  await close();
  report.check('somebody could not go on, or a code worked twice', crowd.faults);
  report.check('answers that are none, while nothing was killed', answers.faults());
  report.check('the last server ended in order', code === 0 ? [] : [`it ended with ${code}`]);
}
