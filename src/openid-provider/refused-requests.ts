/** Requests that are wrong in a way that cannot be told to the client: its address may be what is wrong. */

import type { KoaContextWithOIDC } from 'oidc-provider';
import { errors } from 'oidc-provider';
import type { OpenIdProviderOptions } from './options.ts';
import { showErrorPage } from './pages.ts';

/** Longer names are nobody's. */
const LONGEST_NAME = 100;

/**
 * Tells the person that the application made a mistake, with a reference for those who run it. The log has the cause
 * under the same reference; in a demo the page has it, too.
 */
export async function showRefusal(
  ctx: KoaContextWithOIDC,
  error: Error,
  {
    drawPage,
    log,
    requestId,
    tellsCauses,
  }: Pick<OpenIdProviderOptions, 'log' | 'requestId' | 'tellsCauses'> & {
    readonly drawPage: Parameters<typeof showErrorPage>[2];
  },
): Promise<void> {
  // Its time was over, or the browser is another one: nobody's mistake. Failures of our own are logged elsewhere.
  if (error instanceof errors.SessionNotFound || ctx.status >= 500) {
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
  await showErrorPage(ctx, ctx.status, drawPage, { reference, cause: tellsCauses ? cause : null });
}

/** An OAuth error with what there is to say about it, in the provider's words. */
export function causeOf(error: Error): string {
  const {
    error: code,
    error_description: description,
    error_detail: detail,
  } = error as Partial<errors.OIDCProviderError>;
  return [code ?? error.message, detail ?? description].filter(Boolean).join(': ');
}
