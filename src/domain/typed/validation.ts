import type { FieldMessage } from '#texts/fields.ts';
import { visibleAddress } from './address.ts';

/** Message keys by field, never text. */
export type FieldProblems<Name extends string> = Partial<Record<Name, FieldMessage>>;

const EMAIL_MAX_LENGTH = 254;

/** The usual format of an address; only the code proves that it exists. Linear time. */
const EMAIL_PATTERN =
  /^[^\s@<>()[\]\\,;:"]{1,64}@(?:[\p{L}\d](?:[\p{L}\p{M}\d-]{0,61}[\p{L}\p{M}\d])?\.)+\p{L}[\p{L}\p{M}\d-]{0,61}[\p{L}\p{M}\d]$/u;

function hasEmailShape(text: string): boolean {
  return text.length <= EMAIL_MAX_LENGTH && !text.includes('..') && EMAIL_PATTERN.test(text);
}

/**
 * Returns whether a text is an email address, also in its canonical form: a full-width ＠ becomes a second @ there. The
 * names of both may differ only in case and have no invisible character: the mail goes to the mailbox as entered, which
 * has to be the account's own.
 */
export function isEmail(text: string): boolean {
  const [name = ''] = text.split('@');
  return (
    // A joiner within a label has no place in its A-label, and a wrong one keeps it from having one.
    hasEmailShape(text.replaceAll(/\p{Join_C}/gu, '')) &&
    hasEmailShape(canonicalEmail(text)) &&
    name === name.normalize('NFKC') &&
    !/[\p{C}\p{DI}]/u.test(name)
  );
}

/**
 * Returns the canonical spelling of an address, by which accounts are found (security R7): small letters, and the domain by
 * its A-labels (decision 253).
 */
export function canonicalEmail(email: string): string {
  // Again: NFKC makes a space, a full stop or a comma of a part of some letters.
  const text = visibleAddress(visibleAddress(email).normalize('NFKC')).trim();
  const domainAt = text.lastIndexOf('@') + 1;
  const small = text.slice(0, domainAt).toLowerCase() + aLabels(text.slice(domainAt));
  // Again: the small letters of a few capitals are not in this form.
  return (domainAt === 0 ? text.toLowerCase() : small).normalize('NFKC');
}

/**
 * Returns the address to which mail goes: the name as it is, and the domain by which the account is found. A mail library
 * would read some letters (U+03F2, a capital sigma) as those of another domain.
 */
export function mailAddress(email: string): string {
  const domainAt = email.lastIndexOf('@') + 1;
  const canonical = canonicalEmail(email);
  return domainAt === 0
    ? email
    : email.slice(0, domainAt) + canonical.slice(canonical.lastIndexOf('@') + 1);
}

const ASCII = /^[\0-\u007F]*$/;
const LABELS = /^[\p{L}\p{M}\p{N}.\u200C-\u200D-]+$/u;

/** Returns a domain by its A-labels (UTS #46, non-transitional); in small letters where it can have none. */
function aLabels(domain: string): string {
  if (ASCII.test(domain)) return domain.toLowerCase();
  // Letter by letter: the small sigma at the end of a word is another letter of a domain.
  const small = domain.replaceAll(/\p{L}/gu, (letter) => letter.toLowerCase());
  if (!LABELS.test(small)) return small;
  try {
    return new URL(`http://${small}`).hostname;
  } catch {
    return small;
  }
}

/** The normalization of a field's text, and its problems. */
export type Rule = {
  readonly normalize: (text: string) => string;
  /** For an empty field; the other message is for a filled one. */
  readonly missing: FieldMessage;
  readonly invalid: FieldMessage | ((text: string) => FieldMessage);
  readonly isValid: (text: string) => boolean;
};

/** For a password: it is never trimmed. */
export const asTyped = (text: string) => text;

export const EMAIL_RULE: Rule = {
  normalize: visibleAddress,
  missing: 'emailRequired',
  invalid: 'emailInvalid',
  isValid: isEmail,
};

/** An old password may be weaker than today's rules: at sign-in only an empty one is wrong. */
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

/** Plain functions: a schema library would weigh more in the browser than the two forms together. */
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
    else if (!isValid(text)) problems[name] = typeof invalid === 'string' ? invalid : invalid(text);
  }
  return Object.keys(problems).length > 0
    ? { isValid: false, problems }
    : { isValid: true, values };
}

/** Checks a sign-in form. */
export function checkSignIn(input: SignInFields): Checked<keyof SignInFields> {
  return check(SIGN_IN_RULES, input);
}

/** Checks a single address, for forgot password (PWD-02). */
export function checkEmail(email: string): FieldMessage | null {
  const checked = check({ email: EMAIL_RULE }, { email });
  return checked.isValid ? null : (checked.problems.email ?? null);
}
