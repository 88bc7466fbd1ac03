import type { CountryCode } from 'libphonenumber-js/min';
import { isPhoneLength } from '#domain/phone.ts';
import { importCommand as texts } from '#locales/operator/import-command.ts';
import { fill } from '#locales/fill.ts';
import { OperatorError } from '#server/config/operator-error.ts';

export type PhoneFault = 'badPhone' | 'roundedPhone' | 'phoneExtension' | 'impossiblePhone';

/** Returns a number as it is stored, '' for none, or what is wrong with it. */
export type ReadPhone = (text: string) => { readonly phone: string } | PhoneFault;

/** A number of more than eleven digits in a spreadsheet: 2.12556E+09, with a comma in other languages. */
const ROUNDED = /^\+?\d+(?:[.,]\d+)?E\+?\d+$/i;

/**
 * Creates the reader of an import's numbers; `country` (ISO 3166-1) is that of numbers without +.
 * @throws OperatorError for a country that has no numbers
 */
export async function createPhoneReader(country: string | undefined): Promise<ReadPhone> {
  const { default: parse, isSupportedCountry } = await import('libphonenumber-js/min');
  const home = country?.toUpperCase();
  const isCountry = (code: string): code is CountryCode => isSupportedCountry(code);
  if (home !== undefined && !isCountry(home)) {
    throw new OperatorError(fill(texts.badCountry, { country: home }));
  }
  return (text) => {
    const given = text
      .normalize('NFKC')
      .replaceAll(/\p{Cf}/gu, '')
      .trim()
      .replace(/^00/, '+');
    if (given === '') return { phone: '' };
    if (ROUNDED.test(given)) return 'roundedPhone';
    if (home === undefined && !given.startsWith('+')) return 'badPhone';
    const parsed = parse(given, { extract: false, ...(home && { defaultCountry: home }) });
    if (parsed?.ext) return 'phoneExtension';
    if (!parsed?.isPossible()) return 'impossiblePhone';
    const { countryCallingCode, nationalNumber, number } = parsed;
    return isPhoneLength(`+${countryCallingCode}`, nationalNumber)
      ? { phone: number }
      : 'impossiblePhone';
  };
}
