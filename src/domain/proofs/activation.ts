import { DAY_MS, MINUTE_MS } from '../text/duration.ts';

/** `signUpPlateform` at sign-up, and the platforms that are activated without setting a password (SUP-15, OTP-11). */
export const SIGN_UP_PLATFORM = 1;
const DIRECT_PLATFORMS: readonly number[] = [1, 12];

/** Milliseconds in which a sign-up may be confirmed, by its code or its mailed link. */
export const REGISTRATION_LIFE_MS = DAY_MS;
/** Milliseconds in which a right activation code may activate the account. */
export const ACTIVATION_PROOF_LIFE_MS = 10 * MINUTE_MS;

/** Outcomes of CreateUser. */
export const ACTIVATION_MODES = ['VERIFY_OTP', 'ACTIVATE_USER', 'ROLE_MAPPED'] as const;
export type ActivationMode = (typeof ACTIVATION_MODES)[number];

/** The step after a right activation code (OTP-09..11). */
export type ActivationStep = 'activateWithOldPassword' | 'activate' | 'setPassword';

/** Returns the step after a right activation code. */
export function activationStep(hasAuthAccount: boolean, platform: number): ActivationStep {
  if (hasAuthAccount) return 'activateWithOldPassword';
  return DIRECT_PLATFORMS.includes(platform) ? 'activate' : 'setPassword';
}

/** The academy's free trial in days (SUP-02). */
export const TRIAL_DAYS = 30;
export const TRIAL_MS = TRIAL_DAYS * DAY_MS;
