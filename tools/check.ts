// `npm run check`: everything that can be said about the sources without running them.
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { type Lock, productionPackages } from './lock.ts';
import { ROOT, runNode, untilInterrupted } from './processes.ts';

type Check = {
  name: string;
  script: string;
  args: string[];
};

const TSC = 'node_modules/typescript/bin/tsc';
const KNIP = 'node_modules/knip/bin/knip.js';

const CHECKS: Check[] = [
  // messages, domain and contract are in the first two: once for Node without a document, once for
  // the browser without Node. A `process` or a `window` in a shared room fails one of them.
  { name: 'types (server side)', script: TSC, args: ['-p', 'tsconfig.json'] },
  { name: 'types (browser side)', script: TSC, args: ['-p', 'tsconfig.portal.json'] },
  { name: 'types (journeys, load, settings)', script: TSC, args: ['-p', 'tsconfig.e2e.json'] },
  {
    name: 'lint and boundaries',
    script: 'node_modules/oxlint/bin/oxlint',
    args: ['--type-aware', '--report-unused-disable-directives-severity=error'],
  },
  { name: 'format', script: 'node_modules/oxfmt/bin/oxfmt', args: ['--check'] },
  { name: 'dead code', script: KNIP, args: [] },
  // Without the tests: code that only a test uses is dead as well.
  { name: 'dead code (production)', script: KNIP, args: ['--production'] },
  { name: 'citations', script: 'tools/citations.ts', args: [] },
  { name: 'ASVS', script: 'tools/asvs.ts', args: [] },
];

const signal = untilInterrupted();
let failed = 0;

async function runCheck({ name, script, args }: Check): Promise<void> {
  const start = performance.now();
  const { code, output } = await runNode(script, args, { signal, output: 'collect' });
  const seconds = ((performance.now() - start) / 1000).toFixed(1);
  console.log(`${code === 0 ? 'ok    ' : 'FAILED'} ${name} (${seconds} s)`);
  if (code === 0) return;
  failed += 1;
  console.log(output.replaceAll(`${ROOT}/`, '').trimEnd());
}

// Two at a time: each of these tools uses more than one core already.
const waiting = [...CHECKS];
async function work(): Promise<void> {
  for (let next = waiting.shift(); next && !signal.aborted; next = waiting.shift()) {
    await runCheck(next);
  }
}
await Promise.all([work(), work()]);

const lock = JSON.parse(readFileSync(path.join(ROOT, 'package-lock.json'), 'utf8')) as Lock;
console.log(
  `${productionPackages(lock).length} production packages (binaries for single platforms not counted)`,
);

if (signal.aborted) process.exitCode = 130;
else if (failed > 0) {
  console.log(`${failed} of ${CHECKS.length} checks failed.`);
  process.exitCode = 1;
}
