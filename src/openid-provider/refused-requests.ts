/** Requests whose error cannot be sent to the client: its address may be the error. */

import { firstLetters } from '#domain/text/first-letters.ts';
import type { KoaContextWithOIDC } from 'oidc-provider';
import { errors } from 'oidc-provider';
import type { OpenIdProviderOptions } from './options.ts';
import { showErrorPage } from './pages.ts';

type OAuthError = Partial<errors.OIDCProviderError>;

/** A longer name belongs to no client. */
const LONGEST_NAME = 100;

/**
 * Shows the person that the application made a mistake, with a reference for its operators. The log and the audit log
 * have the cause under the same reference; in a demo the page has it, too.
 */
export async function showRefusal(
  ctx: KoaContextWithOIDC,
  error: Error,
  {
    renderPage,
    log,
    requestId,
    recordRefusal,
    tellsCauses,
  }: Pick<OpenIdProviderOptions, 'log' | 'requestId' | 'recordRefusal' | 'tellsCauses'> & {
    readonly renderPage: Parameters<typeof showErrorPage>[2];
  },
): Promise<void> {
  // Failures of our own are answered where they are logged.
  if (ctx.status >= 500) return;
  // The interaction expired, or belongs to another browser: not the application's mistake.
  if (error instanceof errors.SessionNotFound) {
    return showErrorPage(ctx, ctx.status, renderPage);
  }
  const cause = oauthErrorText(error);
  const reference = requestId(ctx.req);
  const asked = ctx.oidc.params?.client_id;
  const clientId = typeof asked === 'string' ? firstLetters(asked, LONGEST_NAME) : null;
  log.warn(
    { reference, clientId, cause, path: ctx.path },
    'a request of an application was refused',
  );
  // Without the detail, which may repeat the request's text.
  const { error: code = error.name, error_description: description } = error as OAuthError;
  const reason = [code, description].filter(Boolean).join(': ');
  recordRefusal?.({ clientId: ctx.oidc.client?.clientId ?? null, reason });
  await showErrorPage(ctx, ctx.status, renderPage, {
    reference,
    cause: tellsCauses ? cause : null,
  });
}

/** Returns an OAuth error with its description, in the provider's words. */
export function oauthErrorText(error: Error): string {
  const { error: code, error_description: description, error_detail: detail } = error as OAuthError;
  return [code ?? error.message, detail ?? description].filter(Boolean).join(': ');
}
