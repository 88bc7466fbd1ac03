import { mayUse } from './grants.ts';
import type { OAuthClient } from './client-port.ts';

/**
 * Returns whether a client accepts a sign-in with these factors. All accept password and code, and a saved key; only
 * clients with passwordless sign-in accept a code alone, so that it does not replace the password for the others.
 */
export function acceptsSignIn(
  client: OAuthClient | undefined,
  amr: readonly string[] | undefined,
): boolean {
  if (!hasSecondFactor(amr)) return false;
  return (
    amr?.some((factor) => factor === 'pwd' || factor === 'mfa') || mayUse(client, 'passwordless')
  );
}

/** RFC 8176: `otp` stands for the verified one-time code, `mfa` for the verified saved key, which is both steps. */
export function hasSecondFactor(amr: readonly string[] | undefined): boolean {
  return Array.isArray(amr) && (amr.includes('otp') || amr.includes('mfa'));
}
