/** Longer than any address, and short enough to look at each letter. */
const LONGEST = 1024;

/** What surrounds a copied address: "Rosa <rosa@…>", a link, the end of a sentence. Applied to the visible text. */
const AROUND = /^(?:\s|mailto:|[^<@]*<)+|[\s>.,;:]+$/gi;

/**
 * Returns a typed address without what surrounds it, with the full stops and @ of Chinese and Japanese keyboards as Latin
 * ones, and without invisible characters: copied text brings them. A joiner between two letters of the domain is one of its letters.
 */
export function visibleAddress(text: string): string {
  if (text.length > LONGEST) return text;
  // Some keyboards send an accent apart from its letter.
  const typed = text
    .normalize()
    .replaceAll(/[。．｡︒]/g, '.')
    .replaceAll(/[＠﹫]/g, '@');
  const domainAt = typed.lastIndexOf('@') + 1;
  const name = typed.slice(0, domainAt).replaceAll(/[\p{Cf}\p{DI}]/gu, '');
  const domain = typed
    .slice(domainAt)
    .replaceAll(
      /((?!\p{DI})[\p{L}\p{M}]\p{Join_C})(?=(?!\p{DI})[\p{L}\p{M}])|[\p{Cf}\p{DI}]/gu,
      '$1',
    );
  // Again: a letter and its accent may have had an invisible character between them.
  return (name + domain)
    .normalize()
    .replaceAll(/\s*@\s*/g, '@')
    .replace(AROUND, '');
}
