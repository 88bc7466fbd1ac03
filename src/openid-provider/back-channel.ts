/** Logout notices to clients of an ended session (OIDC Back-Channel Logout 1.0). The server's outbox sends them. */

import type { Provider } from 'oidc-provider';
import { LOGOUT_EVENT } from '#domain/hand-off/logout-token.ts';
import type { LogoutNotice } from './ports.ts';
import { issueLogoutToken } from './provider-patches.ts';

/**
 * Issues the logout token of a notice, anew for each attempt because it is valid for two minutes; `null` for an unknown
 * client.
 */
export async function logoutTokenFor(
  provider: Provider,
  { accountId, clientId, sid, jti }: LogoutNotice,
): Promise<string | null> {
  const client = await provider.Client.find(clientId);
  if (!client) return null;
  return issueLogoutToken(provider, client, accountId, {
    events: { [LOGOUT_EVENT]: {} },
    sid,
    jti,
  });
}
