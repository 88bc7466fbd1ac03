// PostgreSQL in the versions that this machine does not have: servers from npm, without any of their client programs.
import { execFileSync } from 'node:child_process';
import {
  copyFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
} from 'node:fs';
import path from 'node:path';
import { makeClusterFolder, type Postgres, startCluster } from './postgres.ts';
import { ROOT, run } from './processes.ts';

/** The versions that the docs promise, besides Debian's 15. */
export const OTHER_VERSIONS = [16, 17, 18] as const;
type Version = (typeof OTHER_VERSIONS)[number];

const MANIFEST = path.join(ROOT, 'tools/postgres-versions');
const CACHE = path.join(ROOT, 'node_modules/.cache/postgres-versions');

/** The tests that run on each version, and on the embedded database: their statements, locks and roles could differ. */
export const PARTS = [
  'src/server/db/',
  'src/server/jobs/cleanup.test.ts',
  'src/server/jobs/lease.full.postgres.test.ts',
  'src/server/jobs/outbox',
  'src/server/jobs/workers.full.postgres.test.ts',
  'src/server/sign-in/sign-in.test.ts',
  'src/server/sign-in/password-check.test.ts',
  'src/server/sign-up/sign-up',
  'src/server/sign-up/promo-race.test.ts',
  'src/server/sign-up/proof-races.postgres.test.ts',
  'src/server/accounts/',
  'src/server/audit/',
  'src/cli/migrate.full.postgres.test.ts',
  'src/cli/import/import.full.postgres.test.ts',
  'src/server/testing/system/instances.full.postgres.test.ts',
  'src/server/testing/system/plans.full.postgres.test.ts',
];
const BACKUP = 'src/cli/backup';

/** The tests for a version. Backups need a `pg_dump` that is as new as the server. */
export function partsFor(version: Version): readonly string[] {
  const major = dumpVersion();
  if (major >= version) return [...PARTS, BACKUP];
  console.log(`Not run here: ${BACKUP} (it needs pg_dump ${version} or newer).`);
  return PARTS;
}

function dumpVersion(): number {
  try {
    const said = execFileSync('pg_dump', ['--version'], { encoding: 'utf8' });
    return Number(/(\d+)/.exec(said)?.[1] ?? 0);
  } catch {
    return 0;
  }
}

/** A cluster of that version. @throws Error when npm has none for this machine */
export async function startVersion(version: Version, signal: AbortSignal): Promise<Postgres> {
  await install(signal);
  const source = path.join(CACHE, `node_modules/${process.platform}-${process.arch}-${version}`);
  if (!existsSync(source)) {
    throw new Error(`PostgreSQL ${version} is not to be had for this machine: ${source}`);
  }
  // A copy: the user that PostgreSQL runs as may not be let into our folder.
  const folder = makeClusterFolder();
  const remove = () => rmSync(folder, { recursive: true, force: true });
  try {
    cpSync(path.join(source, 'native'), path.join(folder, 'native'), { recursive: true });
    linkLibraries(folder);
    const bin = path.join(folder, 'native/bin');
    const said = execFileSync(path.join(bin, 'postgres'), ['--version'], { encoding: 'utf8' });
    if (!said.includes(` ${version}.`)) throw new Error(`Not PostgreSQL ${version}: ${said}`);
    console.log(said.trim());
    const cluster = await startCluster(signal, { bin });
    return {
      url: cluster.url,
      async stop() {
        await cluster.stop();
        remove();
      },
    };
  } catch (error) {
    remove();
    throw error;
  }
}

/** What a package of npm cannot hold; the package's own install script would make them, and none of those may run. */
function linkLibraries(folder: string): void {
  const list = readFileSync(path.join(folder, 'native/pg-symlinks.json'), 'utf8');
  for (const { source, target } of JSON.parse(list) as { source: string; target: string }[]) {
    symlinkSync(path.relative(path.dirname(target), source), path.join(folder, target));
  }
}

/** Apart from the packages of the product, which nobody should have to wait for. */
async function install(signal: AbortSignal): Promise<void> {
  const lock = 'package-lock.json';
  const wanted = readFileSync(path.join(MANIFEST, lock), 'utf8');
  const done = path.join(CACHE, 'installed');
  if (existsSync(done) && readFileSync(done, 'utf8') === wanted) return;
  rmSync(CACHE, { recursive: true, force: true });
  mkdirSync(CACHE, { recursive: true });
  for (const file of ['package.json', lock]) {
    copyFileSync(path.join(MANIFEST, file), path.join(CACHE, file));
  }
  console.log('Fetching PostgreSQL 16, 17 and 18 …');
  const words = ['ci', '--prefix', CACHE, '--ignore-scripts', '--include=optional'];
  const { code, output } = await run('npm', [...words, '--no-audit', '--no-fund'], {
    signal,
    output: 'collect',
  });
  if (code !== 0) throw new Error(`npm could not fetch PostgreSQL:\n${output}`);
  copyFileSync(path.join(MANIFEST, lock), done);
}
