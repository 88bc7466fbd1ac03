import type { FieldMessage } from '#texts/fields.ts';

/** Validation answers with message keys, never with text. */
export type FieldProblems<Name extends string> = Partial<Record<Name, FieldMessage>>;

const EMAIL_MAX_LENGTH = 254;

/** The usual shape of an address; whether it exists is proven by the code, not by a pattern. Linear time. */
const EMAIL_PATTERN =
  /^[^\s@<>()[\]\\,;:"]{1,64}@(?:[\p{L}\d](?:[\p{L}\d-]{0,61}[\p{L}\d])?\.)+\p{L}[\p{L}\d-]{0,61}[\p{L}\d]$/u;

function hasEmailShape(text: string): boolean {
  return text.length <= EMAIL_MAX_LENGTH && !text.includes('..') && EMAIL_PATTERN.test(text);
}

/**
 * The form that accounts are found by has to be an address as well: a full-width ＠ becomes a second @ there. Its name
 * may differ from the typed one by case alone, and has no character that does not show: the mail goes to the mailbox
 * as it was typed, and that has to be the one whose account it opens.
 */
export function isEmail(text: string): boolean {
  const [name = ''] = text.split('@');
  return (
    hasEmailShape(text) &&
    hasEmailShape(canonicalEmail(text)) &&
    name === name.normalize('NFKC') &&
    !/\p{C}/u.test(name)
  );
}

/** One spelling for one address: what accounts are found by (security R7). */
export function canonicalEmail(email: string): string {
  // Some letters come apart into a space and what stands on it.
  return email.normalize('NFKC').trim().toLowerCase();
}

/** How a field's text is normalized, and what is wrong with it. */
export type Rule = {
  readonly normalize: (text: string) => string;
  /** Said of an empty field; the other only of a filled one. */
  readonly missing: FieldMessage;
  readonly invalid: FieldMessage;
  readonly isValid: (text: string) => boolean;
};

/** For a password: nothing is taken off it. */
export const asTyped = (text: string) => text;

export const EMAIL_RULE: Rule = {
  // Some keyboards send an accent apart from its letter.
  normalize: (text) => text.trim().normalize(),
  missing: 'emailRequired',
  invalid: 'emailInvalid',
  isValid: isEmail,
};

/** An old password may be weaker than today's rule: at sign-in only an empty one is wrong. */
const SIGN_IN_RULES = {
  email: EMAIL_RULE,
  password: {
    normalize: asTyped,
    missing: 'passwordRequired',
    invalid: 'passwordWeak',
    isValid: () => true,
  },
} as const satisfies Record<string, Rule>;

export type SignInFields = Record<keyof typeof SIGN_IN_RULES, string>;

export type Checked<Name extends string> =
  | { readonly isValid: true; readonly values: Record<Name, string> }
  | { readonly isValid: false; readonly problems: FieldProblems<Name> };

/** By plain functions: a schema library would weigh more in the browser than the two forms together. */
export function check<Name extends string>(
  rules: Readonly<Record<Name, Rule>>,
  input: Readonly<Record<Name, string>>,
): Checked<Name> {
  const values = {} as Record<Name, string>;
  const problems: FieldProblems<Name> = {};
  for (const name of Object.keys(rules) as Name[]) {
    const { normalize, missing, invalid, isValid } = rules[name];
    const text = normalize(input[name]);
    values[name] = text;
    if (text === '') problems[name] = missing;
    else if (!isValid(text)) problems[name] = invalid;
  }
  return Object.keys(problems).length > 0
    ? { isValid: false, problems }
    : { isValid: true, values };
}

/** Checks a sign-in form. */
export function checkSignIn(input: SignInFields): Checked<keyof SignInFields> {
  return check(SIGN_IN_RULES, input);
}

/** Checks a single address, as forgot password needs it (PWD-02). */
export function checkEmail(email: string): FieldMessage | null {
  const checked = check({ email: EMAIL_RULE }, { email });
  return checked.isValid ? null : (checked.problems.email ?? null);
}
