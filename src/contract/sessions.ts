import * as z from 'zod/mini';
import { ignoredIp, longText, numeric, shortText, userId } from './schemas.ts';

export const beginSessionBody = z.strictObject({
  entrance: z.enum(['portal', 'legalStaff']),
  /** The person typed a password just now: start a sign-in attempt of its own. */
  isFresh: z.boolean(),
});
const publicJwk = z.record(z.string(), z.unknown());
export const beginSessionData = z.object({
  appState: z.string(),
  authorizeUrl: z.string(),
  /** Modules that take the sealed credential, each with the key to seal it to (HND-05). */
  sealedModules: z.array(z.object({ module: z.string(), publicKey: publicJwk })),
});

/**
 * Auth login record (DAT-18). `authId` is the authorization code and `appState` its state: the backend
 * exchanges the code (ARC-06), so the token fields stay empty and are dropped when sent.
 */
export const recordLoginBody = z.strictObject({
  authId: longText,
  appState: shortText,
  expiresIn: z.optional(z.nullable(numeric)),
  userName: z.optional(z.nullable(longText)),
  refereshToken: z.optional(z.nullable(longText)),
  tokenType: z.optional(z.nullable(shortText)),
  clientIP: ignoredIp,
  deviceType: z.optional(z.nullable(shortText)),
  browseMode: z.optional(z.nullable(shortText)),
  browseType: z.optional(z.nullable(shortText)),
});

export const userRole = z.object({ roleId: z.number(), roleKey: z.string() });

/** Login result (DAT-17), and the bearer that every later call carries. */
export const recordLoginData = z.object({
  appState: z.string(),
  loggedInUserId: userId,
  logUserLoginId: z.string(),
  roleId: z.nullable(z.number()),
  userName: z.string(),
  memberName: z.string(),
  userRoles: z.array(userRole),
  /** The account is to be erased: the sign-in offers to keep it. */
  isClosing: z.boolean(),
  authToken: z.string(),
  /** A passkey is offered before the hand-off, where the device can save one. */
  offersKey: z.boolean(),
});

export const logOutParams = z.object({
  userId: shortText,
  appState: shortText,
  loggedInId: shortText,
  roleId: shortText,
});
