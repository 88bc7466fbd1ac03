/** Longer than any address, and short enough to look at each letter. */
const LONGEST = 1024;

/**
 * Returns a typed address with the full stop of Chinese and Japanese keyboards as a Latin one, and without the characters
 * that nobody sees: they come with text that was copied. A joiner between two letters of the domain is one of its letters.
 */
export function visibleAddress(text: string): string {
  if (text.length > LONGEST) return text;
  // Some keyboards send an accent apart from its letter.
  return text
    .normalize()
    .replaceAll('。', '.')
    .replaceAll(/(?!(?<=@.*[\p{L}\p{M}])\p{Join_C}[\p{L}\p{M}])[\p{Cf}\p{DI}]/gu, '')
    .trim();
}
