/** The fields of the sign-up form in the wire's spelling: in a request, and in the history entry of its code (SUP-19). */

import type * as z from 'zod/mini';
import type { SignUpRequest } from '#domain/flow/terms.ts';
import type { createUserBody } from './users.ts';

export type TypedFields = Omit<SignUpRequest, 'subtenantId' | 'country' | 'password' | 'survey'>;
export type WireFields = Omit<z.infer<typeof createUserBody>['user'], 'roleId' | 'password'>;

/** Returns the fields in the wire's spelling. */
export const toWire = (typed: TypedFields): WireFields => ({
  firstName: typed.firstName,
  lastName: typed.lastName,
  emailAddress: typed.email,
  userName: typed.email,
  countryCode: typed.dialCode,
  mobileNumber: typed.phone,
  packageCode: typed.promoCode,
});

/** Returns the fields of a form in the wire's spelling. */
export const fromWire = (user: WireFields): TypedFields => ({
  firstName: user.firstName,
  lastName: user.lastName,
  email: user.emailAddress,
  dialCode: user.countryCode,
  phone: user.mobileNumber,
  promoCode: user.packageCode,
});
