import { inMacApp, isExecutable, onPath } from './executables.ts';
import { run } from './processes.ts';
import { canInstallPackages, installPackage } from './system-packages.ts';

const NAMES = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable'];
/** The same engine without a window of its own: a third less work for every page. */
const SHELLS = ['chromium-headless-shell', 'chrome-headless-shell'];
const SHELL_PACKAGE = 'chromium-headless-shell';
const MAC_APPS = ['Google Chrome', 'Chromium'].flatMap((app) => inMacApp(app));

/** The arguments of a browser under test, here and in playwright.config.ts. */
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

/** A page of a test lives for seconds: code made faster than it first is never earns its making. */
export const TEST_CHROMIUM_ARGS = [...CHROMIUM_ARGS, '--js-flags=--no-opt --no-maglev'];

/**
 * The browser on this machine. Playwright's own would be a second download beside npm.
 *
 * @throws when there is none and none can be installed.
 */
export async function findChromium(signal: AbortSignal): Promise<string> {
  const named = nameGiven();
  if (named) return named;
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

/** The headless shell, which most browser tests use; `undefined`: the browser itself. */
export async function findShell(signal: AbortSignal): Promise<string | undefined> {
  if (nameGiven()) return undefined;
  const found = onPath(SHELLS);
  if (found || !canInstallPackages()) return found;
  // Not every system has it, and nothing needs it.
  await installPackage(SHELL_PACKAGE, signal).catch(() => undefined);
  signal.throwIfAborted();
  return onPath(SHELLS);
}

/**
 * A font with Arial's measures, which every visitor's system has and a bare server has not: without one, text jumps
 * when the portal's own font arrives, and the tests of still pages ([F8]) fail for no fault of a page.
 */
export async function ensureFonts(signal: AbortSignal): Promise<void> {
  if (!canInstallPackages()) return;
  const { output } = await run('fc-match', ['-f', '%{family}', 'Arial'], {
    signal,
    output: 'collect',
  }).catch(() => ({ output: '' }));
  if (!/Arial|Liberation Sans/.test(output)) await installPackage('fonts-liberation', signal);
}

function nameGiven(): string | undefined {
  const named = process.env.PORCHLIGHT_CHROMIUM;
  if (!named || isExecutable(named)) return named || undefined;
  throw new Error(`PORCHLIGHT_CHROMIUM names ${named}, which cannot be started.`);
}

function installed(): string | undefined {
  return onPath(NAMES) ?? MAC_APPS.find(isExecutable);
}
