import { readAddress } from '../core/ip-address.ts';

const KEPT_GROUPS = 3;

/**
 * Returns the part of an IP address that is kept in the long run (R50): IPv4 by its /24, IPv6 by its /48; `null` for a
 * text that is no address. The audit log's verification compares these texts: their format never changes.
 */
export function shortAddress(text: string | null): string | null {
  const address = text === null ? null : readAddress(text, KEPT_GROUPS);
  if (!address) return null;
  return 'ipv4' in address ? address.ipv4.replace(/\d+$/, '0/24') : `${address.ipv6}::/48`;
}
