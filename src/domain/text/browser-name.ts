import { firstLetters } from './first-letters.ts';

/** A browser as a person would call it. */
export type BrowserName = { readonly browser: string; readonly system: System };

export type System = 'iPhone' | 'iPad' | 'android' | 'windows' | 'chromebook' | 'mac' | 'linux';

/** The first match wins: nearly every browser also carries the names of older ones. */
const BROWSERS: readonly (readonly [RegExp, string])[] = [
  [/\bEdg(?:e|A|iOS)?\//, 'Edge'],
  [/\b(?:OPR|OPiOS|Opera)\//, 'Opera'],
  [/\bSamsungBrowser\//, 'Samsung Internet'],
  [/\b(?:Firefox|FxiOS)\//, 'Firefox'],
  [/\b(?:Chrome|CriOS|Chromium)\//, 'Chrome'],
  [/\bVersion\/[\d.]+.*\bSafari\//, 'Safari'],
];
const SYSTEMS: readonly (readonly [RegExp, System])[] = [
  [/\biPhone\b/, 'iPhone'],
  [/\biPad\b/, 'iPad'],
  [/\bAndroid\b/, 'android'],
  [/\bWindows\b/, 'windows'],
  [/\bCrOS\b/, 'chromebook'],
  [/\bMac OS X\b/, 'mac'],
  [/\bLinux\b/, 'linux'],
];

const MAX_LENGTH = 500;

/** Returns the family of the browser of this header; `null` for an unknown one. */
export function browserName(userAgent: string): BrowserName | null {
  const header = firstLetters(userAgent, MAX_LENGTH);
  const browser = BROWSERS.find(([pattern]) => pattern.test(header))?.[1];
  const system = SYSTEMS.find(([pattern]) => pattern.test(header))?.[1];
  return browser && system ? { browser, system } : null;
}
