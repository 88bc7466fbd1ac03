import * as z from 'zod/mini';
import { activationProof } from './visit.ts';
import { ignoredIp, longText, numeric, shortText, userId } from './schemas.ts';

/** Activation request (DAT-13). Ids are compared with the visit's own row, never believed (security D14). */
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

/** The query of the activation link, for validateUserByLink (ACT-02). */
export const validateLinkBody = z.strictObject({
  userRegstrtnId: shortText,
  userId,
  activationKey: shortText,
  signUpPlatform: numeric,
  clientIPAddress: ignoredIp,
});

/** Activation-link validation response (DAT-15); contacts are masked. */
export const validateLinkData = z.nullable(
  z.object({
    isValidLink: z.boolean(),
    // Porchlight's own three: another back end answers without them (A7).
    /** The account is active already: there is nothing left to do but sign in. */
    isDone: z.optional(z.boolean()),
    /** Whether a code can be sent; missing means yes. No, once a text activated the account and the mailbox is left to prove. */
    canSendOtp: z.optional(z.boolean()),
    /** The link was mailed: its button proves the address as the code would. */
    canConfirm: z.optional(z.boolean()),
    otpSendMedium: z.literal(4),
    subtenantId: z.number(),
    userId,
    primaryPhoneNumber: z.string(),
    primaryEmailId: z.string(),
    userActivationId: z.string(),
  }),
);

/** The proof by the pressed button; absent for an account that is active already. */
export const confirmLinkData = z.nullable(activationProof);

/** Activation-link request (DAT-14). */
export const activationLinkBody = z.strictObject({
  userRegstrtnId: z.nullable(shortText),
  userId: z.optional(z.nullable(numeric)),
  signUpPlatform: z.optional(z.nullable(numeric)),
  createdBy: z.optional(z.nullable(numeric)),
  clientIPAddress: ignoredIp,
});
export const activationLinkData = z.nullable(z.object({ activationURL: z.string() }));

export const isAuthUserParams = z.object({ email: longText });
