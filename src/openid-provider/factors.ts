import { mayUse } from './grants.ts';
import type { OAuthClient } from './ports.ts';

/**
 * Who may use a sign-in: with password and code everybody; with a code alone only a client that the operator gave
 * passwordless sign-in, so that it is no way around the password for all others.
 */
export function acceptsSignIn(
  client: OAuthClient | undefined,
  amr: readonly string[] | undefined,
): boolean {
  if (!hasSecondFactor(amr)) return false;
  return (amr?.includes('pwd') ?? false) || mayUse(client, 'passwordless');
}

/** RFC 8176: `otp` stands for the verified one-time code. */
export function hasSecondFactor(amr: readonly string[] | undefined): boolean {
  return Array.isArray(amr) && amr.includes('otp');
}
