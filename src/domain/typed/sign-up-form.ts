import type { FieldMessage } from '#texts/fields.ts';
import { confirmationRule, NEW_PASSWORD_RULE } from '../proofs/new-password.ts';
import { DEFAULT_COUNTRY, phoneRule } from './phone.ts';
import { isWrittenName, titleCase } from './written-name.ts';
import { check, type Checked, EMAIL_RULE, type Rule } from './validation.ts';

const NAME_MAX_LENGTH = 80;

/** Removes leading spaces and capitalizes the first letter (SUP-09). The rest stays as entered. */
export function normalizeName(text: string): string {
  const stripped = text.trimStart();
  const [first = ''] = stripped;
  return titleCase(first) + stripped.slice(first.length);
}

function nameRule(missing: FieldMessage, invalid: FieldMessage): Rule {
  return {
    normalize: (text) => normalizeName(text).trimEnd(),
    missing,
    invalid,
    isValid: (text) => isWrittenName(text) && text.length <= NAME_MAX_LENGTH,
  };
}

/** The rules of the sign-up fields. */
const SIGN_UP_RULES = {
  firstName: nameRule('firstNameRequired', 'firstNameInvalid'),
  lastName: nameRule('lastNameRequired', 'lastNameInvalid'),
  phone: phoneRule(DEFAULT_COUNTRY.value),
  email: EMAIL_RULE,
  password: NEW_PASSWORD_RULE,
} as const satisfies Record<string, Rule>;

/** Checks a first and a last name by the rules of sign-up, without capitals of ours. */
export function checkName(input: Record<'firstName' | 'lastName', string>) {
  const normalize = (text: string) => text.trim();
  const firstName = { ...SIGN_UP_RULES.firstName, normalize };
  const lastName = { ...SIGN_UP_RULES.lastName, normalize };
  return check({ firstName, lastName }, input);
}

export type SignUpFields = Record<keyof typeof SIGN_UP_RULES | 'confirmPassword', string>;

/** The fields that everybody fills in. */
export const SIGN_UP_FIELDS = [
  ...(Object.keys(SIGN_UP_RULES) as (keyof typeof SIGN_UP_RULES)[]),
  'confirmPassword',
] as const;

/**
 * Checks a sign-up form. The confirmation is compared even when other fields are wrong, so all problems show at once.
 */
export function checkSignUp(
  input: SignUpFields,
  dialCode: string = DEFAULT_COUNTRY.value,
): Checked<keyof SignUpFields> {
  const rules = {
    ...SIGN_UP_RULES,
    phone: phoneRule(dialCode),
    confirmPassword: confirmationRule(input.password),
  };
  return check(rules, input);
}

/** Returns whether all six required sign-up fields fail, which has a warning of its own (SUP-13). */
export function isAllRequiredFailing(problems: Readonly<Record<string, unknown>>): boolean {
  return SIGN_UP_FIELDS.every((field) => field in problems);
}
