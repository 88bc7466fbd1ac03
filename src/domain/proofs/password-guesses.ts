/** Guesses at a password: common words behind capitals, look-alike signs and endings. */

import { nameWords } from '../typed/names.ts';

/** Signs that replace letters; `1`, `!` and `|` stand for two. */
const LOOKALIKES: Readonly<Record<string, string>> = {
  '@': 'a',
  '4': 'a',
  '8': 'b',
  '3': 'e',
  '6': 'g',
  '9': 'g',
  '0': 'o',
  '5': 's',
  $: 's',
  '7': 't',
  '+': 't',
};
const I_OR_L = new Set(['1', '!', '|']);

const SHORTEST_GUESS = 4;
/** Signs before and after a word that are tried, in total: 'Password2026!' has five. */
const MOST_AROUND = 6;
/** Characters; common lists have no longer words. */
const LONGEST_WORD = 64;
/** Letters: a shorter word of a person or subtenant is part of too many words. */
const SHORTEST_KNOWN = 3;
/** Letters and digits beyond the known words that make a password acceptable. */
const ENOUGH_OF_ITS_OWN = 6;

/** Returns only letters and digits, in lower case. */
export const plainForm = (text: string): string =>
  text
    .normalize('NFKC')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]/gu, '');

/** Returns a text read as a word, with look-alike signs as letters. */
export function wordForms(text: string): readonly string[] {
  const signs = [...text.normalize('NFKC').toLowerCase()];
  return ['i', 'l'].map((either) =>
    plainForm(
      signs.map((sign) => (I_OR_L.has(sign) ? either : (LOOKALIKES[sign] ?? sign))).join(''),
    ),
  );
}

/** Reduces 'abcabc' to 'abc'. */
const once = (text: string): string =>
  text.length <= LONGEST_WORD ? text.replace(/^(.+?)\1+$/u, '$1') : text;

/** Returns every form in which a list of common passwords may have this one, each once. */
export function passwordGuesses(password: string): readonly string[] {
  const signs = [...password.normalize('NFKC')];
  const isLetter = (sign: string | undefined) => /\p{L}/u.test(sign ?? '');
  const before = Math.max(0, signs.findIndex(isLetter));
  const last = signs.reduce((found, sign, at) => (isLetter(sign) ? at : found), -1);
  const behind = signs.length - 1 - last;
  const guesses = new Set([plainForm(password)]);
  for (let start = 0; start <= Math.min(before, MOST_AROUND); start += 1) {
    for (let end = 0; end <= Math.min(behind, MOST_AROUND - start); end += 1) {
      const core = signs.slice(start, signs.length - end).join('');
      for (const form of [plainForm(core), ...wordForms(core)]) guesses.add(form).add(once(form));
    }
  }
  return [...guesses].filter((guess) => guess.length >= SHORTEST_GUESS);
}

/** Returns a text as one word, without marks: a name in a password is known without its accents, too. */
const wholeWord = (text: string): string => nameWords(text).join('');

/** Returns whether little is left of a password without these words: names, an address, a phone number. */
export function isMadeOf(password: string, texts: readonly string[]): boolean {
  const known = texts
    .flatMap((text) => [wholeWord(text), ...nameWords(text)])
    .filter((word) => word.length >= SHORTEST_KNOWN)
    .sort((a, b) => b.length - a.length);
  return [password, ...wordForms(password)].map(wholeWord).some((form) => {
    const rest = known.reduce((text, word) => text.replaceAll(word, ''), form);
    return rest !== form && rest.length < ENOUGH_OF_ITS_OWN;
  });
}
