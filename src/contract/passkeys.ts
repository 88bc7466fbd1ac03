import * as z from 'zod/mini';
import { REPORTED_OUTCOMES } from '#domain/proofs/passkeys.ts';
import { ENTRANCES } from '#domain/people/role-routing.ts';

/** Binary values of WebAuthn, as its JSON forms have them. */
const bytes = z.string().check(z.regex(/^[\w-]*$/), z.maxLength(20_000));
const credentialId = z.string().check(z.regex(/^[\w-]+$/), z.maxLength(1400));
const word = z.string().check(z.maxLength(100));

const credential = {
  id: credentialId,
  rawId: credentialId,
  type: z.literal('public-key'),
  authenticatorAttachment: z.optional(z.nullable(word)),
};

/** The answer of a device that used a key: AuthenticationResponseJSON of WebAuthn Level 3, without extensions. */
const assertion = z.strictObject({
  ...credential,
  response: z.strictObject({
    authenticatorData: bytes,
    clientDataJSON: bytes,
    signature: bytes,
    userHandle: z.optional(z.nullable(bytes)),
  }),
});
export type KeyAssertion = z.infer<typeof assertion>;

/** The answer of a device that made a key (RegistrationResponseJSON). */
const creation = z.strictObject({
  ...credential,
  response: z.strictObject({
    attestationObject: bytes,
    clientDataJSON: bytes,
    transports: z.optional(z.array(word)),
    publicKeyAlgorithm: z.optional(z.number()),
    publicKey: z.optional(bytes),
    authenticatorData: z.optional(bytes),
  }),
});
export type KeyCreation = z.infer<typeof creation>;

export const keyRequestBody = z.strictObject({ use: z.enum(['signIn', 'stepUp']) });
/** PublicKeyCredentialRequestOptionsJSON, and ...CreationOptionsJSON: the browser's own forms. */
export const keyOptionsData = z.record(z.string(), z.unknown());
export const signInWithKeyBody = z.strictObject({
  answer: assertion,
  entrance: z.enum(ENTRANCES),
});
/** `forgets`: the key is unknown for certain, and the device may forget it. */
export const signInWithKeyData = z.object({
  outcome: z.enum(['signedIn', 'unknown', 'codeFirst', 'refused']),
  forgets: z.boolean(),
});
export const stepUpWithKeyBody = z.strictObject({ answer: assertion });
export const stepUpWithKeyData = z.object({ isFresh: z.boolean() });
export const keyCreationBody = z.strictObject({ isByItself: z.boolean() });
export const saveKeyBody = z.strictObject({ answer: creation });
export const saveKeyData = z.object({ name: z.string() });
export const keyOfferBody = z.strictObject({ outcome: z.enum(REPORTED_OUTCOMES) });
