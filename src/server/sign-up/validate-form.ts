import { ACADEMY_ROLE, MEMBER_ROLE } from '#domain/people/roles.ts';
import { isAcademy } from '#domain/people/subtenants.ts';
import { checkSignUp } from '#domain/typed/sign-up-form.ts';
import { SIGN_UP_PLATFORM } from '#domain/proofs/activation.ts';
import { canonicalEmail } from '#domain/typed/validation.ts';
import { fields } from '#texts/fields.ts';
import { personalDataOf } from '../accounts/account-store.ts';
import { loadPhoneReader, readPhone } from '../accounts/phone-number.ts';
import type { Registration, SignUpForm } from '../accounts/registration-store.ts';
import { AppError } from '../http/app-error.ts';
import type { SignUp } from './sign-up-ports.ts';

const plusDigits = (dialCode: string) => `+${dialCode.replace(/\D/g, '')}`;

/**
 * Returns the columns of a number.
 * @throws AppError PHONE_REFUSED
 */
export async function acceptPhone(typed: { readonly dialCode: string; readonly number: string }) {
  const read = await readPhone(plusDigits(typed.dialCode), typed.number);
  if ('number' in read) return read.number;
  throw new AppError('PHONE_REFUSED', { messages: [fields[read.problem]] });
}

/** Returns the data that an account takes from a form before any proof. */
export function ownDataOf(form: SignUpForm) {
  return { ...personalDataOf(form), subtenant_id: form.subtenant_id };
}

/** Returns a saved form as it was filled in. */
export function signUpFormOf(saved: Registration): SignUpForm {
  const { password_hash, role_id, subtenant_id, promo_code } = saved;
  return { ...personalDataOf(saved), password_hash, role_id, subtenant_id, promo_code };
}

/**
 * Checks a sign-up by the form's rules, and by those of the server alone: role, platform, user name.
 * @throws AppError BAD_REQUEST naming the fields; PHONE_REFUSED where the country has no such number
 */
export async function validateForm(input: SignUp) {
  const number = (await loadPhoneReader())(plusDigits(input.dialCode), input.phone);
  const dialCode = number?.dial_code ?? plusDigits(input.dialCode);
  const phone = number?.mobile ?? input.phone;
  const checked = checkSignUp({ ...input, phone, confirmPassword: input.password }, dialCode);
  if (!checked.isValid) {
    const messages = Object.values(checked.problems).map((key) => fields[key]);
    throw new AppError('BAD_REQUEST', { messages });
  }
  if (!number) throw new AppError('PHONE_REFUSED');
  const isRoleAllowed =
    input.roleId === MEMBER_ROLE || (input.roleId === ACADEMY_ROLE && isAcademy(input.subtenantId));
  const isSameName = canonicalEmail(input.userName) === canonicalEmail(input.email);
  if (!isRoleAllowed || !isSameName || input.signUpPlatform !== SIGN_UP_PLATFORM) {
    throw new AppError('BAD_REQUEST');
  }
  const { firstName, lastName, email, password } = checked.values;
  const promo = isAcademy(input.subtenantId) ? input.promoCode?.trim().toUpperCase() : null;
  return {
    first_name: firstName,
    last_name: lastName,
    ...number,
    email,
    password,
    role_id: input.roleId,
    subtenant_id: input.subtenantId,
    promo_code: promo || null,
  };
}
