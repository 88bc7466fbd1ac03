import { spawnSync } from 'node:child_process';
import path from 'node:path';
import { SetupError } from './setup-error.mjs';

const WANTED = 24;

/**
 * The Node that runs everything but this bootstrap. On Linux npm has installed the pinned one;
 * elsewhere, or with a C library it cannot use, the developer's own has to be new enough.
 */
export function findNode24(root) {
  const pinned = path.join(root, 'node_modules', '.bin', 'node');
  // Under `npm run` this process usually is the pinned one already; then there is nothing to ask.
  if (isWanted(process.versions.node) && isInside(process.execPath, root)) return process.execPath;
  const answer = spawnSync(pinned, ['--version'], { encoding: 'utf8' });
  if (answer.status === 0 && isWanted(answer.stdout.trim().replace(/^v/, ''))) return pinned;
  if (isWanted(process.versions.node)) return process.execPath;
  throw new SetupError(
    `Porchlight needs Node ${WANTED} or newer and this is Node ${process.versions.node}: ` +
      'install the version named in .nvmrc and run the command again.',
  );
}

/** Returns whether a start needs the pinned Node: this one is older, or is the pinned one. */
export const needsNode24 = (root) =>
  !isWanted(process.versions.node) || isInside(process.execPath, path.join(root, 'node_modules'));

function isWanted(version) {
  return Number(version.split('.')[0]) >= WANTED;
}

function isInside(file, folder) {
  return !path.relative(folder, file).startsWith('..');
}
