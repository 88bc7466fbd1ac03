/** One row of Vite's manifest, as far as it is needed here. */
type Chunk = {
  file: string;
  isEntry?: boolean;
  imports?: string[];
};

export type Manifest = Record<string, Chunk>;

/** The scripts a browser has to load for these modules: their chunks and all that these import statically. */
export function closureOf(manifest: Manifest, keys: string[]): Set<string> {
  const seen = new Set<string>();
  const js = new Set<string>();
  const visit = (key: string): void => {
    if (seen.has(key)) return;
    seen.add(key);
    const chunk = manifest[key];
    if (!chunk) throw new Error(`The manifest has no ${key}.`);
    js.add(chunk.file);
    for (const imported of chunk.imports ?? []) visit(imported);
  };
  for (const key of keys) visit(key);
  return js;
}

/** The one style sheet of all screens. */
export function styleSheetOf(manifest: Manifest): string {
  const sheet = manifest['style.css'];
  if (!sheet) throw new Error('The manifest has no style sheet.');
  return sheet.file;
}

/**
 * The lazily loaded module of a screen. Without one its budget could not be counted and would pass
 * in silence, so a renamed folder has to be renamed here too.
 */
export function screenEntry(manifest: Manifest, screen: string): string {
  const found = Object.keys(manifest).find(
    (key) => key === `src/portal/screens/${screen}/${screen}-screen.tsx`,
  );
  if (!found) throw new Error(`No lazily loaded screen in src/portal/screens/${screen}/.`);
  return found;
}
