import * as z from 'zod/mini';
import { DELIVERY_REASONS, DELIVERY_STATES } from '#domain/delivery.ts';

/** What became of the messages that carry the visit's newest code. Times are remainders: clocks differ. */
export const deliveryData = z.object({
  id: z.string(),
  messages: z.array(
    z.object({
      channel: z.enum(['email', 'sms', 'whatsapp']),
      state: z.enum(DELIVERY_STATES),
      reason: z.nullable(z.enum(DELIVERY_REASONS)),
      /** Since it was asked for, sent, delivered, or given up. */
      agoMs: z.number(),
      /** The provider will still say whether it arrived. */
      waitsForReceipt: z.boolean(),
    }),
  ),
  /** Media worth trying instead. */
  otherWays: z.array(z.union([z.literal(1), z.literal(2), z.literal(3), z.literal(4)])),
  /** Whether a new code may be asked for before this one's time is over. */
  canAskNow: z.boolean(),
  remainingMs: z.number(),
});
