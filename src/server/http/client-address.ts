import type { IncomingMessage } from 'node:http';
import proxyAddr from '@fastify/proxy-addr';
import { readClientAddress } from '../core/ip-address.ts';

const HEADER = 'x-forwarded-for';

/**
 * Reads the client's address of each request once (R20): X-Forwarded-For then has that address alone, from which Fastify
 * makes `request.ip`. A text of a trusted proxy that is no address counts as the proxy's own address.
 * @param warn is called for the first such text
 */
export function createClientAddresses(trustedProxies: readonly string[], warn: () => void) {
  const isTrusted = proxyAddr.compile([...trustedProxies]);
  let isWarned = false;
  return (request: IncomingMessage): void => {
    if (request.headers[HEADER] === undefined) return;
    // From the server outwards, up to the first address that is no trusted proxy's.
    const hops = proxyAddr
      .all(request, (hop, place) => isTrusted(readClientAddress(hop) ?? '', place))
      .map((hop) => readClientAddress(hop ?? ''));
    const client = hops.at(-1) ?? null;
    if (client === null && hops.length > 1 && !isWarned) {
      isWarned = true;
      warn();
    }
    // Its presence tells the metrics that a proxy forwarded the request.
    request.headers[HEADER] = client ?? hops.at(-2) ?? '';
  };
}
