import { randomInt } from 'node:crypto';
import { type Contact, OTP_LENGTH, OTP_MEDIUM } from '#domain/proofs/otp.ts';
import type { SecretBox } from '../../crypto/secret-box.ts';
import type { Otp } from './otp-store.ts';

type Compared = Pick<Otp, 'id' | 'code_hmac' | 'phone_code_hmac'>;

/** Creates the stored form of OTP digits, and their comparison. */
export function createOtpDigits(secretBox: Pick<SecretBox, 'hmac' | 'hmacs' | 'verifyHmac'>) {
  const isStored = ({ id }: Compared, digits: string, hmac: string | null) =>
    hmac !== null && secretBox.verifyHmac('otp', `${id}:${digits}`, hmac);

  return {
    hmacOf: (id: string, digits: string) => secretBox.hmac('otp', `${id}:${digits}`),

    /** Returns six digits for the mail and six others for the phone, which a call says again (decision 183). */
    digitsFor(id: string): Readonly<Record<Contact, string>> {
      const phone = toDigits(secretBox.hmac('otp-phone', id));
      for (;;) {
        const email = String(randomInt(0, 10 ** OTP_LENGTH)).padStart(OTP_LENGTH, '0');
        if (phone !== email) return { email, phone };
      }
    },

    /** Returns the digits of the phone once more; `null` when no configured secret makes them. */
    phoneDigits(otp: Compared): string | null {
      const isRight = (digits: string) =>
        otp.phone_code_hmac === ''
          ? !isStored(otp, digits, otp.code_hmac)
          : isStored(otp, digits, otp.phone_code_hmac);
      return secretBox.hmacs('otp-phone', otp.id).map(toDigits).find(isRight) ?? null;
    },

    /** Returns the contact that these digits prove; `null` when they are wrong. */
    contactRead(otp: Compared, digits: string): Contact | null {
      if (isStored(otp, digits, otp.code_hmac)) return 'email';
      return isStored(otp, digits, otp.phone_code_hmac) ? 'phone' : null;
    },
  };
}

export type OtpDigits = ReturnType<typeof createOtpDigits>;

/** Returns six digits from a keyed hash: of 48 bits, so that none is more likely than another one. */
function toDigits(hmac: string): string {
  const number = Buffer.from(hmac, 'base64url').readUIntBE(0, 6);
  return String(number % 10 ** OTP_LENGTH).padStart(OTP_LENGTH, '0');
}

/**
 * Returns the number of codes that an entered one is compared with. A code that was never sent counts the same as one;
 * an app, with its neighbouring steps, as much as a mail with a text.
 */
export function codeComparisons(otp: Otp): number {
  if (otp.medium === OTP_MEDIUM.app) return 2;
  const live = [otp.code_hmac, otp.phone_code_hmac].filter(Boolean).length;
  return Math.max(1, live);
}
