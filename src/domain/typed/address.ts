/** Longer than any address, and short enough to look at each letter. */
const LONGEST = 1024;

/**
 * Returns a typed address without the characters that nobody sees (Unicode, general category Cf): they come with text that
 * was copied. A joiner between two letters of the domain is one of its letters.
 */
export function visibleAddress(text: string): string {
  if (text.length > LONGEST) return text;
  const domainAt = text.lastIndexOf('@') + 1;
  const name = text.slice(0, domainAt).replaceAll(/\p{Cf}/gu, '');
  const domain = text
    .slice(domainAt)
    .replaceAll(/(?![\u200C\u200D])\p{Cf}/gu, '')
    .replaceAll(/(?<![\p{L}\p{M}])[\u200C\u200D]+|[\u200C\u200D](?![\p{L}\p{M}])/gu, '');
  return name + domain;
}
