import { visibleAddress } from './address.ts';
import { canonicalEmail } from './validation.ts';
import { digitsOf, latinDigits } from './digits.ts';
import { nameWords } from './names.ts';

/** So many digits of a number's end tell enough. */
const LEAST_DIGITS = 4;
/** An address within what mail programs and sentences put around it. */
const ADDRESS = /[^\s@<>()[\]\\,;:"“”„«»?]+@[^\s@<>()[\]\\,;:"“”„«»?]*/u;

/** What a text that is searched for may be: the end of a number, else words of a name, and the beginning of an address. */
export type Searched = {
  /** Digits without what is dialed before the dial code or at home. */
  readonly number: string | null;
  readonly words: readonly string[];
  readonly address: string | null;
};

/** Reads what staff type or paste to find a person: a name, an address with what mail programs put around, a number. */
export function readSearch(text: string): Searched {
  const typed = latinDigits(text.replaceAll(/\p{Cf}/gu, '')).trim();
  // A word in front names the number; an extension belongs to a telephone that no account has.
  const dialed = typed
    .replace(/^\p{L}+\.?:?[\s/]*(?=[+(\d](?:\D{0,2}\d){6})/u, '')
    .replace(/[\s,;]*(?:x|ext|#|;ext=|,)[^@]*$/i, '');
  if (/^[\d\s+()./•·_\p{Pd}\u2212]*$/u.test(dialed) && /\d/.test(dialed)) {
    const digits = digitsOf(dialed.replaceAll('(0)', '')).replace(
      /^(?:(?:00|011)(?=\d{9}))?0?/,
      '',
    );
    return { number: digits.length < LEAST_DIGITS ? null : digits, words: [], address: null };
  }
  const [address] = ADDRESS.exec(typed) ?? [];
  if (address !== undefined) {
    const bare = visibleAddress(address).replaceAll(/^['’‘]+|[.'’]+$/g, '');
    return { number: null, words: [], address: canonicalEmail(bare) };
  }
  const word = typed.replaceAll(/^[<"']+|[>"',;]+$/g, '');
  const isOneWord = word !== '' && !/\s/.test(word);
  return {
    number: null,
    words: nameWords(typed),
    address: isOneWord ? canonicalEmail(word) : null,
  };
}
