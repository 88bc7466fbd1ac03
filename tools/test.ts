// `npm test`: runs every check with its services, and cleans up in every case.
// `npm test -- rest`: what it leaves out, as `.ci/run` does after it.
// `npm test -- --changed` (or --changed=origin/main): whatever a change touches, whole.
// `npm run test:all` (--all): everything, on each version of PostgreSQL, at every width and in every colour scheme.
// With names behind it only those steps run: `npm test -- unit server`, `npm run test:all -- e2e`.
import { globSync, mkdirSync, readFileSync, rmSync } from 'node:fs';
import path from 'node:path';
import { ensureFonts, findChromium, findShell } from './chromium.ts';
import { EMBEDDED_TESTS } from './embedded-tests.ts';
import { OTHER_VERSIONS, PARTS, partsFor, startVersion } from './other-postgres.ts';
import { startPostgres, type Postgres } from './postgres.ts';
import { ROOT, runNode, untilInterrupted } from './processes.ts';
import { failedAtLeast, readReport, REPORTS, runPlaywright } from './reports.ts';
import { ensureBuilt } from './setup/build-stamp.mjs';
import { ensurePrograms } from './system-packages.ts';
import { type Counts, failuresOf, spent, toRunAgain, vitestCounts } from './test-counts.ts';

/** The compile cache of Node, shared by the processes of this run. */
process.env.NODE_COMPILE_CACHE ??= path.join(ROOT, 'node_modules/.cache/node');

const VITEST = 'node_modules/vitest/vitest.mjs';

type Service = 'build' | 'chromium' | 'postgres';
type Step = {
  readonly name: string;
  /** What it shows, for the line that announces it. */
  readonly shows: string;
  readonly needs?: readonly Service[];
  readonly run: () => Promise<Counts>;
};

const signal = untilInterrupted();
let chromium = '';
let shell: string | undefined;
let postgres: Postgres | undefined;

/** `short`: `npm test`. `rest`: what that leaves out. `all`: both, and for the full matrix more of each. */
type Choice = 'short' | 'rest' | 'all';

const args = process.argv.slice(2);
const isAll = args.includes('--all');
const changed = args.find((argument) => /^--changed(?:=|$)/.test(argument));
const WORDS =
  /^(?:--all|--changed(?:=.*)?|rest|check|unit|server(?:-rest|-long)?|embedded(?:-rest)?|budgets|e2e(?:-rest)?|states|postgres-\d+)$/;
/** Files, titles and options for the test runner: `npm run e2e -- --headed otp`. */
const passedOn = args.filter((argument) => !WORDS.test(argument));

const check: Step = {
  name: 'check',
  shows: 'types, lint, format, citations',
  run: () => plain('tools/check.ts', process.env, 'collect'),
};
const unit: Step = {
  name: 'unit',
  shows: 'rules, texts and screens, without a server',
  run: () => vitest('unit', ['--project', 'unit']),
};
const server = (name: string, choice: Choice, projects: readonly string[]): Step => ({
  name,
  shows: `${projects.includes('unit') ? 'rules, and ' : ''}routes, races and findings on PostgreSQL`,
  needs: ['build', 'postgres'],
  async run() {
    if (choice !== 'short') await ensurePrograms(PROGRAMS, signal);
    const named = projects.flatMap((project) => ['--project', project]);
    const env = { ...onPostgres(), PORCHLIGHT_TESTS: choice, ...fullMatrix() };
    return vitest(name, [...named, ...(choice === 'short' ? ['--tags-filter=!long'] : [])], env);
  },
});
/** The tests with the tag `long` that stand in files of `npm test`. */
const serverLong: Step = {
  name: 'server-long',
  shows: 'the longer tests of the same files',
  needs: ['build', 'postgres'],
  run() {
    const files = passedOn.length > 0 ? [] : longFiles();
    const named = ['--project', 'server', '--tags-filter=long', ...files];
    return vitest('server-long', named, onPostgres());
  },
};
/** Returns the files with such tests: a file whose tests are all left out opens its databases, and closes none. */
const longFiles = () =>
  globSync('src/**/*.test.ts', { cwd: ROOT }).filter((file) =>
    readFileSync(path.join(ROOT, file), 'utf8').includes("'long'"),
  );
