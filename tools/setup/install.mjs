import { createHash } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { needsNode24 } from './node24.mjs';
import { run } from './run.mjs';
import { SetupError } from './setup-error.mjs';

/**
 * Installs what package-lock.json names, and only when that is not what is installed. `isToStart` leaves out what only
 * tests use, unless it is there. An installation without the packages for development (`npm ci --omit=dev`) is left as
 * it is then.
 */
export async function installPackages(root, { isToStart }) {
  const has = (name) => existsSync(path.join(root, 'node_modules', name));
  const lock = readIfThere(path.join(root, 'package-lock.json'));
  const workspaces = !isToStart || !lock || has('vitest') ? [] : workspacesToStart(root);
  // npm empties node_modules before it fills it: after a broken install the stamp is gone too.
  const stamp = path.join(root, 'node_modules', '.porchlight-lock');
  const hash = createHash('sha256')
    .update(lock ?? readFileSync(path.join(root, 'package.json')))
    .digest('hex');
  const wanted = [hash, ...workspaces].join(' ');
  if (readIfThere(stamp) === wanted) return;
  // No stamp: whatever needs the others has to see that they are missing.
  if (isToStart && lock && !has('vite') && isInstalled(lock, root, ({ dev }) => dev)) return;

  if (workspaces.length > 0 || !lock || !isInstalled(lock, root)) {
    console.error(
      workspaces.length > 0
        ? 'Installing packages that build and run Porchlight; npm test installs the others …'
        : 'Installing packages …',
    );
    const verb = lock ? 'ci' : 'install';
    const progress = setInterval(() => process.stderr.write('.'), 1000);
    const code = await npm(root, [
      verb,
      ...workspaces.flatMap((name) => ['--workspace', name]),
      // Our packages need no install script, so none may run.
      '--ignore-scripts',
      // NODE_ENV=production or an omit in .npmrc would leave out Vite, or Node 24 itself.
      '--include=dev',
      '--include=optional',
      '--no-audit',
      '--no-fund',
      // Below this level npm warns about every package that asks for more than the Node it runs on.
      '--loglevel=error',
    ]);
    clearInterval(progress);
    if (code > 128) throw new SetupError('Installing the packages was interrupted.', code);
    if (code !== 0) {
      throw new SetupError(
        `Installing the packages failed (npm ${verb}, exit code ${code}; its output is above): ` +
          'the first start needs the network or a filled npm cache.',
      );
    }
  }
  writeFileSync(stamp, wanted);
}

/** Workspaces of the lock whose packages a start needs. */
const workspacesToStart = (root) => [
  'tools/start',
  ...(needsNode24(root) ? ['tools/older-node'] : []),
];

/** After `npm install <package>` everything is installed: no second installation follows. */
function isInstalled(lock, root, isDispensable = () => false) {
  const hidden = readIfThere(path.join(root, 'node_modules', '.package-lock.json'));
  if (!hidden) return false;
  const wanted = JSON.parse(lock).packages ?? {};
  const present = JSON.parse(hidden).packages ?? {};
  const isSame = (name) =>
    present[name]
      ? present[name].version === wanted[name].version &&
        present[name].integrity === wanted[name].integrity
      : wanted[name].optional === true || isDispensable(targetOf(wanted, name));
  return (
    Object.keys(wanted).every((name) => name === '' || isSame(name)) &&
    Object.keys(present).every((name) => name in wanted && existsSync(path.join(root, name)))
  );
}

/** A link in the lock, such as that of tools/node24, says nothing of itself. */
function targetOf(packages, name) {
  return packages[name].link ? packages[packages[name].resolved] : packages[name];
}

/** npm must not run on the Node inside node_modules: `npm ci` removes it halfway. */
function npm(root, args) {
  const isWindows = process.platform === 'win32';
  const bin = path.join(root, 'node_modules', '.bin');
  const PATH = (process.env.PATH ?? '')
    .split(path.delimiter)
    .filter((folder) => path.resolve(folder) !== bin)
    .join(path.delimiter);
  return run('npm', args, {
    cwd: root,
    env: { ...process.env, PATH },
    shell: isWindows,
    // What is asked for stands alone on the other stream.
    stdio: ['ignore', 2, 'inherit'],
  });
}

function readIfThere(file) {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    if (error.code === 'ENOENT') return undefined;
    throw error;
  }
}
