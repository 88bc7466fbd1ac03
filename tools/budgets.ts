// The byte budgets of docs/performance.md, counted on every `npm test`: F3, F4, F5, F9 and F10.
// Times belong to `npm run bench`; bytes are the same on every machine.
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { brotliCompressSync, constants } from 'node:zlib';
import { SCREENS, type ScreenName } from '../src/domain/screens.ts';
import { isOver, type Figure, printFigures } from './figures.ts';
import { ROOT } from './processes.ts';
import { closureOf, type Manifest, screenEntry, styleSheetOf } from './manifest.ts';
import { startServer } from './server-process.ts';

const CLIENT = path.join(ROOT, 'dist', 'client');
const SIGN_IN = '/account/signin';
const ENTRY = 'src/portal/entry-client.tsx';

/**
 * The page as a visitor gets it, from the real server on its embedded database. It is started once
 * and only when no running one is named in PORCHLIGHT_BUDGET_URL.
 */
async function htmlOf(route: string): Promise<string> {
  const running = process.env.PORCHLIGHT_BUDGET_URL;
  const server = running ? undefined : await startServer();
  try {
    const response = await fetch(new URL(route, running ?? server?.url));
    if (response.status !== 200) throw new Error(`${route} answered ${response.status}.`);
    return await response.text();
  } finally {
    await server?.stop();
  }
}

function kibOf(content: string | Buffer): number {
  const size = brotliCompressSync(content, {
    params: { [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY },
  }).length;
  return size / 1024;
}

function kibOfFiles(files: Iterable<string>): number {
  // File by file, as they travel: together they would compress better than any browser sees.
  return [...files].reduce((sum, file) => sum + kibOf(readFileSync(path.join(CLIENT, file))), 0);
}

const manifest = JSON.parse(
  readFileSync(path.join(CLIENT, '.vite', 'manifest.json'), 'utf8'),
) as Manifest;

const signIn = closureOf(manifest, [ENTRY, screenEntry(manifest, 'sign-in')]);
const signUp = closureOf(manifest, [ENTRY, screenEntry(manifest, 'sign-up')]);
const signUpOnly = [...signUp].filter((file) => !signIn.has(file));

const phoneLibrary = readdirSync(CLIENT, { recursive: true, encoding: 'utf8' }).filter(
  (file) =>
    file.endsWith('.js') &&
    readFileSync(path.join(CLIENT, file), 'utf8').includes('libphonenumber'),
);

/** What each screen adds to the scripts that every page loads, in KiB. A screen without a row has a budget of nothing. */
const ADDED_BY_SCREEN: Readonly<Partial<Record<ScreenName, number>>> = {
  signIn: 2.5,
  clientSignIn: 3.5,
  consent: 2.5,
  interactionOver: 1.75,
  confirmSignOut: 1.5,
  signUp: 8.25,
  verifyOtp: 5,
  redirect: 3.5,
  selectRoles: 3,
  congratulation: 2.25,
  signOut: 3.75,
  unauthorized: 2.25,
  forgotPassword: 3.75,
  resetPassword: 5.5,
  setPassword: 3,
  passwordDone: 2,
  activation: 4.5,
  invalidLink: 2.25,
  browser: 3,
  help: 2,
  notFound: 2.5,
};

const folderOf = (screen: ScreenName) =>
  screen.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
const everywhere = closureOf(manifest, [ENTRY]);
const screens = (Object.keys(SCREENS) as ScreenName[]).map((screen): Figure => {
  const all = closureOf(manifest, [ENTRY, screenEntry(manifest, folderOf(screen))]);
  return {
    id: 'F10',
    what: `JavaScript of ${folderOf(screen)} alone`,
    unit: 'KiB',
    value: kibOfFiles([...all].filter((file) => !everywhere.has(file))),
    budget: ADDED_BY_SCREEN[screen] ?? 0,
  };
});

const figures: Figure[] = [
  {
    id: 'F3',
    what: 'HTML of sign-in with its critical CSS',
    unit: 'KiB',
    value: kibOf(await htmlOf(SIGN_IN)),
    budget: 14,
  },
  {
    id: 'F4',
    what: 'all JavaScript of sign-in',
    unit: 'KiB',
    value: kibOfFiles(signIn),
    budget: 72,
  },
  {
    id: 'F5',
    what: 'CSS of all views',
    unit: 'KiB',
    value: kibOfFiles([styleSheetOf(manifest)]),
    budget: 6,
  },
  {
    id: 'F9',
    what: 'JavaScript that sign-up adds',
    unit: 'KiB',
    value: kibOfFiles(signUpOnly),
    budget: 15,
  },
  { id: 'F9', what: 'files with a phone library', unit: '', value: phoneLibrary.length, budget: 0 },
  ...screens,
];

printFigures(figures);
if (figures.some(isOver)) process.exitCode = 1;
