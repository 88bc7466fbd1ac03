import { isWebAddress } from '../config/client-file.ts';

export type Fetch = (url: string, init: object) => Promise<Response>;

/**
 * Notifies an application or a module that a session has ended (OIDC Back-Channel Logout 1.0, 2.5).
 * @throws Error when the address may not be called, or its answer is not 200 or 204
 */
export async function postLogoutToken(
  uri: string,
  token: string,
  {
    fetch,
    isDemo,
    timeoutMs,
  }: { readonly fetch: Fetch; readonly isDemo: boolean; readonly timeoutMs: number },
): Promise<void> {
  if (!isWebAddress(uri, { isDemo })) throw new Error('The address is not one that may be called');
  const response = await fetch(uri, {
    method: 'POST',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body: new URLSearchParams({ logout_token: token }).toString(),
    // Calls the registered address only.
    redirect: 'manual',
    signal: AbortSignal.timeout(timeoutMs),
  });
  await response.body?.cancel();
  if (response.status !== 200 && response.status !== 204) {
    throw new Error(`The receiver answered ${response.status}`);
  }
}
