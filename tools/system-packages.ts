import { existsSync } from 'node:fs';
import path from 'node:path';
import { run } from './processes.ts';

/** On Debian and as root a missing program is installed; elsewhere the person has to say yes. */
export function canInstallPackages(): boolean {
  return process.getuid?.() === 0 && existsSync('/usr/bin/apt-get');
}

export async function installPackage(name: string, signal: AbortSignal): Promise<void> {
  console.log(`Installing ${name} with apt-get …`);
  // As in single-user mode: a server that is installed for tests must not start by itself.
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive', RUNLEVEL: '1' };
  const update = await run('apt-get', ['update'], { env, signal, output: 'collect' });
  const install = await run(
    'apt-get',
    // confold: a file of ours that is already in /etc must not stop the installation with a question.
    ['install', '-y', '--no-install-recommends', '-o', 'Dpkg::Options::=--force-confold', name],
    { env, signal, output: 'collect' },
  );
  if (install.code !== 0) {
    throw new Error(`apt-get could not install ${name}:\n${update.output}${install.output}`);
  }
}

/** Programs that only some tests need, with their Debian packages. Throws when one cannot be had. */
export async function ensurePrograms(
  programs: Readonly<Record<string, string>>,
  signal: AbortSignal,
): Promise<void> {
  for (const [name, from] of Object.entries(programs)) {
    if (isInstalled(name)) continue;
    if (canInstallPackages()) await installPackage(from, signal);
    if (!isInstalled(name)) throw new Error(`The tests need ${name}: install it.`);
  }
}

/** A program by its name, or a file. */
function isInstalled(name: string): boolean {
  if (path.isAbsolute(name)) return existsSync(name);
  const folders = [...(process.env.PATH ?? '').split(path.delimiter), '/usr/sbin'];
  return folders.some((folder) => existsSync(path.join(folder, name)));
}
