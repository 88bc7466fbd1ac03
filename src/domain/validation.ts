import * as z from 'zod/mini';
import type { FieldMessage } from '#messages/en/fields.ts';
import { isPasswordAcceptable } from './password-policy.ts';
import { PHONE_MAX_DIGITS, PHONE_MIN_DIGITS, phoneDigits } from './phone.ts';

/** Validation answers with message keys, never with text. */
export type FieldProblems<Name extends string> = Partial<Record<Name, FieldMessage>>;

const EMAIL_MAX_LENGTH = 254;
export const NAME_MAX_LENGTH = 80;

/** A letter of any script: "van der Berg", "Зоя" and "李" are names. */
const HAS_LETTER = /\p{L}/u;
/** The usual shape of an address; whether it exists is proven by the code, not by a pattern. Linear time. */
const EMAIL_PATTERN = /^[^\s@<>()[\]\\,;:"]{1,64}@(?:[\p{L}\d](?:[\p{L}\d-]{0,61}[\p{L}\d])?\.)+[\p{L}\d-]{2,63}$/u;

/** Leading spaces go; the first letter is capital (seed section 5). The rest is left as typed. */
export function tidyName(text: string): string {
  const stripped = text.trimStart();
  const [first = ''] = stripped;
  return first.toLocaleUpperCase('en') + stripped.slice(first.length);
}

export function isEmail(text: string): boolean {
  return text.length <= EMAIL_MAX_LENGTH && !text.includes('..') && EMAIL_PATTERN.test(text);
}

/** One spelling for one address: what accounts are found by (security R7). */
export function canonicalEmail(email: string): string {
  return email.trim().normalize('NFKC').toLowerCase();
}

const required = (message: FieldMessage) =>
  z.refine<string>((text) => text !== '', { error: message, abort: true });
const rule = (isMet: (text: string) => boolean, message: FieldMessage) =>
  z.refine<string>(isMet, { error: message });

const name = (missing: FieldMessage, invalid: FieldMessage) =>
  z.pipe(
    z.pipe(z.string(), z.transform((text) => tidyName(text).trimEnd())),
    z.string().check(
      required(missing),
      rule((text) => HAS_LETTER.test(text) && text.length <= NAME_MAX_LENGTH, invalid),
    ),
  );

const email = z.pipe(
  z.pipe(z.string(), z.transform((text) => text.trim())),
  z.string().check(required('emailRequired'), rule(isEmail, 'emailInvalid')),
);

const phone = z.pipe(
  z.pipe(z.string(), z.transform(phoneDigits)),
  z.string().check(
    required('phoneRequired'),
    rule((d) => d.length >= PHONE_MIN_DIGITS && d.length <= PHONE_MAX_DIGITS, 'phoneInvalid'),
  ),
);

const newPassword = z
  .string()
  .check(required('passwordRequired'), rule(isPasswordAcceptable, 'passwordWeak'));

/** What a person fills in at sign-up, as far as rules apply to it. */
export const signUpSchema = z.object({
  firstName: name('firstNameRequired', 'firstNameInvalid'),
  lastName: name('lastNameRequired', 'lastNameInvalid'),
  phone,
  email,
  password: newPassword,
  confirmPassword: z.string().check(required('confirmRequired')),
});

export const signInSchema = z.object({
  email,
  password: z.string().check(required('passwordRequired')),
});

export type SignUpFields = z.infer<typeof signUpSchema>;
export type SignInFields = z.infer<typeof signInSchema>;

type Checked<T extends object> =
  | { readonly isValid: true; readonly values: T }
  | { readonly isValid: false; readonly problems: FieldProblems<keyof T & string> };

function check<T extends object>(schema: z.ZodMiniType<T>, input: unknown): Checked<T> {
  const result = z.safeParse(schema, input);
  if (result.success) return { isValid: true, values: result.data };
  const problems: FieldProblems<keyof T & string> = {};
  for (const issue of result.error.issues) {
    const field = issue.path[0] as keyof T & string;
    problems[field] ??= issue.message as FieldMessage;
  }
  return { isValid: false, problems };
}

/** Checks a sign-up form; the confirmation is compared even when other fields are wrong, so that all is told at once. */
export function checkSignUp(input: Record<keyof SignUpFields, string>): Checked<SignUpFields> {
  const checked = check(signUpSchema, input);
  const isMismatch = input.confirmPassword !== '' && input.confirmPassword !== input.password;
  if (!isMismatch) return checked;
  const problems = checked.isValid ? {} : checked.problems;
  return { isValid: false, problems: { ...problems, confirmPassword: 'confirmMismatch' } };
}

/** Checks a sign-in form. */
export function checkSignIn(input: Record<keyof SignInFields, string>): Checked<SignInFields> {
  return check(signInSchema, input);
}

/** All six required sign-up fields fail: the seed asks for a warning of its own (SUP-13). */
export function isAllRequiredFailing(problems: FieldProblems<keyof SignUpFields>): boolean {
  return Object.keys(problems).length === Object.keys(signUpSchema.shape).length;
}
