import { isLanguage, type Language, ORIGINAL } from '#locales/languages.ts';
import { textsIn } from '#locales/catalogue.ts';
import { fill } from '#locales/fill.ts';

/** What a call says: lines with a pause after each, and their language. */
export type Spoken = { readonly language: string; readonly lines: readonly string[] };

/** Returns the words before a key is pressed: nothing of a code is in them (VOI-03). */
export function askLines(language: Language, name: string): Spoken {
  const { voice: t, language: code } = textsIn(language);
  return { language: code, lines: [fill(t.hello, { name }), t.ask, t.notYou, t.ask] };
}

/** Returns the words with the code, digit by digit, two times. */
export function codeLines(language: Language, digits: string): Spoken {
  const { voice: t, language: code } = textsIn(language);
  const lines = [t.code, ...digits, t.again, ...digits, t.warning, t.goodbye];
  return { language: code, lines };
}

/** Returns the words for a code that no longer works. */
export function overLines(language: Language): Spoken {
  const { voice: t, language: code } = textsIn(language);
  return { language: code, lines: [t.over, t.goodbye] };
}

/** Returns the first language that has texts: the account's, the subtenant's, the original. */
export const spokenLanguage = (...known: readonly unknown[]): Language =>
  known.find((code) => isLanguage(code)) ?? ORIGINAL;
