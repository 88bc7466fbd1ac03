import type { Country } from '#domain/phone.ts';

/** Lower case, without accents and signs, so that "cote" finds "Côte d'Ivoire" and "44" finds "+44". */
function plain(text: string): string {
  return text
    .normalize('NFD')
    .replace(/[^\p{L}\p{N} ]/gu, '')
    .toLowerCase()
    .trim();
}

/** The countries whose name or dial code holds the query. */
export function filterCountries(countries: readonly Country[], query: string): readonly Country[] {
  const wanted = plain(query);
  if (wanted === '') return countries;
  return countries.filter(({ label }) => plain(label).includes(wanted));
}
