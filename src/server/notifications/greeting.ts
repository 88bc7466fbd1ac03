import { firstLetters } from '#domain/text/first-letters.ts';
import type { Texts } from '#locales/catalogue.ts';
import { fill } from '#locales/fill.ts';

const NAME_LENGTH = 50;
const MOST_WORDS = 3;

/**
 * Any person can sign up with any address and name: of a name it leaves three words of letters, which are no link, no
 * number to call and no text of ours (D27).
 */
export function plainName(name: string): string {
  const words = name
    .replace(/[^\p{L}\p{M}\p{Pd} '’]/gu, ' ')
    .split(/\s+/)
    .filter((word) => /\p{L}/u.test(word))
    .slice(0, MOST_WORDS)
    .join(' ');
  return firstLetters(words, NAME_LENGTH);
}

/** Returns the first line of a mail. */
export function greeting({ mails }: Texts, name: string): string {
  const words = plainName(name);
  return words === '' ? mails.greetingNobody : fill(mails.greeting, { name: words });
}
