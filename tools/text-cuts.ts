// Finds texts that are cut at a number: only `firstLetters` knows where a letter ends.

/** Lists, and texts of Latin letters or digits that a program made, by the last word before the cut. */
const SAFE = new Set(
  `all areas argv cells code core digest digits digitsOf e164 entries filter found hex lately lines list map match mobile number OFFERED
  parts path pathname phone randomUUID rest rows sealed shown signs sorted split spelling spellingsOf toISOString
  toReversed toSorted typedNames weight words wrong lang language PAGE_CODE_LETTERS PHPASS_SIGNS phoneDigits protocol long`.split(
    /\s+/,
  ),
);
const CUT =
  /\.(slice|substring|substr|charAt)\(|\b(?:text|name|word|email|local|typed|value)\[0\]/g;
/** A number, or a constant; an index that was found, and the length of a known beginning, are between letters. */
const BY_COUNT = /^-?(?:\d+|[A-Z][A-Z\d_]*)$/;
const OPENING: Readonly<Record<string, string>> = { ')': '(', ']': '[' };

/** Returns the place at which the bracket opens that ends before `end`. */
function openingOf(source: string, end: number): number {
  const close = source[end - 1] ?? '';
  let depth = 0;
  let at = end - 1;
  for (; at >= 0; at -= 1) {
    if (source[at] === close) depth += 1;
    else if (source[at] === OPENING[close]) depth -= 1;
    if (depth === 0) break;
  }
  return at;
}

/** Returns the last name of what is cut: `rows`, or `filter` of `rows.filter(…)`; `[]` of a written list. */
function receiverBefore(source: string, at: number): string {
  const before = source.slice(0, at).replace(/[\s?]+$/, '');
  if (/[)\]]$/.test(before)) {
    const start = openingOf(before, before.length);
    const callee = /[\w$]+$/.exec(before.slice(0, start))?.[0];
    return callee ?? (before.endsWith(']') ? '[]' : '');
  }
  return /[\w$]+$/.exec(before)?.[0] ?? '';
}

/** Returns the cuts of a source at a number, by the name of the text and the arguments. */
export function findTextCuts(source: string): string[] {
  return [...source.matchAll(CUT)].flatMap((match) => {
    const [whole, method] = match;
    if (method === undefined) return [whole];
    const from = match.index + whole.length;
    const args = (/^[^()]*(?:\([^()]*\)[^()]*)*/.exec(source.slice(from))?.[0] ?? '').trim();
    const receiver = receiverBefore(source, match.index);
    const isByCount =
      method !== 'slice' ||
      args.split(',').some((arg) => BY_COUNT.test(arg.trim()) && arg.trim() !== '0');
    return isByCount && !SAFE.has(receiver) && receiver !== '[]'
      ? [`${receiver}.${method}(${args})`]
      : [];
  });
}