const embedded = (name: string, choice: Choice, shows: string): Step => ({
  name,
  shows: `${shows} on the embedded database`,
  needs: ['build'],
  run() {
    const own = [...EMBEDDED_TESTS, '.pglite.test.ts'];
    const files = choice === 'all' ? [...own, ...PARTS] : own;
    const named = passedOn.length > 0 ? [] : files;
    return vitest(name, ['--project', 'server', ...named], { PORCHLIGHT_TESTS: choice });
  },
});
const budgets: Step = {
  name: 'budgets',
  shows: 'bytes of each screen',
  needs: ['build', 'postgres'],
  run: () => plain('tools/budgets.ts', { ...process.env, ...onPostgres() }),
};
const e2e = (name: string, choice: 'core' | 'rest' | 'states' | 'all', shows: string): Step => ({
  name,
  shows,
  needs: ['build', 'chromium', 'postgres'],
  run: () => browser(name, choice),
});

const SHORT = [
  check,
  server('server', 'short', ['unit', 'server']),
  embedded('embedded', 'short', 'first start and demo data'),
  budgets,
  e2e('e2e', 'core', 'journeys, and one state of each screen, in a browser'),
];
const states = e2e('states', 'states', 'every state of each screen, with axe');
const REST = [
  server('server-rest', 'rest', ['server']),
  serverLong,
  embedded('embedded-rest', 'rest', 'kills, files and two starts at once'),
  e2e('e2e-rest', 'rest', 'every other way through the pages, in a browser'),
  states,
];
const ALL = [
  check,
  server('server', 'all', ['unit', 'server']),
  ...OTHER_VERSIONS.map(onVersion),
  embedded('embedded', 'all', 'statements, kills, files and demo data'),
  budgets,
  e2e('e2e', 'all', 'every journey and state, at each width and in each colour scheme'),
];
const CHANGED = [
  check,
  server('server', 'all', ['unit', 'server']),
  e2e('e2e', 'all', 'the journeys of changed files'),
];
/** Steps that are asked for by name; a named file or title is searched in all tests. */
const NAMED = [
  check,
  unit,
  server('server', passedOn.length > 0 ? 'all' : 'short', ['server']),
  ...REST,
  ...OTHER_VERSIONS.map(onVersion),
  embedded('embedded', passedOn.length > 0 ? 'all' : 'short', 'first start and demo data'),
  budgets,
  e2e('e2e', passedOn.length > 0 ? 'all' : 'core', 'journeys in a browser'),
];
function planOf(): readonly Step[] {
  if (changed !== undefined) return CHANGED;
  if (args.includes('rest')) return REST;
  const named = (isAll ? ALL : NAMED).filter((step) => args.includes(step.name));
  if (named.length > 0) return named;
  return isAll ? ALL : SHORT;
}

const onPostgres = () => ({ TEST_DATABASE_URL: postgres?.url ?? '' });
const fullMatrix = () => (isAll ? { PORCHLIGHT_TEST_ALL: 'on' } : {});

/** Programs that few machines have: `npm test` does without them. */
const PROGRAMS = {
  nginx: 'nginx',
  haproxy: 'haproxy',
  promtool: 'prometheus',
  pgbouncer: 'pgbouncer',
  '/usr/lib/python3/dist-packages/jwt': 'python3-jwt',
  '/usr/lib/python3/dist-packages/cryptography': 'python3-cryptography',
  java: 'default-jdk-headless',
};

/** The same tests, as far as versions of PostgreSQL could make a difference. */
function onVersion(version: (typeof OTHER_VERSIONS)[number]): Step {
  const name = `postgres-${version}`;
  return {
    name,
    shows: `statements, locks and roles on PostgreSQL ${version}`,
    needs: ['build'],
    async run() {
      await ensurePrograms({ pgbouncer: PROGRAMS.pgbouncer }, signal);
      const { url, stop } = await startVersion(version, signal);
      try {
        const files = passedOn.length > 0 ? [] : partsFor(version);
        return await vitest(name, ['--project', 'server', ...files], {
          TEST_DATABASE_URL: url,
          PORCHLIGHT_TESTS: 'all',
          ...fullMatrix(),
        });
      } finally {
        await stop();
      }
    },
  };
}

