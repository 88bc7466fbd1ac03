/** The request context that the provider hands to our own routes (Koa's). */

import type { Provider } from 'oidc-provider';

export type Context = Parameters<Parameters<Provider['use']>[0]>[0];

/** Changes the parameters of a GET. oidc-provider finds its mount path by the address, which has to change as well. */
export function replaceQuery(ctx: Context, query: Context['query']): void {
  const request = ctx.req as { originalUrl?: string };
  const { originalUrl = ctx.url } = request;
  const mountPath = originalUrl.slice(0, originalUrl.length - ctx.url.length);
  ctx.query = query;
  request.originalUrl = `${mountPath}${ctx.url}`;
}
