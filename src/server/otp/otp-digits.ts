import { randomInt } from 'node:crypto';
import { type Contact, OTP_LENGTH, OTP_MEDIUM } from '#domain/otp.ts';
import type { SecretBox } from '../crypto/secret-box.ts';
import type { Otp } from './otp-store.ts';

type Compared = Pick<Otp, 'id' | 'code_hmac' | 'phone_code_hmac'>;

/** Creates the stored form of OTP digits, and their comparison. */
export function createOtpDigits(secretBox: Pick<SecretBox, 'hmac' | 'verifyHmac'>) {
  return {
    hmacOf: (id: string, digits: string) => secretBox.hmac('otp', `${id}:${digits}`),

    /**
     * Returns the contact that these digits prove: `unknown` for a row of the previous release, `null` when they are
     * wrong.
     */
    contactRead(otp: Compared, digits: string): Contact | 'unknown' | null {
      const isRight = (hmac: string | null) =>
        hmac !== null && secretBox.verifyHmac('otp', `${otp.id}:${digits}`, hmac);
      if (isRight(otp.code_hmac)) return otp.phone_code_hmac === null ? 'unknown' : 'email';
      return isRight(otp.phone_code_hmac) ? 'phone' : null;
    },
  };
}

export type OtpDigits = ReturnType<typeof createOtpDigits>;

/** Returns six digits for the mail and six others for the text. */
export function differentDigits(): Readonly<Record<Contact, string>> {
  const random = () => String(randomInt(0, 10 ** OTP_LENGTH)).padStart(OTP_LENGTH, '0');
  const email = random();
  for (;;) {
    const phone = random();
    if (phone !== email) return { email, phone };
  }
}

/**
 * Returns the number of codes that an entered one is compared with. A code that was never sent counts the same as one;
 * an app, with its neighbouring steps, as much as a mail with a text.
 */
export function comparisonsOf(otp: Otp): number {
  if (otp.medium === OTP_MEDIUM.app) return 2;
  const live = [otp.code_hmac, otp.phone_code_hmac].filter(Boolean).length;
  return Math.max(1, live);
}
