import * as z from 'zod/mini';
import { OTP_TYPES } from '#domain/otp.ts';
import { shortText } from './schemas.ts';
import { userRole } from './sessions.ts';

const entrance = z.enum(['portal', 'legalStaff']);

const pendingCode = z.object({
  id: z.string(),
  userId: z.number(),
  registrationId: z.nullable(z.string()),
  signUpPlatform: z.number(),
  email: z.nullable(z.string()),
  otpType: z.enum(OTP_TYPES),
  mode: z.enum(['signIn', 'signUp', 'activation']),
  entrance,
  medium: z.union([z.literal(1), z.literal(2), z.literal(3), z.literal(4)]),
  sentTo: z.object({ email: z.nullable(z.string()), phone: z.nullable(z.string()) }),
  remainingMs: z.number(),
  canExtend: z.boolean(),
});

/** What a right activation code, or the button of a mailed link, proved. */
export const proof = z.object({
  otpId: z.string(),
  userId: z.number(),
  registrationId: z.nullable(z.string()),
  signUpPlatform: z.number(),
  email: z.nullable(z.string()),
});
/** `request` as the address has it: which application's request this tab is about. */
export const visitQuery = z.object({ request: z.optional(shortText) });

/** What the server knows of the asking visit. */
export const visitData = z.object({
  subtenantId: z.nullable(z.number()),
  code: z.nullable(pendingCode),
  signIn: z.nullable(
    z.object({
      stage: z.enum(['password', 'otp', 'verified', 'complete']),
      entrance,
      email: z.nullable(z.string()),
    }),
  ),
  login: z.nullable(
    z.object({
      appState: z.string(),
      loggedInUserId: z.number(),
      loggedInId: z.string(),
      userName: z.string(),
      memberName: z.string(),
      roles: z.array(userRole),
    }),
  ),
  proof: z.nullable(proof),
  activated: z.nullable(z.string()),
  client: z.nullable(
    z.object({
      id: z.string(),
      step: z.enum(['signIn', 'choose', 'consent', 'over']),
      clientName: z.string(),
      scopes: z.array(z.string()),
      loginHint: z.nullable(z.string()),
      startUrl: z.nullable(z.string()),
    }),
  ),
});
