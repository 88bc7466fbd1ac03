import { isIPv6, SocketAddress } from 'node:net';

const GROUPS = 8;
/** What one home or one device has of IPv6: it can use any address in it. */
const NETWORK_GROUPS = 4;

/** The part of an address that counts for limits (R20): an IPv6 address by its /64, anything else as it is. */
export function toNetwork(text: string): string {
  if (!isIPv6(text)) return text;
  // Written in one way: no zone, lower case, longest run of zeros left out.
  const { address } = new SocketAddress({ address: text.split('%')[0] ?? '', family: 'ipv6' });
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/.exec(address)?.[1];
  if (mapped) return mapped;
  const [head = '', tail] = address.split('::');
  const groups = head.split(':').filter(Boolean);
  const rest = tail?.split(':').filter(Boolean) ?? [];
  const zeros = Array.from({ length: GROUPS - groups.length - rest.length }, () => '0');
  return `${[...groups, ...zeros, ...rest].slice(0, NETWORK_GROUPS).join(':')}::/64`;
}
