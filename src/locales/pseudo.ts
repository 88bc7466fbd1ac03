import type { Pseudo } from './languages.ts';

/** Latin letters of our own typeface: a missing letter would be another typeface's. */
const LONGER: Readonly<Record<string, string>> = {
  a: 'aá',
  e: 'eé',
  i: 'ií',
  o: 'oó',
  u: 'uú',
  A: 'AÁ',
  E: 'EÉ',
  I: 'IÍ',
  O: 'OÓ',
  U: 'UÚ',
};

/** Characters that make what is between them run from right to left. */
const [TO_LEFT, END] = ['\u202e', '\u202c'];

const MADE: Readonly<Record<Pseudo, (text: string) => string>> = {
  // The brackets show where a text was cut.
  'en-XA': (text) =>
    `[${betweenPlaceholders(text, (part) => part.replace(/[aeiou]/gi, (letter) => LONGER[letter] ?? letter))}]`,
  'ar-XB': (text) => betweenPlaceholders(text, (part) => part && `${TO_LEFT}${part}${END}`),
};

const betweenPlaceholders = (text: string, change: (part: string) => string) =>
  text
    .split(/(\{\w+\})/)
    .map((part, index) => (index % 2 === 0 ? change(part) : part))
    .join('');

/** Returns English texts, at any depth, as the pseudo-language has them. */
export function pseudoTexts<Texts>(texts: Texts, language: Pseudo): Texts {
  if (typeof texts === 'string') return MADE[language](texts) as Texts;
  if (Array.isArray(texts)) return texts.map((each) => pseudoTexts(each, language)) as Texts;
  const entries = Object.entries(texts as Readonly<Record<string, unknown>>);
  return Object.fromEntries(
    entries.map(([key, own]) => [key, pseudoTexts(own, language)]),
  ) as Texts;
}
