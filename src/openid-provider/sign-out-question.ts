/** Decides whether the person has to confirm a client's request to end the session (OIDC RP-Initiated Logout 2). */

import type { KoaContextWithOIDC } from 'oidc-provider';
import { sendDrawn, sendYes, showConfirmLogoutPage } from './pages.ts';
import type { DrawPage } from './options.ts';
import { signOutFormOf } from './provider-patches.ts';

/** Returns whether the client has shown the ID token of this very session; then no confirmation is needed. */
function isProven({ oidc }: KoaContextWithOIDC): boolean {
  const { session, client, entities } = oidc;
  const { payload } = (entities.IdTokenHint ?? {}) as {
    payload?: { sub?: unknown; sid?: unknown };
  };
  if (!payload || !session || !client) return false;
  const sids = [session.uid, session.sidFor(client.clientId)];
  return payload.sub === session.accountId && sids.includes(payload.sid as string);
}

/**
 * Answers the first step of a sign-out: asks the person, or confirms at once for a client that has proven the session.
 */
export async function askToSignOut(ctx: KoaContextWithOIDC, renderPage: DrawPage): Promise<void> {
  const form = signOutFormOf(ctx);
  if (isProven(ctx)) return sendYes(ctx, form);
  const page = await renderPage('confirmSignOut', ctx.req, { form });
  if (!page) return showConfirmLogoutPage(ctx, form);
  sendDrawn(ctx, page);
}
