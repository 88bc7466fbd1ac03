import { fields } from '#texts/fields.ts';
import type { SignUpRequest } from '#domain/flow/terms.ts';
import { surveyAnswers } from '#domain/people/survey.ts';
import { checkSignUp, SIGN_UP_FIELDS, type SignUpFields } from '#domain/typed/sign-up-form.ts';
import type { FormValues, Problems } from '../../lib/form-values.ts';

export type Field = keyof SignUpFields | 'country' | 'dialCode' | 'survey' | 'otherText' | 'promo';

/** Validates the form's values. */
export function check(values: FormValues<Field>) {
  const pairs = SIGN_UP_FIELDS.map((name) => [name, values.text(name)] as const);
  const fieldsOf = Object.fromEntries(pairs) as Record<keyof SignUpFields, string>;
  return checkSignUp(fieldsOf, values.text('dialCode'));
}

/** Returns the text for each invalid field (SUP-22). */
export function problemsOf(values: FormValues<Field>): Problems<Field> {
  const checked = check(values);
  if (checked.isValid) return {};
  return Object.fromEntries(
    Object.entries(checked.problems).map(([name, key]) => [name, fields[key]]),
  );
}

/** Returns a valid form; `null` while it has a problem. */
export function requestOf(
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
