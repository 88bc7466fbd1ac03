/** Telling clients that a session is over (OIDC Back-Channel Logout 1.0). What is sent is made here, who sends it is not. */

import type { Provider } from 'oidc-provider';
import type { LogoutNotice, SignInEvents } from './ports.ts';

const LOGOUT_EVENT = 'http://schemas.openid.net/event/backchannel-logout';

/**
 * The provider would post by itself, once, and forget a receiver that is down. The notice goes to the server's outbox
 * instead, in the moment in which the provider would post.
 */
export function queueLogoutNotices(provider: Provider, events: SignInEvents): void {
  const prototype = provider.Client.prototype as unknown as {
    clientId: string;
    backchannelLogout: (accountId: string, sid: string) => Promise<void>;
  };
  prototype.backchannelLogout = async function queue(accountId, sid) {
    await events.sessionEnded({ accountId, clients: [{ clientId: this.clientId, sid }] });
  };
}

/** The logout token of a notice; made anew for each try, because it lives two minutes. `null`: the client is gone. */
export async function logoutTokenFor(
  provider: Provider,
  { accountId, clientId, sid, jti }: LogoutNotice,
): Promise<string | null> {
  const client = await provider.Client.find(clientId);
  if (!client) return null;
  const token = new provider.IdToken({ sub: accountId }, { client } as never);
  Object.assign(token, { mask: { sub: null } });
  token.set('events', { [LOGOUT_EVENT]: {} });
  token.set('sid', sid);
  token.set('jti', jti);
  return token.issue({ use: 'logout' } as never);
}
