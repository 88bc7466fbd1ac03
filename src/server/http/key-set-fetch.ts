import { isWebAddress } from '../config/client-file.ts';
import { tracedFetch } from './tracing/span.ts';

type Fetch = (input: string | URL | Request, init?: RequestInit) => Promise<Response>;

/**
 * Creates the fetch of a client's keys from its `jwksUri`, without following redirects. The caller adds a guard against
 * private addresses; a demo allows this machine.
 */
export function createKeySetFetch({ isDemo }: { readonly isDemo: boolean }): Fetch {
  return (input, init = {}) => {
    const url = new URL(input instanceof Request ? input.url : input);
    const isHere = url.protocol === 'http:' && isWebAddress(url.href, { isDemo });
    const { dispatcher, ...rest } = init as RequestInit & { readonly dispatcher?: unknown };
    const guard = isHere ? {} : { dispatcher };
    return tracedFetch(url, { ...rest, ...guard, redirect: 'error' } as RequestInit);
  };
}
