/** Names of subtenants: what people read as the sender, and what a client asks for (OPS-120, decision 270). */

import skeletonOf from 'unhomoglyph';
import type { SubtenantRow } from './subtenant-store.ts';

const PRODUCT = 'Porchlight';

/** Letters, marks, digits, spaces and the punctuation of names, with its typographic forms. */
const LETTERS = /^[\p{L}\p{M}\p{Nd} &'’.,\-–—]+$/u;
const [FEWEST, MOST] = [2, 60];
const MOST_DIGITS = /\p{Nd}{4}/u;

/** Scripts that a name may have beside no other; Japanese, Korean and Chinese names mix their own. */
const SCRIPTS: readonly RegExp[] = [
  ...`Latin Greek Cyrillic Armenian Georgian Hebrew Arabic Devanagari Bengali Gurmukhi Gujarati Tamil Telugu Kannada
    Malayalam Sinhala Thai Lao Khmer Myanmar Ethiopic`
    .split(/\s+/)
    .map((script) => new RegExp(`^\\p{scx=${script}}*$`, 'u')),
  /^[\p{scx=Han}\p{scx=Hiragana}\p{scx=Katakana}]*$/u,
  /^[\p{scx=Han}\p{scx=Hangul}]*$/u,
  /^[\p{scx=Han}\p{scx=Bopomofo}]*$/u,
];

/** Why a name may mislead the people who read it. */
type NameFault = 'length' | 'signs' | 'link' | 'digits' | 'scripts';

/** Returns whether a text would be read as an address or a link: in mails, programs make one of it. */
export const looksLikeLink = (text: string): boolean =>
  /[@/:]|\p{L}[.。]\p{L}{2,}|^(?:https?|www)\b/iu.test(text.normalize('NFKC'));

/** Returns what is wrong with a name by itself; `null`: nothing. */
export function faultOfName(name: string): NameFault | null {
  const length = [...name].length;
  if (length < FEWEST || length > MOST) return 'length';
  if (looksLikeLink(name)) return 'link';
  if (!LETTERS.test(name)) return 'signs';
  if (MOST_DIGITS.test(name)) return 'digits';
  const letters = name.replaceAll(/[^\p{L}]/gu, '');
  return SCRIPTS.some((script) => script.test(letters)) ? null : 'scripts';
}

/** Returns what a name looks like (UTS #39): the same for names that people take for one another. */
export function skeletonOfName(name: string): string {
  const plain = (text: string) =>
    skeletonOf(text.normalize('NFKD')).replaceAll(/[^\p{L}\p{Nd}|]/gu, '');
  // A capital I looks like a small l: after folding the case, so does a small i.
  const folded = plain(plain(name).toLowerCase()).toLowerCase();
  return folded.replaceAll(/[i|1]/g, 'l').replaceAll('vv', 'w');
}

/** Returns the name of the product or of another open subtenant that a name looks like; `null`: of none. */
export function takenName(
  { id, name }: Pick<SubtenantRow, 'id' | 'name'>,
  all: readonly SubtenantRow[],
): string | null {
  const others = all.filter((each) => each.is_active && each.id !== id);
  const names = [PRODUCT, ...others.map((each) => each.name)];
  const skeleton = skeletonOfName(name);
  return names.find((each) => skeletonOfName(each) === skeleton) ?? null;
}
