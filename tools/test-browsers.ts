// `npm run test:browsers`: the main journeys in Chromium, Firefox and WebKitGTK, as the system's packages have them.
// With names behind it only those browsers, and then each of them has to be there: `npm run test:browsers -- firefox`.
import { rmSync } from 'node:fs';
import path from 'node:path';
import { type Engine, ENGINE_NAMES, findEngine } from './browsers.ts';
import { untilInterrupted } from './processes.ts';
import { REPORTS, runPlaywright } from './reports.ts';
import type { Counts } from './test-counts.ts';

const CONFIG = 'playwright.browsers.config.ts';

const signal = untilInterrupted();
const asked = process.argv.slice(2);
const named = ENGINE_NAMES.filter((name) => asked.includes(name));
/** `npm run test:browsers -- firefox -g password` hands the rest to the test runner. */
const passedOn = asked.filter((argument) => !named.some((name) => name === argument));
const isEachNeeded = named.length > 0 || Boolean(process.env.CI);

const engines: Engine[] = [];
const missing: string[] = [];
for (const name of named.length > 0 ? named : ENGINE_NAMES) {
  try {
    engines.push(await findEngine(name, signal));
  } catch (error) {
    if (signal.aborted) break;
    // The details of apt-get follow in further lines.
    const [reason] = (error instanceof Error ? error.message : String(error)).split(/:?\n/);
    missing.push(`${name}: not run, it is not on this machine. ${reason}`);
  }
}

let counts: Counts = { passed: 0, failed: 0 };
if (engines.length > 0 && !signal.aborted) {
  // A report of the run before must never be taken for one of this run.
  rmSync(path.join(REPORTS, 'browsers.json'), { force: true });
  counts = await runPlaywright('browsers', [`--config=${CONFIG}`, ...passedOn], {
    signal,
    env: { E2E_ENGINES: JSON.stringify(engines) },
  });
}

if (signal.aborted) {
  console.error('\nInterrupted.');
  process.exitCode = 130;
} else {
  for (const line of missing) console.log(line);
  // A run without any browser has shown nothing.
  if (isEachNeeded || engines.length === 0) counts.failed += missing.length;
  console.log(`\n${counts.passed} passed, ${counts.failed} failed`);
  process.exitCode = counts.failed > 0 ? 1 : 0;
}
