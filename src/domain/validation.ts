import type { FieldMessage } from '#messages/en/fields.ts';
import { isPasswordAcceptable } from './password-policy.ts';
import { PHONE_MAX_DIGITS, PHONE_MIN_DIGITS, phoneDigits } from './phone.ts';

/** Validation answers with message keys, never with text. */
export type FieldProblems<Name extends string> = Partial<Record<Name, FieldMessage>>;

const EMAIL_MAX_LENGTH = 254;
const NAME_MAX_LENGTH = 80;

/** A letter of any script: "van der Berg", "Зоя" and "李" are names. */
const HAS_LETTER = /\p{L}/u;
/** The usual shape of an address; whether it exists is proven by the code, not by a pattern. Linear time. */
const EMAIL_PATTERN = /^[^\s@<>()[\]\\,;:"]{1,64}@(?:[\p{L}\d](?:[\p{L}\d-]{0,61}[\p{L}\d])?\.)+\p{L}[\p{L}\d-]{0,61}[\p{L}\d]$/u;

/** Leading spaces go; the first letter is capital (seed section 5). The rest is left as typed. */
export function tidyName(text: string): string {
  const stripped = text.trimStart();
  const [first = ''] = stripped;
  return first.toLocaleUpperCase('en') + stripped.slice(first.length);
}

function hasEmailShape(text: string): boolean {
  return text.length <= EMAIL_MAX_LENGTH && !text.includes('..') && EMAIL_PATTERN.test(text);
}

/** The form that accounts are found by has to be an address as well: a full-width ＠ becomes a second @ there. */
export function isEmail(text: string): boolean {
  return hasEmailShape(text) && hasEmailShape(canonicalEmail(text));
}

/** One spelling for one address: what accounts are found by (security R7). */
export function canonicalEmail(email: string): string {
  return email.trim().normalize('NFKC').toLowerCase();
}

/** A field's text, tidied, and what is wrong with it. */
type Rule = {
  readonly tidy: (text: string) => string;
  /** Said of an empty field; the other only of a filled one. */
  readonly missing: FieldMessage;
  readonly invalid: FieldMessage;
  readonly isValid: (text: string) => boolean;
};

const asTyped = (text: string) => text;

function nameRule(missing: FieldMessage, invalid: FieldMessage): Rule {
  return {
    tidy: (text) => tidyName(text).trimEnd(),
    missing,
    invalid,
    isValid: (text) => HAS_LETTER.test(text) && text.length <= NAME_MAX_LENGTH,
  };
}

const EMAIL: Rule = {
  tidy: (text) => text.trim(),
  missing: 'emailRequired',
  invalid: 'emailInvalid',
  isValid: isEmail,
};

/** What a person fills in at sign-up, as far as rules apply to it. */
const SIGN_UP_RULES = {
  firstName: nameRule('firstNameRequired', 'firstNameInvalid'),
  lastName: nameRule('lastNameRequired', 'lastNameInvalid'),
  phone: {
    tidy: phoneDigits,
    missing: 'phoneRequired',
    invalid: 'phoneInvalid',
    isValid: ({ length }) => length >= PHONE_MIN_DIGITS && length <= PHONE_MAX_DIGITS,
  },
  email: EMAIL,
  password: {
    tidy: asTyped,
    missing: 'passwordRequired',
    invalid: 'passwordWeak',
    isValid: isPasswordAcceptable,
  },
  confirmPassword: {
    tidy: asTyped,
    missing: 'confirmRequired',
    invalid: 'confirmMismatch',
    isValid: () => true,
  },
} as const satisfies Record<string, Rule>;

/** An old password may be weaker than today's rule: at sign-in only an empty one is wrong. */
const SIGN_IN_RULES = {
  email: EMAIL,
  password: { ...SIGN_UP_RULES.password, isValid: () => true },
} as const satisfies Record<string, Rule>;

export type SignUpFields = Record<keyof typeof SIGN_UP_RULES, string>;
export type SignInFields = Record<keyof typeof SIGN_IN_RULES, string>;

type Checked<Name extends string> =
  | { readonly isValid: true; readonly values: Record<Name, string> }
  | { readonly isValid: false; readonly problems: FieldProblems<Name> };

/** By plain functions: a schema library would weigh more in the browser than the two forms together. */
function check<Name extends string>(
  rules: Readonly<Record<Name, Rule>>,
  input: Readonly<Record<Name, string>>,
): Checked<Name> {
  const values = {} as Record<Name, string>;
  const problems: FieldProblems<Name> = {};
  for (const name of Object.keys(rules) as Name[]) {
    const { tidy, missing, invalid, isValid } = rules[name];
    const text = tidy(input[name]);
    values[name] = text;
    if (text === '') problems[name] = missing;
    else if (!isValid(text)) problems[name] = invalid;
  }
  return Object.keys(problems).length > 0 ? { isValid: false, problems } : { isValid: true, values };
}

/** Checks a sign-up form; the confirmation is compared even when other fields are wrong, so that all is told at once. */
export function checkSignUp(input: SignUpFields): Checked<keyof SignUpFields> {
  const { password } = input;
  const confirmPassword = { ...SIGN_UP_RULES.confirmPassword, isValid: (text: string) => text === password };
  return check({ ...SIGN_UP_RULES, confirmPassword }, input);
}

/** Checks a sign-in form. */
export function checkSignIn(input: SignInFields): Checked<keyof SignInFields> {
  return check(SIGN_IN_RULES, input);
}

/** All six required sign-up fields fail: the seed asks for a warning of its own (SUP-13). */
export function isAllRequiredFailing(problems: FieldProblems<keyof SignUpFields>): boolean {
  return Object.keys(problems).length === Object.keys(SIGN_UP_RULES).length;
}
