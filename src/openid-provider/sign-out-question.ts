/** Whether the person is asked before a client's request ends their session (OIDC RP-Initiated Logout 2). */

import type { KoaContextWithOIDC } from 'oidc-provider';
import { sendYes, showConfirmLogoutPage } from './pages.ts';
import type { DrawPage } from './options.ts';

const XSRF = /name="xsrf" value="([^"]+)"/;
const ACTION = /action="([^"]+)"/;

/** A client that shows the ID token of this very session may end it; anybody else has to ask. */
function isProven({ oidc }: KoaContextWithOIDC): boolean {
  const hint = oidc.entities.IdTokenHint as
    | { payload?: { sub?: unknown; sid?: unknown } }
    | undefined;
  const { session, client } = oidc;
  if (!hint?.payload || !session || !client) return false;
  const sids = [session.uid, session.sidFor(client.clientId)];
  return hint.payload.sub === session.accountId && sids.includes(hint.payload.sid as string);
}

/** `form` is the provider's own, which carries the one secret that the yes needs. */
export async function askToSignOut(
  ctx: KoaContextWithOIDC,
  form: string,
  drawPage: DrawPage | undefined,
): Promise<void> {
  const state = ctx.oidc.session?.state as { postLogoutRedirectUri?: string } | undefined;
  const target = state?.postLogoutRedirectUri ?? null;
  const [, xsrf = ''] = XSRF.exec(form) ?? [];
  const [, action = ''] = ACTION.exec(form) ?? [];
  if (isProven(ctx)) return sendYes(ctx, { xsrf, action, target });
  const page = await drawPage?.('confirmSignOut', ctx.req, { action, xsrf, target });
  if (!page) return showConfirmLogoutPage(ctx, form, target ?? undefined);
  ctx.type = 'html';
  ctx.set('content-security-policy', page.contentSecurityPolicy);
  ctx.body = page.html;
}
