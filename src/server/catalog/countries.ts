import {
  type CountryCode,
  getCountries,
  getCountryCallingCode,
  getExampleNumber,
} from 'libphonenumber-js/min';
import examples from 'libphonenumber-js/mobile/examples';
import { ORIGINAL } from '#locales/languages.ts';
import { type Country, FIRST_COUNTRIES } from '#domain/typed/phone.ts';

/** Countries for the picker: USA, Kenya, India first, then by name (SUP-07). `enabled`: ISO codes, empty for all. */
export function registrationCountries(
  enabled: readonly string[],
  language: string,
): readonly Country[] {
  const isEnabled = (code: string) => enabled.length === 0 || enabled.includes(code);
  const names = new Intl.DisplayNames(language, { type: 'region' });
  const first = FIRST_COUNTRIES.filter(({ iso }) => isEnabled(iso)).map((country) =>
    // The specification names them in English.
    language === ORIGINAL
      ? country
      : { ...country, label: `(${country.value}) ${names.of(country.iso) ?? country.iso}` },
  );
  const others = getCountries()
    .filter((iso) => isEnabled(iso) && FIRST_COUNTRIES.every((known) => known.iso !== iso))
    .map((iso) => ({ iso, name: names.of(iso) ?? iso, value: `+${getCountryCallingCode(iso)}` }))
    .toSorted((a, b) => a.name.localeCompare(b.name, language))
    .map(({ iso, name, value }) => ({
      label: `(${value}) ${name}`,
      value,
      iso,
      example: exampleOf(iso, value),
    }));
  return [...first, ...others];
}

/** A mobile number as it is written after the dial code; empty where the library knows none. */
function exampleOf(iso: CountryCode, dialCode: string): string {
  const written = getExampleNumber(iso, examples)?.formatInternational() ?? '';
  return written.replace(dialCode, '').trim();
}
