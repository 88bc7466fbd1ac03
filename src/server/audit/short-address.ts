import { isIPv4, isIPv6, SocketAddress } from 'node:net';

const GROUPS = 8;
const KEPT_GROUPS = 3;

/**
 * What is kept of an address in the long run (R50): IPv4 by its /24, IPv6 by its /48. `null` for what is no address.
 */
export function shortAddress(text: string | null): string | null {
  if (text === null) return null;
  const [bare = ''] = text.split('%');
  if (isIPv4(bare)) return shortIPv4(bare);
  if (!isIPv6(bare)) return null;
  // Written in one way: lower case, longest run of zeros left out.
  const { address } = new SocketAddress({ address: bare, family: 'ipv6' });
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/.exec(address)?.[1];
  if (mapped) return shortIPv4(mapped);
  const [head = '', tail] = address.split('::');
  const groups = head.split(':').filter(Boolean);
  const rest = tail?.split(':').filter(Boolean) ?? [];
  const zeros = Array.from({ length: GROUPS - groups.length - rest.length }, () => '0');
  return `${[...groups, ...zeros, ...rest].slice(0, KEPT_GROUPS).join(':')}::/48`;
}

const shortIPv4 = (address: string) => address.replace(/\d+$/, '0/24');
