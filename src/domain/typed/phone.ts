import { digitsOf, latinDigits } from './digits.ts';
import type { Rule } from './validation.ts';

const PHONE_MIN_DIGITS = 10;
/** The E.164 limit. */
const PHONE_MAX_DIGITS = 15;

export type Country = {
  readonly label: string;
  /** The dial code, with its plus. */
  readonly value: string;
  /** ISO 3166-1. */
  readonly iso: string;
  /** A number in the country's format, without the dial code: the hint, and the grouping of input. */
  readonly example: string;
};

export const DEFAULT_COUNTRY: Country = {
  label: '(+1) USA',
  value: '+1',
  iso: 'US',
  example: '(212) 345-6789',
};
/** Shown while or if the list cannot be loaded, and first in the list (SUP-07). */
export const FIRST_COUNTRIES: readonly Country[] = [
  DEFAULT_COUNTRY,
  { label: '(+254) Kenya', value: '+254', iso: 'KE', example: '712 123456' },
  { label: '(+91) India', value: '+91', iso: 'IN', example: '81234 56789' },
];

/** Of the countries that share a dial code, the default one. */
const MAIN_COUNTRIES = ['US', 'GB', 'RU', 'IT', 'NO', 'AU', 'FI', 'MA', 'RE', 'GP', 'CW'];

/** Returns whether a country is the default one of its dial code. */
export function isMainCountry({ iso }: Country): boolean {
  return MAIN_COUNTRIES.includes(iso);
}

/** Returns the digits of a text. */
export function phoneDigits(text: string): string {
  return digitsOf(text);
}

/**
 * Returns the digits of an extension: behind a letter or a mark that follows a whole number, as in "x123" or ",,5"; ''
 * while it has none yet, `null` without such a mark.
 */
export function phoneExtension(text: string): string | null {
  const parts = latinDigits(text)
    .split(/[\p{L}#*,;~]+/u)
    .map(phoneDigits);
  const at = parts.findIndex((digits) => digits.length > 6);
  return at < 0 || at === parts.length - 1 ? null : parts.slice(at + 1).join('');
}

/** Formats a number as (555) 000-0000 (SUP-10), also a partial one; digits past ten follow unformatted. */
export function formatPhone(text: string): string {
  const digits = phoneDigits(text).slice(0, PHONE_MAX_DIGITS);
  if (digits.length < 4) return digits;
  const area = digits.slice(0, 3);
  const rest = digits.slice(3, 6);
  if (digits.length < 7) return `(${area}) ${rest}`;
  const line = digits.slice(6, 10);
  const extra = digits.slice(10);
  return `(${area}) ${rest}-${line}${extra && ` ${extra}`}`;
}

/** Formats a number as in its country, also a partial one. */
export function formatInCountry({ value, example }: Country, text: string): string {
  if (value === DEFAULT_COUNTRY.value) return formatPhone(text);
  const digits = phoneDigits(text).slice(0, PHONE_MAX_DIGITS);
  // A national prefix stands before the first group.
  const isDialedAtHome = digits.startsWith('0') && !example.startsWith('0');
  const rest = [...(isDialedAtHome ? digits.slice(1) : digits)];
  let shown = isDialedAtHome ? '0' : '';
  for (const sign of example) {
    if (rest.length === 0) return shown;
    shown += /\d/.test(sign) ? rest.shift() : sign;
  }
  return rest.length > 0 ? `${shown} ${rest.join('')}`.trimStart() : shown;
}

/** Returns whether a text begins with a dial code, as in "+1 …", "(+1) …", "001 …". */
export function isWholePhone(text: string): boolean {
  return /^\D*(?:\+|00)/.test(latinDigits(text));
}

/**
 * Splits a pasted or autofilled "+1 555 014 2290" (or "001 …") into dial code and number when the code is a listed one;
 * the longest code wins, so +254 is never read as +2, and of countries that share one the default one.
 */
export function splitDialCode(
  text: string,
  countries: readonly Country[],
): { readonly country: Country; readonly number: string } | null {
  if (!isWholePhone(text)) return null;
  const digits = phoneDigits(text).replace(/^00/, '');
  const [match] = countries
    .filter((country) => digits.startsWith(phoneDigits(country.value)))
    .sort(
      (a, b) =>
        b.value.length - a.value.length || Number(isMainCountry(b)) - Number(isMainCountry(a)),
    );
  return match ? { country: match, number: digits.slice(phoneDigits(match.value).length) } : null;
}

/** Returns a number without a repetition of its own dial code, as in "254 712 345678". */
export function withoutOwnDialCode({ value, example }: Country, text: string): string {
  const digits = phoneDigits(text);
  const code = phoneDigits(value);
  const isRepeated =
    digits.startsWith(code) && digits.length === code.length + phoneDigits(example).length;
  return isRepeated ? digits.slice(code.length) : text;
}

/**
 * Returns whether a number has a possible number of digits (SUP-10): in the countries of +1 ten, of which the first is
 * neither 0 nor 1; in others ten together with the dial code, because many countries have nine.
 */
export function isPhoneLength(dialCode: string, number: string): boolean {
  if (dialCode === DEFAULT_COUNTRY.value) return /^[2-9]\d{9}$/.test(number);
  const length = phoneDigits(dialCode).length + number.length;
  return length >= PHONE_MIN_DIGITS && length <= PHONE_MAX_DIGITS;
}

/** Returns the rule of a phone number, which depends on its country (SUP-10). */
export function phoneRule(dialCode: string): Rule {
  return {
    normalize(text) {
      if (phoneExtension(text)) return text;
      const digits = phoneDigits(text);
      // No area code begins with 1: it is the dial code.
      return dialCode === DEFAULT_COUNTRY.value ? digits.replace(/^1(?=\d{10}$)/, '') : digits;
    },
    missing: 'phoneRequired',
    invalid: (text) => (phoneExtension(text) ? 'phoneExtension' : 'phoneInvalid'),
    isValid: (number) => !phoneExtension(number) && isPhoneLength(dialCode, number),
  };
}
