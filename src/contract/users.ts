import * as z from 'zod/mini';
import { ACTIVATION_MODES, SIGN_UP_PLATFORM } from '#domain/activation.ts';
import type { SignUpRequest } from '#domain/flow/state.ts';
import { ACADEMY_ROLE, MEMBER_ROLE } from '#domain/roles.ts';
import { isAcademy } from '#domain/subtenants.ts';
import { longText, shortText, subtenantId, userId } from './schemas.ts';

/** The sign-up request, in the seed's spelling (SUP-15). */
export const createUserBody = z.strictObject({
  subtenantId,
  signUpPlateform: z.number().check(z.int()),
  user: z.strictObject({
    roleId: z.number().check(z.int()),
    firstName: shortText,
    lastName: shortText,
    emailAddress: longText,
    userName: longText,
    countryCode: z.string().check(z.regex(/^\+?\d{1,4}$/)),
    mobileNumber: z.string().check(z.regex(/^\d{1,20}$/)),
    password: longText,
    packageCode: z.nullable(shortText),
  }),
});

export const createUserData = z.object({
  userId,
  id: z.string(),
  userActivationMode: z.enum(ACTIVATION_MODES),
});

/** A filled-in form as the wire wants it. */
export function toCreateUserBody(request: SignUpRequest): z.infer<typeof createUserBody> {
  return {
    subtenantId: request.subtenantId,
    signUpPlateform: SIGN_UP_PLATFORM,
    user: {
      roleId: isAcademy(request.subtenantId) ? ACADEMY_ROLE : MEMBER_ROLE,
      firstName: request.firstName,
      lastName: request.lastName,
      emailAddress: request.email,
      userName: request.email,
      countryCode: request.dialCode,
      mobileNumber: request.phone,
      password: request.password,
      packageCode: request.promoCode,
    },
  };
}

export const checkUserParams = z.object({ email: longText });

export const loginUserQuery = z.object({ emailId: longText });
/** Login-user detail (seed section 3); contacts are masked, the server holds the real ones. */
export const loginUserData = z.object({
  id: z.string(),
  userId,
  signUpPlatform: z.number(),
  emailId: z.string(),
  mobileNo: z.string(),
  userName: z.string(),
});
