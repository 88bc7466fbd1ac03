import { ACADEMY_ROLE, MEMBER_ROLE } from '#domain/roles.ts';
import { isAcademy } from '#domain/subtenants.ts';
import { checkSignUp, phoneRule } from '#domain/sign-up-form.ts';
import { SIGN_UP_PLATFORM } from '#domain/activation.ts';
import { canonicalEmail } from '#domain/validation.ts';
import { fields } from '#texts/fields.ts';
import { personalDataOf } from '../accounts/account-store.ts';
import type { Registration, SignUpForm } from '../accounts/registration-store.ts';
import { AppError } from '../http/app-error.ts';
import { nationalNumber } from './phone-number.ts';
import type { SignUp } from './sign-up-ports.ts';

const plusDigits = (dialCode: string) => `+${dialCode.replace(/\D/g, '')}`;

/**
 * Returns the columns of a number.
 * @throws AppError BAD_REQUEST
 */
export async function acceptPhone(typed: { readonly dialCode: string; readonly number: string }) {
  const dialCode = plusDigits(typed.dialCode);
  const { normalize, isValid } = phoneRule(dialCode);
  const number = normalize(typed.number);
  if (!isValid(number)) throw new AppError('BAD_REQUEST');
  return { dial_code: dialCode, mobile: await nationalNumber(dialCode, number) };
}

/** Returns the data that an account takes from a form before any proof. */
export function ownDataOf(form: SignUpForm) {
  return { ...personalDataOf(form), subtenant_id: form.subtenant_id };
}

/** Returns a saved form as it was filled in. */
export function formOf(saved: Registration): SignUpForm {
  const { password_hash, role_id, subtenant_id, promo_code } = saved;
  return { ...personalDataOf(saved), password_hash, role_id, subtenant_id, promo_code };
}

/**
 * Checks a sign-up by the form's rules, and by those of the server alone: role, platform, user name.
 * @throws AppError BAD_REQUEST naming the fields
 */
export async function validateForm(input: SignUp) {
  const dialCode = plusDigits(input.dialCode);
  const {
    firstName: first,
    lastName: last,
    phone: typed,
    email: address,
    password: secret,
  } = input;
  const form = {
    firstName: first,
    lastName: last,
    phone: typed,
    email: address,
    password: secret,
    confirmPassword: secret,
  };
  const checked = checkSignUp(form, dialCode);
  if (!checked.isValid) {
    const messages = Object.values(checked.problems).map((key) => fields[key]);
    throw new AppError('BAD_REQUEST', { messages });
  }
  const isRoleAllowed =
    input.roleId === MEMBER_ROLE || (input.roleId === ACADEMY_ROLE && isAcademy(input.subtenantId));
  const isSameName = canonicalEmail(input.userName) === canonicalEmail(input.email);
  if (!isRoleAllowed || !isSameName || input.signUpPlatform !== SIGN_UP_PLATFORM) {
    throw new AppError('BAD_REQUEST');
  }
  const { firstName, lastName, phone, email, password } = checked.values;
  const promo = isAcademy(input.subtenantId) ? input.promoCode?.trim().toUpperCase() : null;
  return {
    first_name: firstName,
    last_name: lastName,
    dial_code: dialCode,
    mobile: await nationalNumber(dialCode, phone),
    email,
    password,
    role_id: input.roleId,
    subtenant_id: input.subtenantId,
    promo_code: promo || null,
  };
}
