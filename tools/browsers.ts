// The browsers of `npm run test:browsers`: installs the missing ones, where the machine allows it.
import { globSync } from 'node:fs';
import { findChromium } from './chromium.ts';
import { inMacApp, isExecutable, onPath } from './executables.ts';
import { canInstallPackages, installPackage } from './system-packages.ts';

export type Engine =
  | { readonly name: 'chromium' | 'firefox'; readonly executable: string }
  | {
      readonly name: 'webkit';
      readonly executable: string;
      /** The program that speaks WebDriver for it. */
      readonly driver: string;
      /** The virtual display. */
      readonly xvfb: string;
    };

export type EngineName = Engine['name'];

/** WebKitGTK's own small browser lies beside its libraries, where no PATH leads. */
const MINI_BROWSERS = [
  '/usr/lib/*/webkit2gtk-4.*/MiniBrowser',
  '/usr/lib*/webkit2gtk-4.*/MiniBrowser',
];

const FINDERS: Readonly<Record<EngineName, (signal: AbortSignal) => Promise<Engine>>> = {
  chromium: async (signal) => ({ name: 'chromium', executable: await findChromium(signal) }),
  firefox: async (signal) => ({
    name: 'firefox',
    executable: await findOrInstall(firefox, ['firefox-esr'], signal),
  }),
  webkit: async (signal) => ({
    name: 'webkit',
    ...(await findOrInstall(webKit, ['webkit2gtk-driver', 'xvfb'], signal)),
  }),
};

export const ENGINE_NAMES = Object.keys(FINDERS) as EngineName[];

/** @throws when the browser is not on this machine and cannot be installed. */
export function findEngine(name: EngineName, signal: AbortSignal): Promise<Engine> {
  return FINDERS[name](signal);
}

function firefox(): string | undefined {
  return onPath(['firefox-esr', 'firefox']) ?? inMacApp('Firefox', 'firefox').find(isExecutable);
}

function webKit() {
  const driver = onPath(['WebKitWebDriver']);
  const executable = globSync(MINI_BROWSERS).find(isExecutable);
  const xvfb = onPath(['Xvfb']);
  return driver && executable && xvfb ? { driver, executable, xvfb } : undefined;
}

async function findOrInstall<T>(
  find: () => T | undefined,
  packages: readonly string[],
  signal: AbortSignal,
): Promise<T> {
  const found = find();
  if (found) return found;
  if (canInstallPackages()) {
    for (const name of packages) await installPackage(name, signal);
    const fresh = find();
    if (fresh) return fresh;
  }
  throw new Error(`Install it first; on Debian it is in ${packages.join(' and ')}.`);
}
