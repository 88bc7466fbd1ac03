import { Secret, TOTP } from 'otpauth';
import { APP_CODE_STEP_SECONDS, APP_CODE_WINDOW } from '#domain/proofs/authenticator.ts';
import { OTP_LENGTH } from '#domain/proofs/otp.ts';

const SECRET_BYTES = 20;

/** SHA-1 and 30 seconds: the only choice that every app knows. */
const SHAPE = { algorithm: 'SHA1', digits: OTP_LENGTH, period: APP_CODE_STEP_SECONDS } as const;

/** Returns a new key of 160 random bits, in base32. */
export const newKey = (): string => new Secret({ size: SECRET_BYTES }).base32;

const totpOf = (key: string) => new TOTP({ ...SHAPE, secret: Secret.fromBase32(key) });

/** Returns the step that a code belongs to, the neighbours of the present one included; `null`: it is wrong. */
export function stepOf(key: string, digits: string, now: Date): number | null {
  const timestamp = now.getTime();
  const delta = totpOf(key).validate({ token: digits, timestamp, window: APP_CODE_WINDOW });
  return delta === null ? null : TOTP.counter({ period: SHAPE.period, timestamp }) + delta;
}

/** Returns the address that an app reads from the picture. */
export const setUpAddress = (key: string, issuer: string, label: string): string =>
  new TOTP({ ...SHAPE, secret: Secret.fromBase32(key), issuer, label }).toString();
