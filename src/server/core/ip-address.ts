import { isIPv4, isIPv6 } from 'node:net';
import ipaddr from 'ipaddr.js';

const ALL_GROUPS = 8;

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

/**
 * Returns the address in a text of a proxy, which may have a port, brackets, a zone or quotes around it; `null` for no
 * address. An IPv4 address that is mapped into IPv6 is returned as such.
 */
export function readClientAddress(text: string): string | null {
  const bare = text.replaceAll(/^["'\s]+|["'\s]+$/g, '');
  const written = /^\[(.*)\](?::\d*)?$/.exec(bare)?.[1] ?? bare;
  for (const each of [written, written.replace(/:\d*$/, '')]) {
    const address = readAddress(each, ALL_GROUPS);
    if (address) return 'ipv4' in address ? address.ipv4 : ipaddr.parse(address.ipv6).toString();
  }
  return null;
}
