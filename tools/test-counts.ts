import path from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { ROOT } from './processes.ts';

export type Counts = {
  passed: number;
  failed: number;
};

type VitestReport = {
  numPassedTests: number;
  numFailedTests: number;
  testResults: {
    name?: string;
    message?: string;
    status: string;
    assertionResults: { status: string; fullName?: string; failureMessages?: string[] }[];
  }[];
};

type PlaywrightSuite = {
  specs?: {
    file: string;
    title: string;
    ok: boolean;
    tests: { results: { error?: { message?: string } }[] }[];
  }[];
  suites?: PlaywrightSuite[];
};

type PlaywrightReport = PlaywrightSuite & {
  stats: { expected: number; unexpected: number; flaky: number };
  errors: { message?: string }[];
};

/** A file that cannot even be loaded has no failed test to count, and is a failure all the same. */
export function vitestCounts(report: unknown): Counts {
  if (!report) return { passed: 0, failed: 1 };
  const { numPassedTests, numFailedTests, testResults } = report as VitestReport;
  const broken = testResults.filter(
    (file) =>
      file.status === 'failed' && !file.assertionResults.some((one) => one.status === 'failed'),
  );
  return { passed: numPassedTests, failed: numFailedTests + broken.length };
}

export function playwrightCounts(report: unknown): Counts {
  if (!report) return { passed: 0, failed: 1 };
  const { stats, errors } = report as PlaywrightReport;
  // A test that fails once and passes once is no proof.
  return { passed: stats.expected, failed: stats.unexpected + stats.flaky + errors.length };
}

/** Each failure of a report as one text: file, test, and how its message begins. */
export function failuresOf(report: unknown): string[] {
  if (!report) return [];
  return 'testResults' in (report as object)
    ? vitestFailures(report as VitestReport)
    : playwrightFailures(report as PlaywrightReport);
}

function vitestFailures({ testResults }: VitestReport): string[] {
  return testResults
    .filter((file) => file.status === 'failed')
    .flatMap((file) => {
      const failed = file.assertionResults.filter((one) => one.status === 'failed');
      if (failed.length === 0) return [described(file.name, 'could not run', file.message)];
      return failed.map((one) => described(file.name, one.fullName, one.failureMessages?.[0]));
    });
}

function playwrightFailures(report: PlaywrightReport): string[] {
  const specs = (suite: PlaywrightSuite): NonNullable<PlaywrightSuite['specs']> => [
    ...(suite.specs ?? []),
    ...(suite.suites ?? []).flatMap(specs),
  ];
  const failed = specs(report).filter((spec) => !spec.ok);
  return [
    ...failed.map((spec) => {
      const errors = spec.tests.flatMap((one) => one.results.flatMap(({ error }) => error ?? []));
      return described(spec.file, spec.title, errors[0]?.message);
    }),
    ...report.errors.map((error) => described(undefined, 'the run', error.message)),
  ];
}

function described(file = '', title = '', message = ''): string {
  const beginning = stripVTControlCharacters(message).split('\n').slice(0, 12).join('\n    ');
  return `${file} › ${title}\n    ${beginning}`;
}

/** Returns a command that runs the failed tests of a step alone. */
export function toRunAgain(step: string, report: unknown): string {
  const results = (report as VitestReport | undefined)?.testResults;
  if (!report) return `npm test -- ${step}`;
  if (!results) return `npm test -- ${step} --last-failed`;
  const failed = results.filter((file) => file.status === 'failed');
  const files = failed.flatMap(({ name }) => (name ? [path.relative(ROOT, name)] : []));
  const isUnit = files.every(
    (file) => !/^src\/(?:cli|server|openid-provider|demo-apps|module-kit)\//.test(file),
  );
  return `npm test -- ${isUnit ? 'unit' : step} ${files.join(' ')}`;
}

/** Returns a time in words, such as "1 min 50 s". */
export function spent(ms: number): string {
  const seconds = Math.round(ms / 1000);
  return seconds < 60 ? `${seconds} s` : `${Math.floor(seconds / 60)} min ${seconds % 60} s`;
}
