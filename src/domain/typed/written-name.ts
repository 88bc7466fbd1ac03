/** How people write their names, for every way in. */

/**
 * Characters of control and format, line breaks, and letters without a shape (U+3164). Joiners may stand between letters,
 * as in Persian and Indic names; selectors choose a variant of a letter.
 */
const HIDDEN = /(?!\p{VS})[\p{Cc}\p{Cf}\p{Co}\p{Cs}\p{DI}\p{Zl}\p{Zp}]/u;
const JOINED = /([\p{L}\p{M}])\p{Join_C}(?=[\p{L}\p{M}])/gu;

/** Returns whether a name has no invisible character: such a character makes a page draw another name. */
export const isPlainlyWritten = (name: string): boolean =>
  !HIDDEN.test(name.replaceAll(JOINED, '$1'));

/** Returns whether a name has a letter of any script, and is plainly written. */
export const isWrittenName = (name: string): boolean =>
  /\p{L}/u.test(name) && isPlainlyWritten(name);

const LAST_CODE = 0x10ffff;
/** Between a letter and its titlecase in Unicode: Dž, Lj, Nj, Dz, and Greek with an iota. */
const STEPS = [-1, 1, 8, 9];

/** Returns a letter in titlecase; itself where the script has none, or where it would be more than one letter. */
export function titleCase(letter: string): string {
  if (/\p{Lt}/u.test(letter)) return letter;
  const small = letter.toLowerCase();
  const code = letter.codePointAt(0) ?? 0;
  const near = STEPS.map((step) =>
    String.fromCodePoint(Math.min(Math.max(0, code + step), LAST_CODE)),
  );
  const own = near.find((other) => /\p{Lt}/u.test(other) && other.toLowerCase() === small);
  if (own !== undefined) return own;
  const upper = letter.toUpperCase();
  // Georgian has capitals for whole words alone.
  return [...upper].length > 1 || /\p{Script=Georgian}/u.test(letter) ? letter : upper;
}
