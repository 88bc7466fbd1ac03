import * as z from 'zod/mini';
import type { ErrorCode } from './errors.ts';
import { longText } from './schemas.ts';
import { beginSessionData } from './sessions.ts';

/** The chosen role, or `null` when the roles leave no choice. */
export const issueHandoffBody = z.strictObject({
  choice: z.nullable(
    z.strictObject({ kind: z.enum(['role', 'signInOnApp']), roleId: z.number().check(z.int()) }),
  ),
  entrance: z.enum(['portal', 'legalStaff']),
  /** The person was asked for the password that the module wants. */
  isAsked: z.optional(z.boolean()),
});
/** `credentialFor`: the module whose sealed credential the browser adds, if any. */
export const issueHandoffData = z.object({
  url: z.string(),
  credentialFor: z.nullable(z.string()),
});

export const checkPasswordBody = z.strictObject({ password: longText });
/** `null` for a wrong password; else what the browser seals it with. */
export const checkPasswordData = z.nullable(
  z.object({ appState: z.string(), sealedModules: beginSessionData.shape.sealedModules }),
);

/** In the order of docs/modules.md. */
export const REDEEM_REFUSALS = [
  'MODULE_UNKNOWN',
  'HANDOFF_INVALID',
  'NO_SESSION',
  'CONFLICT',
  'TOO_MANY',
  'BAD_REQUEST',
  'TOO_LARGE',
  'UNSUPPORTED_TYPE',
  'UNAVAILABLE',
] as const satisfies readonly ErrorCode[];
export const redeemHandoffBody = z.strictObject({ token: longText });
export const redeemHandoffData = z.object({
  userId: z.number(),
  userName: z.string(),
  memberName: z.string(),
  language: z.nullable(z.string()),
  email: z.string(),
  roleId: z.number(),
  userRoles: z.array(z.object({ roleId: z.number(), roleKey: z.string() })),
  subtenantId: z.number(),
  appState: z.string(),
  loggedInId: z.string(),
});
