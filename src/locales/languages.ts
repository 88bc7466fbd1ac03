/**
 * The one list of languages (docs/translating.md). Each has a folder of texts here beside, and a line in `catalogue.ts`.
 * `name` is what its speakers call it; `dir` is the direction of its script.
 */
export const LANGUAGES = {
  en: { name: 'English', dir: 'ltr' },
  es: { name: 'Español', dir: 'ltr' },
} as const satisfies Readonly<Record<string, Row>>;

/** Made from English by `pseudo.ts`, to test pages: longer texts, and a page from right to left. In a demo only. */
export const PSEUDO_LANGUAGES = {
  'en-XA': { name: '[Éénglïïsh]', dir: 'ltr' },
  'ar-XB': { name: 'hsilgnE', dir: 'rtl' },
} as const satisfies Readonly<Record<string, Row>>;

type Row = { readonly name: string; readonly dir: 'ltr' | 'rtl' };

export type Translated = keyof typeof LANGUAGES;
export type Pseudo = keyof typeof PSEUDO_LANGUAGES;
export type Language = Translated | Pseudo;

/** The language of the original texts, and of everybody who asked for none of ours. */
export const ORIGINAL = 'en' satisfies Translated;

/** The languages that a browser may ask for. */
export const OFFERED: [Translated, ...Translated[]] = [
  ORIGINAL,
  ...(Object.keys(LANGUAGES) as Translated[]).filter((code) => code !== ORIGINAL),
];

const ROWS: Record<string, Row> = { ...LANGUAGES, ...PSEUDO_LANGUAGES };

/** Switches the other languages off, for the whole process at its start. The original stays; an empty list changes nothing. */
export function offerOnly(codes: readonly string[]): void {
  if (codes.length === 0) return;
  for (const code of OFFERED.slice(1)) {
    if (codes.includes(code)) continue;
    OFFERED.splice(OFFERED.indexOf(code), 1);
    delete ROWS[code];
  }
}

/** Returns whether texts of this language exist. */
export const isLanguage = (code: unknown): code is Language =>
  typeof code === 'string' && Object.keys(ROWS).includes(code);

/** Returns whether this is a language that people have, with texts of its own. */
export const isTranslated = (code: Language): code is Translated =>
  Object.keys(LANGUAGES).includes(code);

/** Returns the direction of a language's script. */
export const directionOf = (language: Language): Row['dir'] =>
  ({ ...LANGUAGES, ...PSEUDO_LANGUAGES })[language].dir;
