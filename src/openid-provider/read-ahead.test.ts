import { Provider } from 'oidc-provider';
import { afterEach, expect, test, vi } from 'vitest';
import { keepAhead, takeAhead } from './read-ahead.ts';

/** Goes on as part of a request, which the provider's library tells. */
const goOnAs = (request: object | undefined) =>
  vi.spyOn(Provider, 'ctx', 'get').mockReturnValue(request as never);
afterEach(() => vi.restoreAllMocks());

test('[PRF-10] what was read ahead is looked at once: an account that has ended is not one that was not read', () => {
  goOnAs({});
  expect(takeAhead('account')).toBeUndefined();
  keepAhead('account', null);
  expect(takeAhead('account')).toBeNull();
  expect(takeAhead('account')).toBeUndefined();
});

test('[PRF-10] one request never sees what another one read', () => {
  const first = {};
  goOnAs(first);
  keepAhead('account', 'of the first');
  goOnAs({});
  expect(takeAhead('account')).toBeUndefined();
  goOnAs(undefined);
  keepAhead('account', 'of nobody');
  expect(takeAhead('account')).toBeUndefined();
  goOnAs(first);
  expect(takeAhead('account')).toBe('of the first');
});
