import * as z from 'zod/mini';
import { shortText } from './schemas.ts';

/** The handle of an interaction; the server looks up whether it belongs to the visit. */
export const interactionBody = z.strictObject({ request: shortText });
/** Where the browser goes: back to the hosted login, and from there to the client. */
export const goOnData = z.object({ url: z.string() });

export const consentsData = z.array(
  z.object({ clientId: z.string(), name: z.string(), scopes: z.array(z.string()) }),
);
export const revokeConsentBody = z.strictObject({ clientId: shortText });
