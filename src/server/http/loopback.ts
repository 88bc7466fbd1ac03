import type { Server } from 'node:http';

type LoopbackFetch = (input: string | URL | Request, init?: object) => Promise<Response>;

/** Node asks the resolver, and not every resolver knows that all names under `localhost` are this machine (RFC 6761, 6.3). */
function reachable(target: URL): URL {
  if (target.hostname.endsWith('.localhost')) target.hostname = 'localhost';
  return target;
}

/** For everything that is not ourselves, also where it shares our origin behind a proxy. */
export const fetchOther: LoopbackFetch = (input, init) =>
  fetch(reachable(new URL(input instanceof Request ? input.url : input)), init);

/** Our own calls to ourselves stay on this machine, whatever name the world knows us by. */
export function createLoopbackFetch(server: Server, publicUrl: string): LoopbackFetch {
  const { origin } = new URL(publicUrl);
  return (input, init) => {
    const target = new URL(input instanceof Request ? input.url : input);
    const address = server.address();
    if (target.origin !== origin || !address || typeof address === 'string') {
      return fetchOther(target, init);
    }
    const host = address.family === 'IPv6' ? `[${address.address}]` : address.address;
    const isEveryAddress = host === '0.0.0.0' || host === '[::]';
    const local = isEveryAddress ? '127.0.0.1' : host;
    return fetch(`http://${local}:${address.port}${target.pathname}${target.search}`, init);
  };
}
