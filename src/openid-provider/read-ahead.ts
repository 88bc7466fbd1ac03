/** Rows that a statement read in addition, kept until the same request asks for them (decision 129). */

import { Provider } from 'oidc-provider';

const ahead = new WeakMap<object, Map<string, unknown>>();

export const claimsKey = (accountId: string) => `claims:${accountId}`;

/** Keeps a row for the current request; does nothing outside of a request. */
export function keepAhead(key: string, what: unknown): void {
  const request = Provider.ctx;
  if (request)
    ahead.set(request, (ahead.get(request) ?? new Map<string, unknown>()).set(key, what));
}

/** Returns and forgets a kept row, because it may change later in the request; `undefined`: it was not read. */
export function takeAhead<T>(key: string): T | undefined {
  const known = Provider.ctx && ahead.get(Provider.ctx);
  const what = known?.get(key);
  known?.delete(key);
  return what as T | undefined;
}
