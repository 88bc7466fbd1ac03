// `npm run bench`: what takes time or memory, each figure beside its budget and its baseline of the
// same run. With names behind it only those parts run: `npm run bench -- pages`.
import { findChromium } from '../../tools/chromium.ts';
import { type Figure, isOver, printFigures } from '../../tools/figures.ts';
import { createDatabase, startPostgres } from '../../tools/postgres.ts';
import { untilInterrupted } from '../../tools/processes.ts';
import { measureEnumeration } from './enumeration.ts';
import { measureHostile } from './hostile.ts';
import { measureHostedLogin } from './hosted-login.ts';
import { measurePages } from './pages.ts';
import { measureSignIn } from './sign-in-cost.ts';
import { measureScaleOut } from './scale-out.ts';
import { measureStart } from './start.ts';
import { measureStorm } from './storm.ts';

const PARTS = [
  'pages',
  'sign-in',
  'hosted-login',
  'start',
  'storm',
  'hostile',
  'enumeration',
  'scale-out',
];

const signal = untilInterrupted();
const asked = process.argv.slice(2);
const unknown = asked.filter((name) => !PARTS.includes(name));
if (unknown.length > 0) throw new Error(`Unknown part ${unknown.join(', ')}: ${PARTS.join(', ')}`);
const isWanted = (part: string): boolean => asked.length === 0 || asked.includes(part);

const figures: Figure[] = [];
const needsDatabase = PARTS.some((part) => part !== 'pages' && isWanted(part));
const postgres = needsDatabase ? await startPostgres(signal) : undefined;
try {
  if (isWanted('pages')) figures.push(...(await measurePages(await findChromium(signal), signal)));
  if (postgres && isWanted('sign-in')) {
    // Read when the module of the test databases is loaded.
    process.env.TEST_DATABASE_URL = postgres.url;
    const { measureStatements } = await import('./statements.ts');
    figures.push(...(await measureStatements()));
    delete process.env.TEST_DATABASE_URL;
    const database = await createDatabase(postgres.url, 'porchlight_bench_sign_in');
    figures.push(...(await measureSignIn(database, signal)));
  }
  if (postgres && isWanted('hosted-login')) {
    const database = await createDatabase(postgres.url, 'porchlight_bench_hosted_login');
    figures.push(...(await measureHostedLogin(database, signal)));
  }
  if (postgres && isWanted('start')) {
    const database = await createDatabase(postgres.url, 'porchlight_bench_start');
    figures.push(...(await measureStart(database, signal)));
  }
  if (postgres && isWanted('storm')) {
    const database = await createDatabase(postgres.url, 'porchlight_bench_storm');
    figures.push(...(await measureStorm(database, signal)));
  }
  if (postgres && isWanted('hostile')) {
    const database = await createDatabase(postgres.url, 'porchlight_bench_hostile');
    figures.push(...(await measureHostile(database, signal)));
  }
  if (postgres && isWanted('scale-out')) {
    const database = await createDatabase(postgres.url, 'porchlight_bench_scale_out');
    figures.push(...(await measureScaleOut(database, signal)));
  }
  if (postgres && isWanted('enumeration')) {
    figures.push(...(await measureEnumeration(postgres.url, signal)));
  }
} finally {
  await postgres?.stop();
}
printFigures(figures);
if (figures.some(isOver)) process.exitCode = 1;
