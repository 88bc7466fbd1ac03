import * as z from 'zod/mini';
import { DELIVERY_REASONS, DELIVERY_STATES, type Delivery } from '#domain/delivery.ts';
import { exactly } from './exactly.ts';
import { medium } from './schemas.ts';

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
    remainingMs: z.number(),
  }),
);
