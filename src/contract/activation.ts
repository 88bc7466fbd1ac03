import * as z from 'zod/mini';
import { ignoredIp, longText, numeric, shortText, userId } from './schemas.ts';

/** Activation request (seed section 3). Ids are compared with the visit's own row, never believed (security D14). */
export const activateUserBody = z.strictObject({
  userRegstrtnId: z.nullable(shortText),
  userId,
  activationKey: z.optional(z.nullable(shortText)),
  signUpPlatform: z.optional(numeric),
  clientIPAddress: ignoredIp,
  userActivationId: z.optional(z.nullable(shortText)),
  otpId: shortText,
  password: z.optional(z.nullable(longText)),
});

export const isAuthUserParams = z.object({ email: longText });
