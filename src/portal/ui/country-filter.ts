import { nearest } from '#domain/text/nearest.ts';
import { type Country, isMainCountry } from '#domain/typed/phone.ts';

/** Other names of countries, in their own language or in common use. */
const OTHER_NAMES: Readonly<Record<string, readonly string[]>> = {
  US: ['united states of america', 'america', 'us', 'usa', 'estados unidos', 'eeuu'],
  GB: ['uk', 'great britain', 'england', 'scotland', 'wales', 'northern ireland', 'reino unido'],
  KE: ['kenia'],
  IN: ['bharat', 'hindustan'],
  AE: ['uae', 'emirates', 'dubai', 'abu dhabi'],
  BA: ['bosnia'],
  BR: ['brasil'],
  CD: ['drc', 'democratic republic of the congo', 'zaire'],
  CG: ['republic of the congo'],
  CH: ['swiss', 'schweiz', 'suisse'],
  CI: ['ivory coast'],
  CV: ['cape verde'],
  CZ: ['czech republic'],
  DE: ['deutschland', 'alemania'],
  DO: ['republica dominicana'],
  ES: ['espana'],
  GR: ['hellas'],
  HK: ['hong kong'],
  IE: ['eire'],
  IT: ['italia'],
  JP: ['nippon'],
  KP: ['dprk'],
  KR: ['korea', 'republic of korea'],
  LA: ['lao'],
  MK: ['macedonia'],
  MM: ['burma'],
  NL: ['holland', 'the netherlands'],
  PH: ['pilipinas'],
  PL: ['polska'],
  RU: ['russian federation'],
  SZ: ['swaziland'],
  TL: ['east timor'],
  TR: ['turkey', 'turkiye'],
  VA: ['vatican', 'holy see'],
  VN: ['viet nam'],
};

/** Returns lower case without accents and signs, so that "cote" finds "Côte d'Ivoire" and "44" finds "+44". */
function plain(text: string): string {
  return text
    .normalize('NFD')
    .replace(/[^\p{L}\p{N} ]/gu, '')
    .toLowerCase()
    .trim();
}

/** Returns a country's name, and then its other names. */
function countryNames({ label, value, iso }: Country): readonly [string, ...string[]] {
  return [plain(label).slice(plain(value).length).trim(), ...(OTHER_NAMES[iso] ?? [])];
}

/** Returns how well a country matches, 0 best; `null`: not at all. */
function rankOf(country: Country, wanted: string): number | null {
  const code = plain(country.value);
  if (code === wanted) return isMainCountry(country) ? 0 : 1;
  const names = countryNames(country);
  const [name] = names;
  if (names.includes(wanted)) return 0;
  if (names.some((each) => each.startsWith(wanted))) return 2;
  if (name.split(' ').some((word) => word.startsWith(wanted))) return 3;
  return name.includes(wanted) || code.startsWith(wanted) ? 4 : null;
}

/** Shorter queries are a beginning, and shorter names are similar to nearly every word. */
const LEAST_LETTERS = 4;

/** Returns the countries whose name was probably meant ("jamacia", "phillipines"). */
function misspelled(countries: readonly Country[], wanted: string): readonly Country[] {
  if (wanted.length < LEAST_LETTERS) return [];
  const names = countries.flatMap(countryNames).filter(({ length }) => length >= LEAST_LETTERS);
  const meant = nearest(wanted, names);
  return meant === null ? [] : countries.filter((country) => countryNames(country).includes(meant));
}

/** Returns the countries that a query may mean, the likeliest first; equal ones keep their order. */
export function filterCountries(countries: readonly Country[], query: string): readonly Country[] {
  const wanted = plain(query);
  if (wanted === '') return countries;
  const found = countries
    .map((country) => ({ country, rank: rankOf(country, wanted) }))
    .filter((each): each is { country: Country; rank: number } => each.rank !== null)
    .sort((a, b) => a.rank - b.rank)
    .map(({ country }) => country);
  return found.length > 0 ? found : misspelled(countries, wanted);
}
