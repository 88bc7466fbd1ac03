/** Names as people say and type them: compared without marks, capitals and punctuation. */

import { firstLetters } from '../text/first-letters.ts';

/** Letters that Unicode does not take apart, as a keyboard without them writes them. */
export const PLAIN: Readonly<Record<string, string>> = {
  ß: 'ss',
  æ: 'ae',
  œ: 'oe',
  ø: 'o',
  ł: 'l',
  đ: 'd',
  ð: 'd',
  þ: 'th',
  ħ: 'h',
  ŧ: 't',
  ı: 'i',
  ə: 'e',
  ς: 'σ',
};

/** So many words of a name, and letters of a key, are looked at. */
const MOST_WORDS = 6;
const LONGEST_KEY = 80;

/** Returns the folded words of a name: without marks and capitals; a hyphen parts words, an apostrophe does not. */
export function nameWords(name: string): readonly string[] {
  return (
    name
      .normalize('NFKD')
      .toLowerCase()
      // Combining marks of Latin, Greek, Cyrillic and Hebrew letters, apostrophes, and invisible characters.
      .replaceAll(/[\p{Script=Inherited}\u0591-\u05C7\p{Cf}'’‘ʼʻʹ`´′]/gu, '')
      .replaceAll(/[ßæœøłđðþħŧıəς]/g, (letter) => PLAIN[letter] ?? letter)
      .split(/[^\p{L}\p{M}\p{N}]+/u)
      .filter((word) => word !== '')
  );
}

/** What a person is found by. */
export type NameKeys = {
  /** The name begins with each two of its words in some key, written without spaces. */
  readonly keys: readonly string[];
  /** Each word behind a space; also the first and the last name written as one word each. */
  readonly words: string;
};

/** Returns what a person is found by; no keys for a name without letters. */
export function nameKeys(firstName: string, lastName: string): NameKeys {
  const [first, last] = [nameWords(firstName), nameWords(lastName)];
  const all = [...first, ...last].slice(0, MOST_WORDS);
  const orders = [
    [...first, ...last],
    [...last, ...first],
  ];
  for (const [i, one] of all.entries()) {
    for (const [j, other] of all.entries()) {
      if (i !== j) orders.push([one, other, ...all.filter((_, at) => at !== i && at !== j)]);
    }
  }
  const keys = new Set(orders.map((order) => firstLetters(order.join(''), LONGEST_KEY)));
  const words = new Set([...first, ...last, first.join(''), last.join('')]);
  return {
    keys: [...keys].filter((key) => key !== ''),
    words: [...words]
      .filter((word) => word !== '')
      .map((word) => ` ${word}`)
      .join(''),
  };
}
