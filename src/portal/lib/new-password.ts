import { checkNewPassword, type NewPasswordFields } from '#domain/proofs/new-password.ts';
import { type FormValues, problemTexts } from './form-values.ts';

export type NewPasswordField = keyof NewPasswordFields;

/** Returns the problems of a new password and its repetition, in the words of SUP-22. */
export const newPasswordProblems = ({ text }: FormValues<NewPasswordField>) =>
  problemTexts(
    checkNewPassword({ password: text('password'), confirmPassword: text('confirmPassword') }),
  );
