import { canonicalEmail } from './validation.ts';
import { digitsOf, latinDigits } from './digits.ts';
import { nameWords } from './names.ts';

/** So many digits of a number's end tell enough. */
const LEAST_DIGITS = 4;

/** What a text that is searched for may be: the end of a number, else words of a name, and the beginning of an address. */
export type Searched = {
  /** Digits without what is dialed before the dial code or at home. */
  readonly number: string | null;
  readonly words: readonly string[];
  readonly address: string | null;
};

/** Reads what staff type or paste to find a person: a name, an address with what mail programs put around, a number. */
export function readSearch(text: string): Searched {
  const typed = latinDigits(text)
    .replaceAll(/\p{Cf}/gu, '')
    .trim();
  // An extension belongs to a telephone that no account has.
  const dialed = typed.replace(/^tel:\s*/i, '').replace(/[\s,;]*(?:x|ext|#|;ext=|,)[^@]*$/i, '');
  if (/^[\d\s+()./\p{Pd}\u2212]*$/u.test(dialed) && /\d/.test(dialed)) {
    const digits = digitsOf(dialed.replaceAll('(0)', '')).replace(
      /^(?:(?:00|011)(?=\d{9}))?0?/,
      '',
    );
    return { number: digits.length < LEAST_DIGITS ? null : digits, words: [], address: null };
  }
  const [, bracketed] = /<([^<>]*@[^<>]*)>/.exec(typed) ?? [];
  const address = (bracketed ?? typed)
    .replace(/^[\s<"']*(?:mailto:)?/i, '')
    .replace(/(?:\?.*)?[\s>"',;]*$/s, '');
  if (address.includes('@')) {
    return { number: null, words: [], address: canonicalEmail(address) };
  }
  const words = nameWords(typed);
  const isOneWord = address !== '' && !/\s/.test(address);
  return { number: null, words, address: isOneWord ? address.toLowerCase() : null };
}
