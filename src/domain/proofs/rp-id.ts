import { isLoopbackHost } from '../hand-off/loopback.ts';

const IP_ADDRESS = /^\[|^\d+(?:\.\d+){3}$/;

/**
 * Returns the domain that passkeys belong to (the RP id of WebAuthn): the exact host of the public address, or the
 * stated parent domain of it. `null`: keys cannot work there, because browsers allow none at an IP address and none
 * without https, this machine excepted.
 */
export function rpIdOf(publicUrl: string, stated?: string): string | null {
  const { hostname, protocol } = new URL(publicUrl);
  if (IP_ADDRESS.test(hostname)) return null;
  if (protocol !== 'https:' && !isLoopbackHost(hostname)) return null;
  return stated ?? hostname;
}

/** Returns whether keys of a domain work at this address: it is the host itself, or a parent of two labels or more. */
export function isRpIdFor(publicUrl: string, rpId: string): boolean {
  const { hostname } = new URL(publicUrl);
  if (IP_ADDRESS.test(hostname)) return false;
  return hostname === rpId || (rpId.includes('.') && hostname.endsWith(`.${rpId}`));
}
