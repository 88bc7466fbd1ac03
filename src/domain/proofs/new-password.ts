import { isPasswordAcceptable } from './password-policy.ts';
import { asTyped, check, type Checked, type Rule } from '../typed/validation.ts';

/** The rule of a new password: at sign-up, at a reset, and for an account without one (SUP-12, PWD-05). */
export const NEW_PASSWORD_RULE = {
  normalize: asTyped,
  missing: 'passwordRequired',
  invalid: 'passwordWeak',
  isValid: isPasswordAcceptable,
} as const satisfies Rule;

/** Returns the rule of its repetition. */
export function confirmationRule(password: string): Rule {
  return {
    normalize: asTyped,
    missing: 'confirmRequired',
    invalid: 'confirmMismatch',
    // As they are hashed.
    isValid: (text) => text.normalize() === password.normalize(),
  };
}

export type NewPasswordFields = { readonly password: string; readonly confirmPassword: string };

/** Checks a new password and its repetition. */
export function checkNewPassword(input: NewPasswordFields): Checked<keyof NewPasswordFields> {
  const rules = { password: NEW_PASSWORD_RULE, confirmPassword: confirmationRule(input.password) };
  return check(rules, input);
}
