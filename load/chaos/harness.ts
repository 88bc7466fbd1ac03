// `npm run harness -- <name>`: long runs that try to break what the tests prove in small (docs/operations/harnesses.md).
import { randomInt } from 'node:crypto';
import { parseArgs } from 'node:util';
import { untilInterrupted } from '../../tools/processes.ts';
import { runCanary } from './canary.ts';
import { runCrash } from './crash.ts';
import { runDatabase } from './database.ts';
import { runFailover } from './failover.ts';
import { runFlood } from './flood.ts';
import { runRace } from './race.ts';
import { createRandom } from './random.ts';
import { createReport } from './report.ts';
import { ENGINES, type Run } from './run.ts';
import { runScale } from './scale.ts';

const HARNESSES: Readonly<Record<string, (run: Run) => Promise<void>>> = {
  canary: runCanary,
  crash: runCrash,
  database: runDatabase,
  failover: runFailover,
  flood: runFlood,
  race: runRace,
  scale: runScale,
};
const USAGE = `Usage: npm run harness -- <${Object.keys(HARNESSES).join('|')}> [--rounds N] [--accounts N] [--seed N] [--database pglite|postgres]`;

/** A usage fault, printed without a stack. */
class Misuse extends Error {}

const wholeNumber = (text: string | undefined) => text === undefined || /^[1-9]\d{0,8}$/.test(text);

function readArguments() {
  const { positionals, values } = parseArgs({
    allowPositionals: true,
    options: {
      rounds: { type: 'string' },
      accounts: { type: 'string' },
      seed: { type: 'string' },
      database: { type: 'string' },
    },
  });
  const [name = '', ...more] = positionals;
  const harness = Object.hasOwn(HARNESSES, name) ? HARNESSES[name] : undefined;
  const { database } = values;
  const engine = ENGINES.find((known) => known === database) ?? null;
  if (!harness || more.length > 0 || (database && !engine)) throw new Misuse(USAGE);
  if (![values.rounds, values.accounts, values.seed].every(wholeNumber)) throw new Misuse(USAGE);
  return {
    name,
    harness,
    rounds: values.rounds === undefined ? null : Number(values.rounds),
    accounts: values.accounts === undefined ? null : Number(values.accounts),
    seed: Number(values.seed ?? randomInt(1, 1_000_000_000)),
    engine,
  };
}

async function main(): Promise<number> {
  const { name, harness, rounds, accounts, seed, engine } = readArguments();
  const report = createReport();
  const signal = untilInterrupted();
  const cleanUps: (() => unknown)[] = [];
  const begun = performance.now();
  try {
    await harness({
      report,
      random: createRandom(seed),
      rounds,
      accounts,
      engine,
      signal,
      onEnd: (cleanUp) => void cleanUps.push(cleanUp),
    });
  } finally {
    for (const cleanUp of cleanUps.reverse()) await cleanUp();
    const seconds = Math.round((performance.now() - begun) / 1000);
    report.say(`${name}: seed ${seed}, ${seconds} s, checks with faults: ${report.failed()}`);
  }
  return report.failed() > 0 ? 1 : 0;
}

try {
  process.exitCode = await main();
} catch (error) {
  const isMisuse = error instanceof Misuse || (error instanceof TypeError && 'code' in error);
  // With its cause: of a failed fetch the message alone tells nothing.
  console.error(isMisuse ? error.message : error);
  process.exitCode = 1;
}
