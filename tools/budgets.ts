// The byte budgets of docs/performance.md, counted on every `npm test`: F3 to F5, F9 to F13 and F15.
// Times belong to `npm run bench`; bytes are the same on every machine.
import { once } from 'node:events';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { get, type IncomingMessage } from 'node:http';
import path from 'node:path';
import { buffer } from 'node:stream/consumers';
import { pathToFileURL } from 'node:url';
import { brotliCompressSync, brotliDecompressSync, constants } from 'node:zlib';
import { SCREENS, type ScreenName } from '../src/domain/flow/screens.ts';
import { OFFERED, ORIGINAL } from '../src/locales/languages.ts';
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
async function pageAt(route: string): Promise<{ html: string; packed: Buffer }> {
  const running = process.env.PORCHLIGHT_BUDGET_URL;
  const server = running ? undefined : await startServer();
  try {
    const address = new URL(route, running ?? server?.url);
    const [response] = (await once(
      get(address, { headers: { 'accept-encoding': 'br' } }),
      'response',
    )) as [IncomingMessage];
    if (response.statusCode !== 200) throw new Error(`${route} answered ${response.statusCode}.`);
    const packed = await buffer(response);
    return { html: brotliDecompressSync(packed).toString(), packed };
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

/** Each file is packed once: most screens share most of them. */
const kibByFile = new Map<string, number>();
function kibOfFile(file: string): number {
  const known = kibByFile.get(file) ?? kibOf(readFileSync(path.join(CLIENT, file)));
  kibByFile.set(file, known);
  return known;
}

/** File by file, as they travel: together they would compress better than any browser sees. */
const kibOfFiles = (files: Iterable<string>): number =>
  [...files].reduce((sum, file) => sum + kibOfFile(file), 0);

const readManifest = (name: string) =>
  JSON.parse(readFileSync(path.join(CLIENT, '.vite', name), 'utf8')) as Manifest;
const manifest = readManifest('manifest.json');

const phoneLibrary = readdirSync(CLIENT, { recursive: true, encoding: 'utf8' }).filter(
  (file) =>
    file.endsWith('.js') &&
    readFileSync(path.join(CLIENT, file), 'utf8').includes('libphonenumber'),
);

/** All scripts that a screen loads, in KiB; React as published is 58.4 of them. */
const ALL_OF_SCREEN = 85.4;

/** The scripts of each screen beyond those of every page, in KiB. A screen without a row has a budget of 0. */
const ADDED_BY_SCREEN: Readonly<Partial<Record<ScreenName, number>>> = {
  signIn: 2.25,
  clientSignIn: 3.75,
  consent: 2.5,
  interactionOver: 1.75,
  confirmSignOut: 1.75,
  signUp: 7.5,
  verifyOtp: 10.25,
  redirect: 3,
  selectRoles: 3.25,
  congratulation: 2,
  signOut: 4,
  unauthorized: 1.75,
  forgotPassword: 2.5,
  resetPassword: 4.25,
  setPassword: 2.5,
  passwordDone: 1.75,
  activation: 3.75,
  invalidLink: 1.25,
  browser: 3.5,
  help: 1.75,
  guide: 1.25,
  myAccount: 5.85,
  myName: 4.25,
  myDevices: 8.1,
  myAppCodes: 8.5,
  myApps: 4.55,
  myHelpers: 9,
  myPeople: 9,
  myKeys: 9.5,
  myEmail: 8.25,
  myPhone: 10.5,
  myPassword: 9,
  myWays: 5.65,
  myDisplay: 5,
  myData: 7.75,
  myAnswers: 5,
  myOrganisation: 8.25,
  organisation: 4,
  myClosing: 7.5,
  accountCloses: 7,
  undoChange: 7,
  recovery: 7.5,
  staffChange: 8.75,
  invitation: 9,
  keyOffer: 2.5,
  appPassword: 3.5,
  keyFailed: 2.5,
  sharedDevice: 4.75,
  counterNext: 1.5,
  ownDevice: 1.75,
  notFound: 1.5,
};

/** The scripts of a screen: sign-in has nine requests with its page, logo, mark, font, icons and styles. */
const SCRIPTS = 6;
const SCRIPTS_BY_SCREEN: Readonly<Partial<Record<ScreenName, number>>> = {
  signIn: 3,
  forgotPassword: 3,
  verifyOtp: 5,
  myPhone: 7,
  myKeys: 8,
};

const folderOf = (screen: ScreenName) =>
  screen.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
const everywhere = closureOf(manifest, [ENTRY]);
const screens = (Object.keys(SCREENS) as ScreenName[]).flatMap((screen): Figure[] => {
  const folder = folderOf(screen);
  const all = closureOf(manifest, [ENTRY, screenEntry(manifest, folder)]);
  return [
    {
      id: 'F4',
      what: `all JavaScript of ${folder}`,
      unit: 'KiB',
      value: kibOfFiles(all),
      budget: ALL_OF_SCREEN,
    },
    {
      id: 'F10',
      what: `JavaScript of ${folder} alone`,
      unit: 'KiB',
      value: kibOfFiles([...all].filter((file) => !everywhere.has(file))),
      budget: ADDED_BY_SCREEN[screen] ?? 0,
    },
    {
      id: 'F12',
      what: `scripts of ${folder}`,
      unit: '',
      value: all.size,
      budget: SCRIPTS_BY_SCREEN[screen] ?? SCRIPTS,
    },
  ];
});

/** Returns how much more the scripts of each screen weigh in a language than in English, in KiB. */
function addedByLanguage(language: string): readonly number[] {
  const own = readManifest(`manifest.${language}.json`);
  return (Object.keys(SCREENS) as ScreenName[]).map((screen) => {
    const keys = [ENTRY, screenEntry(manifest, folderOf(screen))];
    return kibOfFiles(closureOf(own, keys)) - kibOfFiles(closureOf(manifest, keys));
  });
}
const languages = OFFERED.filter((language) => language !== ORIGINAL).map((language): Figure => ({
  id: 'LNG-10',
  what: `scripts of a screen in ${language}, beyond English`,
  unit: 'KiB',
  value: Math.max(...addedByLanguage(language)),
  budget: 1.5,
}));

const { html: signInPage, packed } = await pageAt(SIGN_IN);
/** Returns the scripts that run at once: every script element without data. */
const [inline = '', ...otherScripts] = [
  ...signInPage.matchAll(/<script nonce[^>]*>([^]*?)<\/script>/g),
].map(([, source]) => source);
const inlineStyles = [...signInPage.matchAll(/<style[^>]*>([^]*?)<\/style>/g)]
  .map(([, css]) => css)
  .join('');
const consoleBuild = (await import(
  pathToFileURL(path.join(ROOT, 'dist/server/entry-console.js')).href
)) as { readonly styles: string; readonly scripts: Readonly<Record<string, string>> };
const ofConsole = consoleBuild.styles + Object.values(consoleBuild.scripts).join('');
const fonts = readdirSync(path.join(CLIENT, 'assets')).filter((file) => file.endsWith('.woff2'));

const figures: Figure[] = [
  {
    id: 'F3',
    what: 'sign-in with its styles, as the server packs it',
    unit: 'KiB',
    value: packed.length / 1024,
    budget: 11.75,
  },
  {
    id: 'F5',
    what: 'CSS in sign-in',
    unit: 'KiB',
    value: kibOf(inlineStyles),
    budget: 5.1,
  },
  {
    id: 'F5',
    what: 'CSS of all screens',
    unit: 'KiB',
    value: kibOfFiles([styleSheetOf(manifest)]),
    budget: 10.1,
  },
  { id: 'F9', what: 'files with a phone library', unit: '', value: phoneLibrary.length, budget: 0 },
  { id: 'F11', what: 'script that runs at once', unit: 'KiB', value: kibOf(inline), budget: 2 },
  {
    id: 'F11',
    what: 'other scripts that run at once',
    unit: '',
    value:
      otherScripts.length + (signInPage.match(/<script[^>]*(?:src|type="module")/g) ?? []).length,
    budget: 0,
  },
  {
    id: 'F13',
    what: 'font',
    unit: 'KiB',
    // Packed by itself already.
    value:
      fonts.reduce((sum, file) => sum + statSync(path.join(CLIENT, 'assets', file)).size, 0) / 1024,
    budget: 20,
  },
  {
    id: 'F15',
    what: 'CSS and scripts of the console',
    unit: 'KiB',
    value: kibOf(ofConsole),
    budget: 5,
  },
  ...languages,
  ...screens,
];

printFigures(figures);
if (figures.some(isOver)) process.exitCode = 1;
