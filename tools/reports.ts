// Reads the results of the test runners from their reports.
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { ROOT, runNode } from './processes.ts';
import { type Counts, playwrightCounts } from './test-counts.ts';

export const REPORTS = path.join(ROOT, 'test-results', 'reports');
const PLAYWRIGHT = 'node_modules/@playwright/test/cli.js';

/** Runs Playwright, with the report under a name of its own. */
export async function runPlaywright(
  name: string,
  args: readonly string[],
  { signal, env }: { signal: AbortSignal; env: Record<string, string> },
): Promise<Counts> {
  const report = path.join(REPORTS, `${name}.json`);
  const { code } = await runNode(PLAYWRIGHT, ['test', '--pass-with-no-tests', ...args], {
    signal,
    env: { ...process.env, ...env, PLAYWRIGHT_JSON_OUTPUT_FILE: report },
  });
  return failedAtLeast(code, playwrightCounts(readReport(report)));
}

/** A step that fails without naming a test (a lint error, a broken import) is one failure. */
export function failedAtLeast(code: number, counts: Counts): Counts {
  return code === 0 ? counts : { ...counts, failed: Math.max(counts.failed, 1) };
}

export function readReport(file: string): unknown {
  try {
    return JSON.parse(readFileSync(file, 'utf8')) as unknown;
  } catch {
    return undefined;
  }
}
