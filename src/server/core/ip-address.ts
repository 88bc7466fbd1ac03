import { isIPv4, isIPv6 } from 'node:net';
import ipaddr from 'ipaddr.js';

/**
 * Returns the first groups of an IPv6 address, or the IPv4 address that was given or is mapped into it; `null` for a text
 * that is no address. A zone is left out.
 */
export function readAddress(
  text: string,
  groups: number,
): { readonly ipv4: string } | { readonly ipv6: string } | null {
  const [bare = ''] = text.split('%');
  // Node decides: the library also reads `0x7f.1`.
  if (!isIPv4(bare) && !isIPv6(bare)) return null;
  const address = ipaddr.process(bare);
  return address instanceof ipaddr.IPv6
    ? {
        ipv6: address.parts
          .slice(0, groups)
          .map((part) => part.toString(16))
          .join(':'),
      }
    : { ipv4: address.toString() };
}
