import type { CountryCode, NumberingPlan } from 'libphonenumber-js/max';
import type { FieldMessage } from '#texts/fields.ts';
import {
  phoneExtension,
  isPhoneLength,
  isWholePhone,
  phoneDigits,
  phoneRule,
} from '#domain/typed/phone.ts';
import { check } from '#domain/typed/validation.ts';

/** The columns of a number: without the zero that people dial at home, where the country has one. */
export type ReadNumber = { readonly dial_code: string; readonly mobile: string };

/** Returns the number that was typed beside a dial code ('' for none), or `null` when no country has it. */
export type ReadPhone = (dialCode: string, typed: string) => ReadNumber | null;

/** The library's types leave out the lengths of each kind. */
type PlanByKind = NumberingPlan & { type(kind: string): NumberingPlan | undefined };

/** Kinds of numbers that a person has. Others, such as toll-free ones, are longer in some countries. */
const OWN_KINDS = ['MOBILE', 'FIXED_LINE', 'VOIP'] as const;

let plans: ReturnType<typeof readPlans> | undefined;

/** Loads the plans of all countries, when the first number is read: they take half a megabyte. */
const loadPlans = () => (plans ??= readPlans());

async function readPlans() {
  const library = await import('libphonenumber-js/max');
  const metadata = new library.Metadata();
  /** Lengths of national numbers; countries that share a dial code share its plan. */
  const lengths = new Map<string, Set<number>>();
  for (const country of library.getCountries()) {
    metadata.selectNumberingPlan(country);
    const plan = metadata.numberingPlan as PlanByKind | undefined;
    const code = library.getCountryCallingCode(country);
    const known = lengths.get(code) ?? [];
    const own = OWN_KINDS.flatMap((kind) => plan?.type(kind)?.possibleLengths() ?? []);
    lengths.set(code, new Set([...known, ...own]));
  }
  /** Returns whether a country has numbers like this one ('+' and digits). No area code of +1 begins with 0 or 1. */
  const isKnown = (number: string): boolean => {
    const at = [2, 3, 4].find((end) => lengths.has(number.slice(1, end))) ?? 1;
    const hasLength = lengths.get(number.slice(1, at))?.has(number.length - at) ?? false;
    return hasLength && /^\+(?!1[01])\d+$/.test(number);
  };
  return { library, isKnown };
}

/** Returns the check of numbers that are stored, dial code and all. */
export const loadPhoneCheck = async () => (await loadPlans()).isKnown;

/** Returns the one reader of typed and pasted numbers: by the lengths of the country's number plan (decision 251). */
export async function loadPhoneReader(): Promise<ReadPhone> {
  const { library, isKnown } = await loadPlans();
  return (dialCode, typed) => {
    const [code, digits] = [phoneDigits(dialCode), phoneDigits(typed)];
    const isWhole = isWholePhone(typed);
    if (phoneExtension(typed) || (code === '' && !isWhole)) return null;
    // The dial code may have been typed once more.
    const beside = [code + digits, ...(digits.startsWith(code) ? [digits] : [])];
    const wholes = isWhole ? [digits.replace(/^00/, '')] : beside;
    for (const whole of wholes) {
      const parsed = library.default(`+${whole}`);
      if (!parsed) continue;
      const { countryCallingCode, nationalNumber: mobile } = parsed;
      const dial_code = `+${countryCallingCode}`;
      const isRead = isKnown(dial_code + mobile) && isPhoneLength(dial_code, mobile);
      if (isRead) return { dial_code, mobile };
    }
    return null;
  };
}

/** Returns a country's dial code, or `null` for a code (ISO 3166-1) of no country. */
export async function dialCodeOf(country: string): Promise<string | null> {
  const { library } = await loadPlans();
  const iso = country.toUpperCase() as CountryCode;
  return library.isSupportedCountry(iso) ? `+${library.getCountryCallingCode(iso)}` : null;
}

/** Reads a number that was typed beside a dial code. @returns its columns, or what is wrong with it */
export async function readPhone(
  dialCode: string,
  typed: string,
): Promise<{ readonly number: ReadNumber } | { readonly problem: FieldMessage }> {
  const number = (await loadPhoneReader())(dialCode, typed);
  if (number) return { number };
  const checked = check({ phone: phoneRule(dialCode) }, { phone: typed });
  return { problem: (checked.isValid ? null : checked.problems.phone) ?? 'phoneImpossible' };
}

/** Reads a number that has its dial code in front. @returns it, as '+' and digits; `null` if there is none */
export async function readWholePhone(typed: string): Promise<string | null> {
  const number = (await loadPhoneReader())('', typed);
  return number && number.dial_code + number.mobile;
}