async function vitest(
  name: string,
  options: readonly string[],
  env: NodeJS.ProcessEnv = {},
): Promise<Counts> {
  const report = path.join(REPORTS, `${name}.json`);
  const { TEST_DATABASE_URL: _, ...rest } = process.env;
  const { code } = await runNode(
    VITEST,
    [
      'run',
      ...options,
      ...(changed === undefined ? [] : [changed]),
      '--reporter=default',
      '--reporter=json',
      `--outputFile.json=${report}`,
      ...passedOn,
    ],
    { signal, env: { ...rest, ...env } },
  );
  return failedAtLeast(code, vitestCounts(readReport(report)));
}

/** Files or titles that are named run whole. */
function browser(name: string, choice: 'core' | 'rest' | 'states' | 'all'): Promise<Counts> {
  const only = changed === undefined ? [] : [changed.replace('--changed', '--only-changed')];
  return runPlaywright(name, [...only, ...passedOn], {
    signal,
    env: {
      CHROMIUM_PATH: chromium,
      CHROMIUM_SHELL_PATH: shell ?? chromium,
      PORCHLIGHT_E2E: choice === 'all' ? '' : choice,
      ...(isAll ? { TEST_DATABASE_URL: '' } : onPostgres()),
      ...fullMatrix(),
    },
  });
}

async function plain(
  script: string,
  env: NodeJS.ProcessEnv,
  output: 'inherit' | 'collect' = 'inherit',
): Promise<Counts> {
  const { code, output: said } = await runNode(script, [], { signal, env, output });
  if (said) process.stdout.write(said);
  return failedAtLeast(code, { passed: 0, failed: 0 });
}

/** Builds, and starts what the steps need. Debian's packages are installed one after the other. */
async function start(steps: readonly Step[]): Promise<void> {
  const needs = new Set(steps.flatMap((step) => step.needs ?? []));
  const services = async () => {
    // First: a missing program should be known before minutes have gone by.
    if (needs.has('chromium')) {
      await ensureFonts(signal);
      chromium = await findChromium(signal);
      shell = await findShell(signal);
    }
    if (needs.has('postgres')) postgres = await startPostgres(signal);
  };
  const build = async () => needs.has('build') && ensureBuilt(ROOT, process.execPath);
  // Both to their end: a database that starts beside a build that fails is stopped, too.
  for (const outcome of await Promise.allSettled([build(), services()])) {
    if (outcome.status === 'rejected') throw outcome.reason;
  }
}

const steps = planOf();
const beganAt = performance.now();
const total: Counts = { passed: 0, failed: 0 };
const summary: string[] = [];
const failedSteps: string[] = [];

async function runStep(step: Step): Promise<void> {
  const at = performance.now();
  console.log(`\n== ${steps.indexOf(step) + 1} of ${steps.length}: ${step.name}: ${step.shows}`);
  const { passed, failed } = await step.run();
  signal.throwIfAborted();
  total.passed += passed;
  total.failed += failed;
  if (failed > 0) failedSteps.push(step.name);
  const line = `${step.name}: ${passed} passed, ${failed} failed, ${spent(performance.now() - at)}`;
  summary.push(line);
  console.log(`-- ${line}; ${spent(performance.now() - beganAt)} in all`);
}

try {
  // A report of the run before must never be taken for one of this run.
  rmSync(REPORTS, { recursive: true, force: true });
  mkdirSync(REPORTS, { recursive: true });
  // The check needs nothing of the start, and runs beside it.
  const beside = steps[0] === check ? runStep(check) : Promise.resolve();
  await Promise.all([beside, start(steps)]);
  for (const step of steps) if (step !== check) await runStep(step);
} catch (error) {
  if (!signal.aborted) {
    console.error(`\n${error instanceof Error ? error.message : String(error)}`);
    total.failed += 1;
  }
} finally {
  await postgres?.stop();
}

if (signal.aborted) {
  console.error('\nInterrupted.');
  process.exitCode = 130;
} else {
  console.log(`\n${summary.join('\n')}`);
  // Repeated at the end: the last lines must name the failed test, and how to run it again.
  for (const step of failedSteps) {
    const report = readReport(path.join(REPORTS, `${step}.json`));
    console.log(`\nFailed: ${[step, ...failuresOf(report)].join('\n  ')}`);
    console.log(`Run again: ${toRunAgain(step, report)}`);
  }
  console.log(`${total.passed} passed, ${total.failed} failed`);
  process.exitCode = total.failed > 0 ? 1 : 0;
}
