/** Digits as people type them: of any script, with spaces and hyphens, or inside a copied message. */

const isDigit = (code: number): boolean => /^\p{Nd}$/u.test(String.fromCodePoint(code));

/** Each script has its ten digits in a row, from 0 to 9; the rows of some scripts follow each other. */
function valueOf(digit: string): string {
  const code = digit.codePointAt(0) ?? 0;
  let before = 0;
  while (isDigit(code - before - 1)) before += 1;
  return String(before % 10);
}

/** Returns a text with the digits of every script (Unicode, general category Nd) as 0 to 9. */
export const latinDigits = (text: string): string =>
  text.normalize('NFKC').replaceAll(/\p{Nd}/gu, valueOf);

/** Returns the digits of a text alone, as 0 to 9. */
export const digitsOf = (text: string): string => latinDigits(text).replaceAll(/\D/g, '');
