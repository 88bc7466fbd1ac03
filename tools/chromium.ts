import { accessSync, constants } from 'node:fs';
import path from 'node:path';
import { canInstallPackages, installPackage } from './system-packages.ts';

const NAMES = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable'];
const MAC_APPS = ['Google Chrome', 'Chromium'].flatMap((app) =>
  ['/Applications', path.join(process.env.HOME ?? '/', 'Applications')].map(
    (folder) => `${folder}/${app}.app/Contents/MacOS/${app}`,
  ),
);

/** What a browser under test is started with, here and in playwright.config.ts. */
export const CHROMIUM_ARGS = [
  // Continuous integration runs as root, where Chromium refuses its own sandbox.
  '--no-sandbox',
  '--disable-gpu',
  // The shared memory of a container is too small for it.
  '--disable-dev-shm-usage',
  '--disable-quic',
  // Nothing may talk to the network but the test.
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  '--no-first-run',
];

/** The browser on this machine. Playwright's own would be a second download beside npm. */
export async function findChromium(signal: AbortSignal): Promise<string> {
  const named = process.env.PORCHLIGHT_CHROMIUM;
  if (named) {
    if (isExecutable(named)) return named;
    throw new Error(`PORCHLIGHT_CHROMIUM names ${named}, which cannot be started.`);
  }
  const found = installed();
  if (found) return found;
  if (canInstallPackages()) {
    await installPackage('chromium', signal);
    const fresh = installed();
    if (fresh) return fresh;
  }
  throw new Error(
    'The tests need Chromium or Chrome: install one, or name it in PORCHLIGHT_CHROMIUM.',
  );
}

function installed(): string | undefined {
  const folders = (process.env.PATH ?? '').split(path.delimiter).filter(Boolean);
  return [
    ...NAMES.flatMap((name) => folders.map((folder) => path.join(folder, name))),
    ...MAC_APPS,
  ].find(isExecutable);
}

function isExecutable(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
