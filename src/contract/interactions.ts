import * as z from 'zod/mini';
import { shortText } from './schemas.ts';

/** Names one request of the visit's own; which one it is, and whether it is its own, the server looks up. */
export const requestBody = z.strictObject({ request: shortText });
/** Where the browser goes: back to the hosted login, and from there to the application. */
export const goOnData = z.object({ url: z.string() });

export const consentsData = z.array(
  z.object({ clientId: z.string(), name: z.string(), scopes: z.array(z.string()) }),
);
export const revokeConsentBody = z.strictObject({ clientId: shortText });
