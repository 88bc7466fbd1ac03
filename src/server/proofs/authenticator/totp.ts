import { Secret, TOTP } from 'otpauth';
import { APP_CODE_STEP_SECONDS, APP_CODE_WINDOW } from '#domain/proofs/authenticator.ts';
import { OTP_LENGTH } from '#domain/proofs/otp.ts';

const SECRET_BYTES = 20;

/** SHA-1 and 30 seconds: the only choice that every app knows. */
const SHAPE = { algorithm: 'SHA1', digits: OTP_LENGTH, period: APP_CODE_STEP_SECONDS } as const;

/** Returns a new key of 160 random bits, in base32. */
export const newKey = (): string => new Secret({ size: SECRET_BYTES }).base32;

const totpOf = (key: string) => new TOTP({ ...SHAPE, secret: Secret.fromBase32(key) });

/** Steps before and after the present one in which a code shows that a clock is wrong: two minutes. */
const CLOCK_WINDOW = 4;

/**
 * Returns the step that a code belongs to, and whether it is right now: of the present step or its neighbours. `null`:
 * it is of no step of these minutes.
 */
export function codeStep(
  key: string,
  digits: string,
  now: Date,
): { readonly step: number; readonly isNow: boolean } | null {
  const timestamp = now.getTime();
  const deltaIn = (window: number) => totpOf(key).validate({ token: digits, timestamp, window });
  const nearest = deltaIn(APP_CODE_WINDOW);
  const delta = nearest ?? deltaIn(CLOCK_WINDOW);
  if (delta === null) return null;
  const step = TOTP.counter({ period: SHAPE.period, timestamp }) + delta;
  return { step, isNow: nearest !== null };
}

/** Returns the address that an app reads from the picture. */
export const setUpAddress = (key: string, issuer: string, label: string): string =>
  new TOTP({ ...SHAPE, secret: Secret.fromBase32(key), issuer, label }).toString();
