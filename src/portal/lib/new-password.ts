import { fields } from '#texts/fields.ts';
import { checkNewPassword, type NewPasswordFields } from '#domain/proofs/new-password.ts';
import type { FormValues, Problems } from './form-values.ts';

export type NewPasswordField = keyof NewPasswordFields;

/** Returns the problems of a new password and its repetition, in the words of SUP-22. */
export function newPasswordProblems(
  values: FormValues<NewPasswordField>,
): Problems<NewPasswordField> {
  const checked = checkNewPassword({
    password: values.text('password'),
    confirmPassword: values.text('confirmPassword'),
  });
  if (checked.isValid) return {};
  const { password, confirmPassword } = checked.problems;
  return {
    password: password && fields[password],
    confirmPassword: confirmPassword && fields[confirmPassword],
  };
}
