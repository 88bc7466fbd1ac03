import { ACR } from './acr.ts';
import { mayUse } from './grants.ts';
import type { OAuthClient } from './client-port.ts';

/**
 * Returns whether a client accepts a sign-in with these factors. All accept password and code, and a passkey; also an
 * organisation's sign-in, unless their entry refuses it. Only clients with passwordless sign-in accept a code alone, so
 * that it does not replace the password for the others.
 */
export function acceptsSignIn(
  client: OAuthClient | undefined,
  amr: readonly string[] | undefined,
  acr?: string,
): boolean {
  // Its code is the second step of an organisation's sign-in, never a passwordless one.
  if (amr?.includes('fed')) return isByOrganisation(amr, acr) && client?.organisation !== false;
  if (isByKey(amr)) return true;
  if (!amr?.includes('otp')) return false;
  return amr.includes('pwd') || mayUse(client, 'passwordless');
}

/** RFC 8176: `otp` stands for the verified one-time code. A passkey is both steps; so may an organisation's sign-in be. */
export function hasSecondFactor(amr: readonly string[] | undefined, acr?: string): boolean {
  return Array.isArray(amr) && (amr.includes('otp') || isByKey(amr) || isByOrganisation(amr, acr));
}

/**
 * Returns whether an organisation's sign-in is complete. `fed` alone is its answer, to which our code may be missing: the
 * `acr` says that both steps were done.
 */
export const isByOrganisation = (
  amr: readonly string[] | undefined,
  acr: string | undefined,
): boolean => Array.isArray(amr) && amr.includes('fed') && acr === ACR.organisation;

/** The factors of a passkey: it was present, its user was verified, and so it is both. `mfa` alone is no proof. */
const KEY_FACTORS = ['pop', 'user', 'mfa'] as const;

const isByKey = (amr: readonly string[] | undefined): boolean =>
  Array.isArray(amr) && KEY_FACTORS.every((factor) => amr.includes(factor));
