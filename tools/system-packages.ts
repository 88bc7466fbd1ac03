import { existsSync } from 'node:fs';
import { run } from './processes.ts';

/** On Debian and as root a missing program is installed; elsewhere the person has to say yes. */
export function canInstallPackages(): boolean {
  return process.getuid?.() === 0 && existsSync('/usr/bin/apt-get');
}

export async function installPackage(name: string, signal: AbortSignal): Promise<void> {
  console.log(`Installing ${name} with apt-get …`);
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
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
