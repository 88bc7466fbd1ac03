// Builds the portal: dist/client (hashed assets, manifest, compressed copies) and
// dist/server/entry-server.js (the same portal, to be rendered by the server).
import {
  copyFileSync,
  cpSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import { build, type LogLevel, mergeConfig } from 'vite';
import { type Language, LANGUAGES, ORIGINAL, PSEUDO_LANGUAGES } from '../src/locales/languages.ts';
import { portalConfig } from '../vite.config.ts';
import { listStyles, mirrorStyles, withoutTypefaces } from './list-styles.ts';
import { type Manifest, styleSheetOf } from './manifest.ts';
import { bundleServer } from './server-bundle.ts';

const ROOT = path.resolve(import.meta.dirname, '..');
const DIST = path.join(ROOT, 'dist');
const TEXT = /\.(?:css|html|js|json|mjs|svg|txt|webmanifest)$/;

type BuildOptions = {
  mode: 'production' | 'development';
  logLevel: LogLevel;
  /** On the file system of the checkout. */
  output?: string;
};

export async function buildPortal({ mode, logLevel, output = DIST }: BuildOptions): Promise<void> {
  // Vite takes React's flavour from here, whatever the shell of the caller says.
  process.env.NODE_ENV = mode;
  // Built beside and moved into place: a failing build leaves the last good one to the server.
  const fresh = path.join(ROOT, '.cache', `build-${process.pid}`);
  rmSync(fresh, { recursive: true, force: true });
  try {
    await buildIn(ORIGINAL, fresh, { mode, logLevel });
    for (const language of OTHERS) await addLanguage(language, fresh, { mode, logLevel });
    listStylesOf(fresh);
    if (mode === 'production') {
      await bundleServer(path.join(fresh, 'server'), logLevel);
      await compressAll(path.join(fresh, 'client'));
    }
    moveIntoPlace(fresh, output);
  } finally {
    rmSync(fresh, { recursive: true, force: true });
  }
}

const OTHERS = [...Object.keys(LANGUAGES), ...Object.keys(PSEUDO_LANGUAGES)].filter(
  (code) => code !== ORIGINAL,
) as Language[];

/** Builds the portal in one language. */
async function buildIn(
  language: Language,
  output: string,
  { mode, logLevel }: BuildOptions,
): Promise<void> {
  for (const side of ['client', 'server']) {
    const isSsrBuild = side === 'server';
    const own = { root: ROOT, mode, logLevel, configFile: false } as const;
    const outDir = path.join(output, side);
    const config = mergeConfig(portalConfig(language, { mode, isSsrBuild }), {
      ...own,
      build: { outDir, ssr: isSsrBuild, emptyOutDir: true },
    });
    await build(config);
  }
}

/** Puts another language's files beside the English ones. A chunk without words has the same name and content in both. */
async function addLanguage(
  language: Language,
  built: string,
  options: BuildOptions,
): Promise<void> {
  const own = `${built}-${language}`;
  try {
    await buildIn(language, own, options);
    cpSync(path.join(own, 'client/assets'), path.join(built, 'client/assets'), { recursive: true });
    copyFileSync(
      path.join(own, 'client/.vite/manifest.json'),
      path.join(built, `client/.vite/manifest.${language}.json`),
    );
    renameSync(path.join(own, 'server'), path.join(built, 'server', language));
  } finally {
    rmSync(own, { recursive: true, force: true });
  }
}

/** Beside the server's bundle of the portal, which draws with it. */
function listStylesOf(built: string): void {
  const client = path.join(built, 'client');
  const manifest = JSON.parse(
    readFileSync(path.join(client, '.vite', 'manifest.json'), 'utf8'),
  ) as Manifest;
  const file = path.join(client, styleSheetOf(manifest));
  const css = readFileSync(file, 'utf8');
  writeFileSync(path.join(built, 'server', 'styles.json'), JSON.stringify(listStyles(css)));
  writeFileSync(path.join(built, 'server', 'mirror.css'), mirrorStyles(css));
  writeFileSync(file, withoutTypefaces(css));
}

/** Compressed once here at the highest level, so that the server only sends files. */
async function compressAll(folder: string): Promise<void> {
  const files = readdirSync(folder, { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile() && TEXT.test(entry.name))
    .map((entry) => path.join(entry.parentPath, entry.name));
  await Promise.all(
    files.map(async (file) => {
      const content = readFileSync(file);
      const brotli = await promisify(brotliCompress)(content, {
        params: { [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY },
      });
      const gzipped = await promisify(gzip)(content, { level: constants.Z_BEST_COMPRESSION });
      // A tiny file can grow: then there is no copy and the server sends the file itself.
      if (brotli.length < content.length) writeFileSync(`${file}.br`, brotli);
      if (gzipped.length < content.length) writeFileSync(`${file}.gz`, gzipped);
    }),
  );
}

function moveIntoPlace(fresh: string, output: string): void {
  const old = `${fresh}-old`;
  mkdirSync(path.dirname(old), { recursive: true });
  rmSync(old, { recursive: true, force: true });
  try {
    renameSync(output, old);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
  }
  renameSync(fresh, output);
  rmSync(old, { recursive: true, force: true });
}

if (import.meta.main) await buildPortal({ mode: 'production', logLevel: 'warn' });
