/** Words with more wrong letters than one in this many are different words. */
const SHARE = 3;

/** Returns the word that was probably meant, by the fewest letters to add, drop or change; `null` when none is near. */
export function nearest(word: string, known: readonly string[]): string | null {
  let best: { readonly name: string; readonly distance: number } | null = null;
  for (const name of known) {
    const distance = distanceBetween(word, name);
    const isNear = distance <= Math.max(1, Math.floor(name.length / SHARE));
    if (isNear && distance < (best?.distance ?? Infinity)) best = { name, distance };
  }
  return best?.name ?? null;
}

/** Returns Levenshtein's distance, computed a row at a time. */
function distanceBetween(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (const [i, letter] of [...a].entries()) {
    const next = [i + 1];
    for (const [j, other] of [...b].entries()) {
      const changed = (row[j] ?? 0) + (letter === other ? 0 : 1);
      next.push(Math.min(changed, (row[j + 1] ?? 0) + 1, (next[j] ?? 0) + 1));
    }
    row = next;
  }
  return row[row.length - 1] ?? 0;
}
