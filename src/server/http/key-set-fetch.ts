import { isWebAddress } from '../config/client-file.ts';
import { tracedFetch } from './tracing/span.ts';

type Fetch = (input: string | URL | Request, init?: RequestInit) => Promise<Response>;

/**
 * Fetches the keys of a client from its `jwksUri`, and from nowhere that it is pointed to from there. Whoever calls
 * brings a guard against private addresses along; in a demo this machine is allowed all the same.
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
