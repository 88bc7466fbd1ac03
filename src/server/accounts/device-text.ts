import { textsIn, type Texts } from '#locales/catalogue.ts';
import { fill } from '#locales/fill.ts';
import { ORIGINAL } from '#locales/languages.ts';
import type { BrowserName } from '#domain/text/browser-name.ts';

/** Returns a browser in the words of a language: "Safari on an iPad". */
export function browserText({ mails }: Texts, { browser, system }: BrowserName): string {
  return fill(mails.browserOn, { browser, system: mails.systems[system] });
}

/** Returns the name under which a session or a passkey stores its browser: English, which `deviceText` translates. */
export const storedBrowser = (name: BrowserName): string => browserText(textsIn(ORIGINAL), name);

const AT_LAST_ON = / on (?!.* on )/;

/** Returns the stored name of a device or a passkey in the words of a language; a name of other words stays. */
export function deviceText(texts: Texts, stored: string): string {
  const [, name = '', number = ''] = /^(.*?)( \d+)?$/.exec(stored) ?? [];
  const own = wordsIn(texts);
  const [key] =
    Object.entries(wordsIn(textsIn(ORIGINAL))).find(([, words]) => words === name) ?? [];
  if (key !== undefined) return `${own[key]}${number}`;
  const [browser = '', system] = name.split(AT_LAST_ON);
  const word = system && deviceOf(system);
  return word ? `${browserText(texts, { browser, system: word })}${number}` : stored;
}

const wordsIn = ({ keyMakers, otherKeys }: Texts): Readonly<Record<string, string>> => ({
  ...keyMakers,
  ...otherKeys,
});

/** Returns the system in the stored name of a session; `null`: unknown. */
export const deviceSystem = (stored: string): BrowserName['system'] | null =>
  deviceOf(stored.split(AT_LAST_ON)[1] ?? '') ?? null;

function deviceOf(words: string): BrowserName['system'] | undefined {
  const systems = Object.entries(textsIn(ORIGINAL).mails.systems);
  return systems.find(([, each]) => each === words)?.[0] as BrowserName['system'] | undefined;
}
