import type { SignUpRequest } from '#domain/flow/terms.ts';
import { surveyAnswers } from '#domain/people/survey.ts';
import { checkSignUp, SIGN_UP_FIELDS, type SignUpFields } from '#domain/typed/sign-up-form.ts';
import { type FormValues, problemTexts } from '../../lib/form-values.ts';

export type Field = keyof SignUpFields | 'country' | 'dialCode' | 'survey' | 'otherText' | 'promo';

function check(values: FormValues<Field>) {
  const pairs = SIGN_UP_FIELDS.map((name) => [name, values.text(name)] as const);
  const fieldsOf = Object.fromEntries(pairs) as Record<keyof SignUpFields, string>;
  return checkSignUp(fieldsOf, values.text('dialCode'));
}

/** Returns the text for each invalid field (SUP-22). */
export const signUpProblems = (values: FormValues<Field>) => problemTexts(check(values));

/** Returns a valid form; `null` while it has a problem. */
export function signUpRequestOf(
  values: FormValues<Field>,
  subtenantId: number,
  isTrial: boolean,
): SignUpRequest | null {
  const checked = check(values);
  if (!checked.isValid) return null;
  const { confirmPassword: _, ...person } = checked.values;
  return {
    ...person,
    subtenantId,
    country: values.text('country'),
    dialCode: values.text('dialCode'),
    promoCode: (isTrial && values.text('promo').trim()) || null,
    survey: surveyAnswers(values.all('survey').map(Number), values.text('otherText')),
  };
}
