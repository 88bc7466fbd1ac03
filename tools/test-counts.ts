export type Counts = {
  passed: number;
  failed: number;
};

type VitestReport = {
  numPassedTests: number;
  numFailedTests: number;
  testResults: { status: string; assertionResults: { status: string }[] }[];
};

type PlaywrightReport = {
  stats: { expected: number; unexpected: number; flaky: number };
  errors: unknown[];
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
