import { readAddress } from '../core/ip-address.ts';

/** Groups of a /64, the network of one home or device, which can use any address in it. */
const NETWORK_GROUPS = 4;

/** Returns the part of an address that limits count by (R20), IPv6 by its /64; `''`, one for all, for no address. */
export function toNetwork(text: string): string {
  const address = readAddress(text, NETWORK_GROUPS);
  if (!address) return '';
  return 'ipv4' in address ? address.ipv4 : `${address.ipv6}::/64`;
}
