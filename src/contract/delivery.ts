import * as z from 'zod/mini';
import {
  CALL_STATES,
  type CallOffer,
  DELIVERY_REASONS,
  DELIVERY_STATES,
  type Delivery,
} from '#domain/proofs/delivery.ts';
import { exactly } from './exactly.ts';
import { medium } from './schemas.ts';

/** A call with a code, and the last one. */
export const callOffer = exactly<CallOffer>()(
  z.object({ state: z.nullable(z.enum(CALL_STATES)), agoMs: z.number(), againMs: z.number() }),
);

/** The delivery of the messages with the visit's newest code. */
export const deliveryData = exactly<Delivery>()(
  z.object({
    id: z.string(),
    messages: z.array(
      z.object({
        channel: z.enum(['email', 'sms', 'whatsapp']),
        state: z.enum(DELIVERY_STATES),
        reason: z.nullable(z.enum(DELIVERY_REASONS)),
        agoMs: z.number(),
        waitsForReceipt: z.boolean(),
      }),
    ),
    otherWays: z.array(medium),
    canAskNow: z.boolean(),
    call: z.nullable(callOffer),
    remainingMs: z.number(),
  }),
);
