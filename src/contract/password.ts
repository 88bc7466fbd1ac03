import * as z from 'zod/mini';
import { ignoredIp, longText, numeric, shortText } from './schemas.ts';

/** Forgot-password request (PWD-03). */
export const forgotPasswordBody = z.strictObject({
  userName: longText,
  emailID: longText,
  requestedIP: ignoredIp,
  commMedium: z.optional(z.nullable(shortText)),
  commSendOn: z.optional(z.nullable(longText)),
});

/** Any length: a malformed key leads to 'Invalid Link', not to an error. */
export const resetUserParams = z.object({ resetKey: longText, ip: shortText });
/** `forgotPasswordId` is a handle for this visit alone; `userName` is the masked address (security D9). */
export const resetUserData = z.nullable(
  z.object({
    userId: z.number(),
    userName: z.string(),
    /** The whole address, for password managers. */
    email: z.string(),
    hostedUserId: z.string(),
    forgotPasswordId: z.string(),
    subtenantId: z.number(),
    /** The account has no password yet: it was invited. */
    isFirst: z.boolean(),
    /** The one by which a new account may come in. */
    organisations: z.optional(
      z.array(z.object({ id: z.string(), label: z.string(), isOnly: z.boolean() })),
    ),
    /** Leads back to the application that the visit came from. */
    request: z.nullable(z.string()),
  }),
);

/** Reset-password payload (PWD-10). `email` may come back as it was given: it is not read. */
export const updatePasswordBody = z.strictObject({
  userName: longText,
  email: z.optional(longText),
  userId: numeric,
  hostedUserId: z.optional(z.nullable(shortText)),
  password: longText,
  accessIP: ignoredIp,
  forgotPasswordId: shortText,
});
