/** Text messages in GSM 03.38: one letter of another alphabet makes two or three parts of a message, each with a price. */

import { shell } from '#texts/shell.ts';
import { firstLetters } from '#domain/text/first-letters.ts';
import { PLAIN } from '#domain/typed/names.ts';

const BASIC = new Set(
  '@£$¥èéùìòÇ\nØø\rÅåΔ_ΦΓΛΩΠΨΣΘΞÆæßÉ !"#¤%&\'()*+,-./0123456789:;<=>?¡ABCDEFGHIJKLMNOPQRSTUVWXYZÄÖÑÜ§¿abcdefghijklmnopqrstuvwxyzäöñüà',
);
/** Each takes the place of two. */
const EXTENSION = new Set('^{}\\[~]|€');
const PART_LENGTH = 160;
const SHORTEST_NAME = 3;

const isIn = (letter: string) => BASIC.has(letter) || EXTENSION.has(letter);

/** Returns the nearest letters of the alphabet; `null` for a letter of another script, empty for a picture. */
function nearest(letter: string): string | null {
  if (isIn(letter)) return letter;
  if (/[‘’‚‛′ʼʻ`´]/u.test(letter)) return "'";
  if (/[“”„‟″«»]/u.test(letter)) return '"';
  if (/[\p{Pd}−]/u.test(letter)) return '-';
  const bare = letter.normalize('NFKD').replaceAll(/\p{M}/gu, '');
  const plain = PLAIN[bare.toLowerCase()] ?? bare;
  const text = bare === bare.toLowerCase() ? plain : plain.replace(/^./u, (a) => a.toUpperCase());
  if ([...text].every(isIn)) return text;
  return /[\p{L}\p{N}]/u.test(letter) ? null : '';
}

/** Returns a text in the alphabet; letters without a near one are left out. */
export const gsmText = (text: string): string =>
  [...text.normalize()].map((letter) => nearest(letter) ?? '').join('');

/** Returns whether a text is one part. */
const isOnePart = (text: string): boolean =>
  [...text].reduce((sum, letter) => sum + (EXTENSION.has(letter) ? 2 : 1), 0) <= PART_LENGTH;

/** Returns a name by those of its words that the alphabet can write; the product's name where that is none. */
function gsmName(name: string): string {
  const words = name.normalize().split(/\s+/u);
  const written = words.filter((word) => [...word].every((letter) => nearest(letter) !== null));
  const text = gsmText(written.join(' ')).replaceAll(/\s+/g, ' ').trim();
  return /[\p{L}\p{N}]/u.test(text) ? text : shell.productName;
}

/** Returns the beginning of a name, whole words where it has room for one. */
function shortName(name: string, count: number): string {
  const cut = firstLetters(name, count);
  if (cut === name) return name;
  const words = name.startsWith(`${cut} `) ? cut : cut.replace(/\s\S*$/, '');
  return words.replace(/[\s\p{P}]+$/u, '');
}

/** Returns the house's name in the texts that `write` makes: in the alphabet, and short enough for one part. */
export function nameInText(name: string, write: (name: string) => string): string {
  const whole = gsmName(name);
  let count = [...whole].length;
  while (count > SHORTEST_NAME && !isOnePart(gsmText(write(shortName(whole, count))))) count -= 1;
  return shortName(whole, count);
}

/** Returns the first of these texts that is one part, of the last one the one with a shorter name. */
export function onePart(name: string, ...texts: readonly ((name: string) => string)[]): string {
  const whole = gsmName(name);
  const fits = texts.map((write) => gsmText(write(whole))).find(isOnePart);
  const last = texts.at(-1) ?? ((given) => given);
  return fits ?? gsmText(last(nameInText(name, last)));
}
