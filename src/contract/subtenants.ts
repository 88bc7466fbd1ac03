import * as z from 'zod/mini';
import { subtenantId } from './schemas.ts';

export const subtenantBody = z.strictObject({
  subtenantId,
  isActive: z.optional(z.nullable(z.boolean())),
});
/** One entry: `data[0]` (DAT-09). Name and accent are ours. */
export const subtenantData = z.array(
  z.object({
    subtenantId: z.number(),
    subtenantLogoUrl: z.string(),
    subtenantName: z.string(),
    accent: z.nullable(z.string()),
  }),
);
