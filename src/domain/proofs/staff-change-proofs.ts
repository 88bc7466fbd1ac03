/** What a person may show for a change that the help desk was asked for, and what it does (decision 206). */

export type ChangeOf = 'email' | 'phone' | 'key' | 'appCode';
/** A code to a contact, or a key or an app code of the account; each there since the sign-up or for 30 days. */
export type ChangeProof = 'password' | 'email' | 'phone' | 'key' | 'appCode';

/** Days for which a way in has to be there, unless it is as old as the account. */
export const OLDER_DAYS = 30;

/**
 * Returns what a proof does: the change takes effect at once, or its 72 hours begin without a second staff member; `null`:
 * nothing. One factor replaces no other: a key or an app code is replaced only by the other of them.
 * @param isStrong the account has a passkey or an app code
 */
export function effectOfProof(
  what: ChangeOf,
  proof: ChangeProof,
  isStrong: boolean,
): 'now' | 'waits' | null {
  if (proof === 'key' || proof === 'appCode') return 'now';
  if (isStrong || what === 'key' || what === 'appCode') return null;
  if (proof === 'password') return 'waits';
  return proof === what ? null : 'now';
}
