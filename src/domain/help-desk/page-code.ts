import { MINUTE_MS } from '../text/duration.ts';

/** The page code: letters of the help card that show the help desk the state of a visit, and prove nothing. */

/** Consonants alone, so that no word comes out; without those that look alike. */
export const PAGE_CODE_LETTERS = 'BCDFGHKLMNPRSTWXZ';
const LENGTH = 6;

/** For so long a page code works, in milliseconds. */
export const PAGE_CODE_LIFE_MS = 30 * MINUTE_MS;

const PATTERN = new RegExp(`^[${PAGE_CODE_LETTERS}]{${LENGTH}}$`);

/**
 * Returns new letters.
 * @param randomBelow returns a random whole number from 0 to below its argument
 */
export const newPageCode = (randomBelow: (end: number) => number): string =>
  Array.from({ length: LENGTH }, () =>
    PAGE_CODE_LETTERS.charAt(randomBelow(PAGE_CODE_LETTERS.length)),
  ).join('');

/** Returns the page code that a text is, however it was typed; `null` for any other text. */
export function pageCodeIn(text: string): string | null {
  const letters = text
    .normalize('NFKC')
    .replaceAll(/[^\p{L}\p{N}]/gu, '')
    .toUpperCase();
  return PATTERN.test(letters) ? letters : null;
}

/** Returns the letters apart and in two groups, so that they are read out one by one. A group breaks over no line. */
export const spacedPageCode = (code: string): string =>
  [code.slice(0, 3), code.slice(3)].map((group) => [...group].join('\u202f')).join('\u2003');
