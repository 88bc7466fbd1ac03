/** What one statement read beside what it was asked for, until the same request asks for it too (decision 129). */

import { Provider } from 'oidc-provider';

const ahead = new WeakMap<object, Map<string, unknown>>();

export const claimsKey = (accountId: string) => `claims:${accountId}`;

/** Outside of a request it is forgotten at once. */
export function keepAhead(key: string, what: unknown): void {
  const request = Provider.ctx;
  if (request)
    ahead.set(request, (ahead.get(request) ?? new Map<string, unknown>()).set(key, what));
}

/** Each is looked at once: later in the request it may have changed. `undefined`: it was not read. */
export function takeAhead<T>(key: string): T | undefined {
  const known = Provider.ctx && ahead.get(Provider.ctx);
  const what = known?.get(key);
  known?.delete(key);
  return what as T | undefined;
}
