import { type CountryCode, getCountries, getCountryCallingCode } from 'libphonenumber-js/min';
import { type Country, FIRST_COUNTRIES } from '#domain/phone.ts';

/** The entries that stand at the top of the list under the names of SUP-07. */
const FIRST_CODES: readonly CountryCode[] = ['US', 'KE', 'IN'];

/** Countries for the picker: USA, Kenya, India first, then by name (SUP-07). `enabled`: ISO codes, empty for all. */
export function registrationCountries(enabled: readonly string[]): readonly Country[] {
  const isEnabled = (code: CountryCode) => enabled.length === 0 || enabled.includes(code);
  const names = new Intl.DisplayNames('en', { type: 'region' });
  const first = FIRST_COUNTRIES.filter((_, index) => isEnabled(FIRST_CODES[index] as CountryCode));
  const others = getCountries()
    .filter((code) => isEnabled(code) && !FIRST_CODES.includes(code))
    .map((code) => ({ name: names.of(code) ?? code, dialCode: `+${getCountryCallingCode(code)}` }))
    .toSorted((a, b) => a.name.localeCompare(b.name, 'en'))
    .map(({ name, dialCode }) => ({ label: `(${dialCode}) ${name}`, value: dialCode }));
  return [...first, ...others];
}
