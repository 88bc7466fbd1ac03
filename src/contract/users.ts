import * as z from 'zod/mini';
import { ACTIVATION_MODES } from '#domain/proofs/activation.ts';
import { dialCode, longText, mobileNumber, shortText, subtenantId, userId } from './schemas.ts';

/** The sign-up request, in the wire's spelling (DAT-01). */
export const createUserBody = z.strictObject({
  subtenantId,
  signUpPlateform: z.number().check(z.int()),
  user: z.strictObject({
    roleId: z.number().check(z.int()),
    firstName: shortText,
    lastName: shortText,
    emailAddress: longText,
    userName: longText,
    countryCode: dialCode,
    mobileNumber,
    password: longText,
    packageCode: z.nullable(shortText),
  }),
});

export const createUserData = z.object({
  userId,
  id: z.string(),
  userActivationMode: z.enum(ACTIVATION_MODES),
});

export const checkUserParams = z.object({ email: longText });

export const loginUserQuery = z.object({ emailId: longText });
/** Login-user detail (DAT-16); contacts are masked, the server holds the real ones. */
export const loginUserData = z.object({
  id: z.string(),
  userId,
  signUpPlatform: z.number(),
  emailId: z.string(),
  mobileNo: z.string(),
  userName: z.string(),
});
