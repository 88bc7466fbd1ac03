// `npm test`: runs every check with its services, and cleans up in every case.
// `npm run test:all` (--all): the same tests on both databases, at every width and in every colour scheme.
// With names behind it only those steps run: `npm test -- unit server`.
import { mkdirSync, rmSync } from 'node:fs';
import path from 'node:path';
import { ensureFonts, findChromium, findShell } from './chromium.ts';
import { EMBEDDED_TESTS } from './embedded-tests.ts';
import { OTHER_VERSIONS, partsFor, startVersion } from './other-postgres.ts';
import { startPostgres, type Postgres } from './postgres.ts';
import { ROOT, runNode, untilInterrupted } from './processes.ts';
import { failedAtLeast, readReport, REPORTS, runPlaywright } from './reports.ts';
import { ensurePrograms } from './system-packages.ts';
import { type Counts, failuresOf, vitestCounts } from './test-counts.ts';

/** The compile cache of Node, shared by the processes of this run. */
process.env.NODE_COMPILE_CACHE ??= path.join(ROOT, 'node_modules/.cache/node');

const VITEST = 'node_modules/vitest/vitest.mjs';

type Step = {
  name: string;
  /** The build that the later steps share. */
  needs?: readonly ('chromium' | 'postgres')[];
  run: () => Promise<Counts>;
};

const signal = untilInterrupted();
let chromium = '';
let shell: string | undefined;
let postgres: Postgres | undefined;

const isAll = process.argv.includes('--all');
const STEPS: Step[] = [
  { name: 'check', run: () => plain('tools/check.ts') },
  { name: 'unit', run: () => vitest('unit', ['--project', 'unit']) },
  {
    name: 'server',
    needs: ['postgres'],
    run: server,
  },
  ...(isAll ? OTHER_VERSIONS.map(onVersion) : []),
  {
    name: 'embedded',
    run: () => vitest('embedded', ['--project', 'server', ...(isAll ? [] : embeddedFiles())]),
  },
  { name: 'budgets', needs: ['postgres'], run: () => plain('tools/budgets.ts', onPostgres()) },
  { name: 'e2e', needs: ['chromium', 'postgres'], run: () => e2e('short') },
];
/** Runs when it is asked for by name, and in the full matrix with all browser tests. */
const STATES: Step = {
  name: 'states',
  needs: ['chromium', 'postgres'],
  run: () => e2e('states'),
};

const asked = process.argv.slice(2).filter((argument) => argument !== '--all');
const NAMED = [...STEPS, STATES];
const stepNames = asked.filter((argument) => NAMED.some((step) => step.name === argument));
/** `npm run e2e -- --headed otp` hands the rest to the test runner. */
const passedOn = asked.filter((argument) => !stepNames.includes(argument));
const steps =
  stepNames.length === 0 ? STEPS : NAMED.filter((step) => stepNames.includes(step.name));

const onPostgres = () => ({ TEST_DATABASE_URL: postgres?.url ?? '' });

/** The default files; named files replace them. */
function embeddedFiles(): readonly string[] {
  return passedOn.length > 0 ? [] : [...EMBEDDED_TESTS, '.pglite.test.ts'];
}

/** Programs that few machines have: only `npm run test:all` needs them. */
const PROGRAMS = {
  nginx: 'nginx',
  haproxy: 'haproxy',
  promtool: 'prometheus',
  pgbouncer: 'pgbouncer',
  '/usr/lib/python3/dist-packages/jwt': 'python3-jwt',
  '/usr/lib/python3/dist-packages/cryptography': 'python3-cryptography',
  java: 'default-jdk-headless',
};

async function server(): Promise<Counts> {
  if (isAll) await ensurePrograms(PROGRAMS, signal);
  const all = isAll ? { PORCHLIGHT_TEST_ALL: 'on' } : {};
  return vitest('server', ['--project', 'server'], { ...onPostgres(), ...all });
}

/** The same tests, as far as versions of PostgreSQL could make a difference. */
function onVersion(version: (typeof OTHER_VERSIONS)[number]): Step {
  const name = `postgres-${version}`;
  return {
    name,
    async run() {
      await ensurePrograms({ pgbouncer: PROGRAMS.pgbouncer }, signal);
      const { url, stop } = await startVersion(version, signal);
      try {
        const files = passedOn.length > 0 ? [] : partsFor(version);
        return await vitest(name, ['--project', 'server', ...files], {
          TEST_DATABASE_URL: url,
          PORCHLIGHT_TEST_ALL: 'on',
        });
      } finally {
        await stop();
      }
    },
  };
}

async function vitest(name: string, args: string[], env: NodeJS.ProcessEnv = {}): Promise<Counts> {
  const report = path.join(REPORTS, `${name}.json`);
  const { TEST_DATABASE_URL: _, ...rest } = process.env;
  const { code } = await runNode(
    VITEST,
    [
      'run',
      ...args,
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
function e2e(choice: 'short' | 'states'): Promise<Counts> {
  const isWhole = isAll || passedOn.length > 0;
  return runPlaywright('e2e', passedOn, {
    signal,
    env: {
      CHROMIUM_PATH: chromium,
      CHROMIUM_SHELL_PATH: shell ?? chromium,
      PORCHLIGHT_E2E: isWhole ? '' : choice,
      ...(isAll ? { PORCHLIGHT_TEST_ALL: 'on', TEST_DATABASE_URL: '' } : onPostgres()),
    },
  });
}

async function plain(script: string, env: NodeJS.ProcessEnv = {}): Promise<Counts> {
  const { code } = await runNode(script, [], { signal, env: { ...process.env, ...env } });
  return failedAtLeast(code, { passed: 0, failed: 0 });
}

const total: Counts = { passed: 0, failed: 0 };
const failedSteps: string[] = [];
try {
  // A report of the run before must never be taken for one of this run.
  rmSync(REPORTS, { recursive: true, force: true });
  mkdirSync(REPORTS, { recursive: true });
  // Asked for first: a missing program should be known before minutes have gone by.
  if (steps.some((step) => step.needs?.includes('chromium'))) {
    await ensureFonts(signal);
    chromium = await findChromium(signal);
    shell = await findShell(signal);
  }
  if (steps.some((step) => step.needs?.includes('postgres')))
    postgres = await startPostgres(signal);
  for (const step of steps) {
    console.log(`\n== ${step.name}`);
    const counts = await step.run();
    signal.throwIfAborted();
    total.passed += counts.passed;
    total.failed += counts.failed;
    if (counts.failed > 0) failedSteps.push(step.name);
  }
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
  // Repeated at the end: the last lines must name the failed test.
  for (const step of failedSteps) {
    const failures = failuresOf(readReport(path.join(REPORTS, `${step}.json`)));
    console.log(`\nFailed: ${[step, ...failures].join('\n  ')}`);
  }
  console.log(`${total.passed} passed, ${total.failed} failed`);
  process.exitCode = total.failed > 0 ? 1 : 0;
}
