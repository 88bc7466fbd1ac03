import type { Texts } from '#locales/catalogue.ts';
import { fill } from '#locales/fill.ts';

const NAME_LENGTH = 50;

/**
 * Any person can sign up with any address and name: removes parts of a name that mail programs would turn into a link,
 * or that imitate a text of ours.
 */
export function plainName(name: string): string {
  const words = name
    .replace(/[^\p{L}\p{M}\p{N}\p{Pd} .'’]/gu, ' ')
    .replace(/\.(?=\S)/g, '. ')
    .replace(/\s+/g, ' ')
    .trim();
  return [...words].slice(0, NAME_LENGTH).join('');
}

/** Returns the first line of a mail. */
export function greeting({ mails }: Texts, name: string): string {
  const words = plainName(name);
  return words === '' ? mails.greetingNobody : fill(mails.greeting, { name: words });
}
