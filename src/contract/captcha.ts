import * as z from 'zod/mini';

/** The purposes of a captcha; a solution for one purpose is not valid for another. */
export const CAPTCHA_PURPOSES = ['signIn', 'signUp', 'forgotPassword', 'resetPassword'] as const;
export type CaptchaPurpose = (typeof CAPTCHA_PURPOSES)[number];

export const challengeBody = z.strictObject({ purpose: z.enum(CAPTCHA_PURPOSES) });

const hex = z.string().check(z.regex(/^[0-9a-f]{2,128}$/));

/** A challenge of ALTCHA's second version, signed: every field goes back as it came. */
export const challengeData = z.strictObject({
  parameters: z.strictObject({
    algorithm: z.literal('PBKDF2/SHA-256'),
    cost: z.number(),
    data: z.strictObject({ purpose: z.string(), until: z.number(), visit: z.string() }),
    keyLength: z.number(),
    keyPrefix: hex,
    keySignature: hex,
    nonce: hex,
    salt: hex,
  }),
  signature: hex,
});

/** The value of the header, base64url of JSON. */
export const solvedChallenge = z.strictObject({
  challenge: challengeData,
  solution: z.object({ counter: z.number(), derivedKey: hex }),
});
