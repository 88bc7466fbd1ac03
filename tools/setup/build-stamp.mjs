import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { run } from './run.mjs';
import { SetupError } from './setup-error.mjs';

/** The files that can change a byte of the build. */
const SOURCES = [
  'src',
  'tools/build.ts',
  'tools/list-styles.ts',
  'tools/manifest.ts',
  'tools/server-bundle.ts',
  'vite.config.ts',
  'package.json',
  'package-lock.json',
];
const STAMP = path.join('dist', '.porchlight-sources');

/** The stamp of a release: it has no sources that could have changed. */
export const RELEASED = 'release';

/** Builds the portal and the server unless dist/ was made from exactly these sources. */
export async function ensureBuilt(root, node) {
  if (isCurrent(root)) return;
  const hash = sourcesHash(root);
  if (!existsSync(path.join(root, 'node_modules', 'vite'))) {
    throw new SetupError(
      'Porchlight has not been built from these sources, and the packages that build it are not installed. ' +
        'Run npm ci and npm run build, then npm prune --omit=dev.',
    );
  }
  console.error('Building Porchlight …');
  const code = await run(node, ['tools/build.ts'], { cwd: root });
  if (code > 128) throw new SetupError('The build was interrupted.', code);
  if (code !== 0) {
    throw new SetupError(`The build failed (exit code ${code}): see above.`);
  }
  markBuilt(root, hash);
}

/** Returns whether dist/ holds a finished build, and the packages that it runs with are there. */
export const isBuilt = (root) =>
  readStamp(root) !== undefined && existsSync(path.join(root, 'node_modules'));

/** Returns whether that build was made from exactly these sources. */
export const isCurrent = (root) => [RELEASED, sourcesHash(root)].includes(readStamp(root));

/** By content and not by time: a checkout or a copy changes times without changing anything. */
export function sourcesHash(root) {
  const hash = createHash('sha256');
  for (const file of SOURCES.flatMap((source) => filesBelow(root, source))) {
    hash
      .update(`${file}\0`)
      .update(readFileSync(path.join(root, file)))
      .update('\0');
  }
  return hash.digest('hex');
}

export function markBuilt(root, hash) {
  writeFileSync(path.join(root, STAMP), hash);
}

function readStamp(root) {
  try {
    return readFileSync(path.join(root, STAMP), 'utf8');
  } catch {
    return undefined;
  }
}

function filesBelow(root, source) {
  try {
    return readdirSync(path.join(root, source), { withFileTypes: true, recursive: true })
      .filter((entry) => entry.isFile() && !/\.test\.tsx?$/.test(entry.name))
      .map((entry) => path.relative(root, path.join(entry.parentPath ?? entry.path, entry.name)))
      .sort();
  } catch (error) {
    if (error.code === 'ENOTDIR') return [source];
    if (error.code === 'ENOENT') return [];
    throw error;
  }
}
