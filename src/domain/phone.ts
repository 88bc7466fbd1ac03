export const PHONE_MIN_DIGITS = 10;
/** The E.164 limit. */
export const PHONE_MAX_DIGITS = 15;

export type Country = { readonly label: string; readonly value: string };

export const DEFAULT_COUNTRY: Country = { label: '(+1) USA', value: '+1' };
/** Shown while or in case the list cannot be loaded, and first in the list (SUP-07). */
export const FIRST_COUNTRIES: readonly Country[] = [
  DEFAULT_COUNTRY,
  { label: '(+254) Kenya', value: '+254' },
  { label: '(+91) India', value: '+91' },
];

export function phoneDigits(text: string): string {
  return text.replace(/\D/g, '');
}

/** The display form of SUP-10, (555) 000-0000, also while it is half typed; digits past ten follow plainly. */
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

/**
 * Splits a pasted or autofilled "+1 555 014 2290" into dial code and number when the code is a listed one;
 * the longest code wins, so +254 is never read as +2.
 */
export function splitDialCode(
  text: string,
  countries: readonly Country[],
): { readonly country: Country; readonly number: string } | null {
  const trimmed = text.trim();
  if (!trimmed.startsWith('+')) return null;
  const digits = phoneDigits(trimmed);
  const [match] = countries
    .filter((country) => digits.startsWith(phoneDigits(country.value)))
    .sort((a, b) => b.value.length - a.value.length);
  return match ? { country: match, number: digits.slice(phoneDigits(match.value).length) } : null;
}
