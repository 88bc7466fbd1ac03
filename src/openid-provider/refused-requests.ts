/** Requests that are wrong in a way that cannot be told to the client: its address may be what is wrong. */

import type { KoaContextWithOIDC } from 'oidc-provider';
import { errors } from 'oidc-provider';
import type { OpenIdProviderOptions } from './options.ts';
import { showErrorPage } from './pages.ts';

type OAuthError = Partial<errors.OIDCProviderError>;

/** Longer names are nobody's. */
const LONGEST_NAME = 100;

/**
 * Tells the person that the application made a mistake, with a reference for those who run it. The log and the audit log
 * have the cause under the same reference; in a demo the page has it, too.
 */
export async function showRefusal(
  ctx: KoaContextWithOIDC,
  error: Error,
  {
    drawPage,
    log,
    requestId,
    noteRefusal,
    tellsCauses,
  }: Pick<OpenIdProviderOptions, 'log' | 'requestId' | 'noteRefusal' | 'tellsCauses'> & {
    readonly drawPage: Parameters<typeof showErrorPage>[2];
  },
): Promise<void> {
  // Failures of our own are answered where they are logged.
  if (ctx.status >= 500) return;
  // Its time was over, or the browser is another one: nobody's mistake.
  if (error instanceof errors.SessionNotFound) {
    return showErrorPage(ctx, ctx.status, drawPage);
  }
  const cause = causeOf(error);
  const reference = requestId(ctx.req);
  const asked = ctx.oidc.params?.client_id;
  const clientId = typeof asked === 'string' ? asked.slice(0, LONGEST_NAME) : null;
  log.warn(
    { reference, clientId, cause, path: ctx.path },
    'a request of an application was refused',
  );
  // Without the detail, which may repeat what was sent.
  const { error: code = error.name, error_description: description } = error as OAuthError;
  const reason = [code, description].filter(Boolean).join(': ');
  noteRefusal?.({ clientId: ctx.oidc.client?.clientId ?? null, reason });
  await showErrorPage(ctx, ctx.status, drawPage, { reference, cause: tellsCauses ? cause : null });
}

/** An OAuth error with what there is to say about it, in the provider's words. */
export function causeOf(error: Error): string {
  const { error: code, error_description: description, error_detail: detail } = error as OAuthError;
  return [code ?? error.message, detail ?? description].filter(Boolean).join(': ');
}
