/**
 * Returns the first letters of a text, by code points: a cut by units of UTF-16 leaves half a letter, which JSON and
 * PostgreSQL refuse.
 */
export const firstLetters = (text: string, count: number): string =>
  // Two units are the most that a letter has, so that a long text is not read to its end.
  Array.from(text.slice(0, 2 * count))
    .slice(0, count)
    .join('');
