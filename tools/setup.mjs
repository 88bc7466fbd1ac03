// The one door to every command: `npm start`, `npm test` and the others all come through here.
// It may use nothing but Node's own modules and must run on Node 20, because on a fresh clone
// nothing is installed yet, not even the Node 24 that everything else needs.
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { ensureBuilt, isBuilt, isCurrent, markBuilt, sourcesHash } from './setup/build-stamp.mjs';
import { installPackages } from './setup/install.mjs';
import { findNode24 } from './setup/node24.mjs';
import { run } from './setup/run.mjs';
import { compileCache, serverEnv } from './setup/server-env.mjs';
import { SetupError } from './setup/setup-error.mjs';

const ROOT = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '..');

const CLI = { script: 'dist/server/cli.js', needsBuild: true, env: { NODE_ENV: 'production' } };

/** The script of each verb, run by Node 24, and whether it needs a current build. */
const VERBS = {
  start: {
    script: 'dist/server/main.js',
    args: ['--demo-month'],
    needsBuild: true,
    env: { NODE_ENV: 'production' },
  },
  dev: {
    script: 'tools/dev.ts',
    nodeOptions: ['--watch-path=src', '--watch-preserve-output'],
    env: { NODE_ENV: 'development' },
  },
  build: { script: 'tools/build.ts' },
  check: { script: 'tools/check.ts' },
  sbom: { script: 'tools/sbom.ts' },
  release: { script: 'tools/make-release.ts' },
  'release-check': { script: 'tools/release-check.ts' },
  format: { script: 'node_modules/oxfmt/bin/oxfmt' },
  // Build beside their checks.
  test: { script: 'tools/test.ts' },
  'test:all': { script: 'tools/test.ts', args: ['--all'] },
  e2e: { script: 'tools/test.ts', args: ['e2e'] },
  'test:browsers': { script: 'tools/test-browsers.ts', needsBuild: true },
  porchlight: CLI,
  bench: { script: 'load/bench/bench.ts', needsBuild: true },
  harness: { script: 'load/chaos/harness.ts', needsBuild: true },
};

async function main([name, ...args]) {
  const verb = Object.hasOwn(VERBS, name ?? '') ? VERBS[name] : undefined;
  if (!verb) {
    throw new SetupError(`Usage: node tools/setup.mjs <${Object.keys(VERBS).join('|')}>`);
  }
  const isCommand = verb.script === CLI.script;
  const node = isCommand && isBuilt(ROOT) ? findBuilt() : await prepare(verb);
  const isOperated = name === 'start' || isCommand;
  // Taken before a build, so that a file saved while it runs counts as changed afterwards.
  const hash = name === 'build' ? sourcesHash(ROOT) : undefined;
  const code = await run(
    node,
    [...(verb.nodeOptions ?? []), path.join(ROOT, verb.script), ...(verb.args ?? []), ...args],
    {
      // A file that an operator names is meant from where they are.
      cwd: name === 'porchlight' ? process.cwd() : ROOT,
      env: {
        ...verb.env,
        ...process.env,
        ...(isOperated ? serverEnv(ROOT, process.env) : compileCache(ROOT, process.env)),
      },
    },
  );
  if (hash && code === 0) markBuilt(ROOT, hash);
  return code;
}

/** Installs and builds the needs of a verb. @returns the Node that runs it */
async function prepare(verb) {
  await installPackages(ROOT, { isToStart: verb.env?.NODE_ENV === 'production' });
  const node = findNode24(ROOT);
  if (verb.needsBuild) await ensureBuilt(ROOT, node);
  return node;
}

/** Instances may run from this dist/ and these packages: a command must not replace them (decision 156). */
function findBuilt() {
  if (!isCurrent(ROOT)) {
    console.error(
      'The sources have changed since Porchlight was built. This runs the earlier build; npm run build makes a new one.',
    );
  }
  return findNode24(ROOT);
}

try {
  process.exitCode = await main(process.argv.slice(2));
} catch (error) {
  if (!(error instanceof SetupError)) throw error;
  console.error(`\n${error.message}`);
  process.exitCode = error.exitCode;
  // The last line of a test run must show a failure, too.
  if (process.argv[2]?.startsWith('test')) console.log('0 passed, 1 failed');
}
