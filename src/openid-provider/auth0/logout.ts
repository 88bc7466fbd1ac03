/** GET /v2/logout: Auth0's sign-out address (IDP-05). */

import type { ClientDirectory } from '../clients.ts';
import type { Context } from '../context.ts';
import { showLogoutTargetPage, showSignedOutPage } from '../pages.ts';
import type { SignInEvents } from '../ports.ts';
import { type ProviderSessions, notifySignedOut } from '../sessions.ts';

/**
 * Returns the origin of a sign-out request. An image, a frame or a prefetch ends no session; after a link on another
 * site the person has to confirm (security D12). Browsers without Sec-Fetch headers get Auth0's behaviour.
 */
function askedBy(ctx: Context): 'person' | 'otherSite' | 'page' {
  const destination = ctx.get('Sec-Fetch-Dest');
  if ((destination && destination !== 'document') || ctx.get('Sec-Purpose').includes('prefetch'))
    return 'page';
  return ctx.get('Sec-Fetch-Site') === 'cross-site' ? 'otherSite' : 'person';
}

/** Creates the handler of /v2/logout. */
export function createLogout(
  clients: ClientDirectory,
  sessions: ProviderSessions,
  events: SignInEvents,
  confirmUrl: string,
): (ctx: Context) => Promise<void> {
  return async (ctx) => {
    const { client_id: clientId, returnTo } = ctx.query;
    const targets = await clients.logoutTargets(clientId);
    // Exact comparison with the list: never an open redirect (ASVS 10.4.1).
    if (returnTo !== undefined && !targets.some((target) => target === returnTo)) {
      return showLogoutTargetPage(ctx);
    }
    const target = typeof returnTo === 'string' ? returnTo : targets[0];
    const asked = askedBy(ctx);
    if (asked === 'page') {
      ctx.status = 204;
      return;
    }
    if (asked === 'otherSite') {
      const params = new URLSearchParams();
      if (typeof clientId === 'string') params.set('client_id', clientId);
      if (target && typeof clientId === 'string') params.set('post_logout_redirect_uri', target);
      ctx.redirect(`${confirmUrl}?${params.toString()}`);
      return;
    }
    await sessions.endInBrowser(ctx);
    await notifySignedOut(ctx, events);
    if (target) ctx.redirect(target);
    else showSignedOutPage(ctx);
  };
}
