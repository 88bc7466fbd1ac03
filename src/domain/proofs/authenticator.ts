/** Codes from an authenticator app (RFC 6238), and the recovery codes beside them: the numbers, and how they are read. */

import { digitsOf } from '../typed/digits.ts';
import { OTP_LENGTH, OTP_MEDIUM, type OtpEntryProblem, otpEntryProblem } from './otp.ts';
import { MINUTE_MS } from '../text/duration.ts';

/** A code of the neighbouring steps counts too: clocks of phones differ. */
export const APP_CODE_WINDOW = 1;
export const APP_CODE_STEP_SECONDS = 30;
/** Milliseconds in which a key that was shown has to be confirmed by a code. */
export const APP_CODE_SET_UP_MS = 30 * MINUTE_MS;

export const RECOVERY_CODES = 10;
/** No recovery code begins with 0, so that a number on the wire has all its digits. */
const RECOVERY_CODE = /^[1-9]\d{11}$/;

/** Returns the digits of a typed recovery code, however it was grouped. */
export const recoveryDigits = digitsOf;

export const isRecoveryCode = (digits: string): boolean => RECOVERY_CODE.test(digits);

/** Returns a key or a code in groups of four, as people read it out. */
export const inGroups = (text: string): string => text.replace(/(.{4})(?=.)/g, '$1 ');

/** Returns the problem of an entered code before it is sent: an app is asked for its six digits or a recovery code. */
export function entryProblem(medium: number, digits: string): OtpEntryProblem | null {
  return medium === OTP_MEDIUM.app && isRecoveryCode(digits) ? null : otpEntryProblem(digits);
}

/** Reads a code from the wire: six digits, with leading zeros restored, or a recovery code. */
export function readAppCode(
  typed: number | string,
): { readonly kind: 'app' | 'recovery'; readonly digits: string } | null {
  const digits = recoveryDigits(String(typed));
  if (isRecoveryCode(digits)) return { kind: 'recovery', digits };
  if (digits === '' || digits.length > OTP_LENGTH) return null;
  return { kind: 'app', digits: digits.padStart(OTP_LENGTH, '0') };
}
