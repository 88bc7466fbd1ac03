import * as z from 'zod/mini';
import type { Delivery } from '#domain/proofs/delivery.ts';
import { OTP_TYPES } from '#domain/proofs/otp.ts';
import { ENTRANCES } from '#domain/people/role-routing.ts';
import { INTERACTION_QUERY } from '#domain/flow/screens.ts';
import {
  type ActivationProof,
  INTERACTION_STEPS,
  OTP_MODES,
  SIGN_IN_STAGES,
  type VisitState,
} from '#domain/flow/visit.ts';
import { deliveryData } from './delivery.ts';
import { exactly } from './exactly.ts';
import { medium, shortText } from './schemas.ts';
import { userRole } from './sessions.ts';

const entrance = z.enum(ENTRANCES);

const pendingOtp = z.object({
  id: z.string(),
  userId: z.number(),
  registrationId: z.nullable(z.string()),
  signUpPlatform: z.number(),
  email: z.nullable(z.string()),
  otpType: z.enum(OTP_TYPES),
  mode: z.enum(OTP_MODES),
  entrance,
  medium,
  sentTo: z.object({ email: z.nullable(z.string()), phone: z.nullable(z.string()) }),
  remainingMs: z.number(),
  canExtend: z.boolean(),
});

/** The proof by a right activation code, or by the button of a mailed link. */
export const activationProof = exactly<ActivationProof>()(
  z.object({
    otpId: z.string(),
    userId: z.number(),
    registrationId: z.nullable(z.string()),
    signUpPlatform: z.number(),
    email: z.nullable(z.string()),
  }),
);

/** The interaction as the address names it: which OAuth client's request this tab is about. */
export const visitQuery = z.object({ [INTERACTION_QUERY]: z.optional(shortText) });

/** The state of the visit, and the delivery of the messages with its code. */
export const visitData = exactly<VisitState & { readonly delivery: Delivery | null }>()(
  z.object({
    subtenantId: z.nullable(z.number()),
    code: z.nullable(pendingOtp),
    signIn: z.nullable(
      z.object({ stage: z.enum(SIGN_IN_STAGES), entrance, email: z.nullable(z.string()) }),
    ),
    login: z.nullable(
      z.object({
        appState: z.string(),
        loggedInUserId: z.number(),
        signInId: z.string(),
        userName: z.string(),
        memberName: z.string(),
        roles: z.array(userRole),
      }),
    ),
    hasTimedOut: z.boolean(),
    proof: z.nullable(activationProof),
    activated: z.nullable(z.string()),
    isActivatedByPhone: z.boolean(),
    client: z.nullable(
      z.object({
        id: z.string(),
        step: z.enum([...INTERACTION_STEPS, 'over']),
        clientName: z.string(),
        scopes: z.array(z.string()),
        loginHint: z.nullable(z.string()),
        startUrl: z.nullable(z.string()),
      }),
    ),
    delivery: z.nullable(deliveryData),
  }),
);
