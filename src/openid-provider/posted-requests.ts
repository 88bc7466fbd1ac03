/**
 * Requests that OpenID Connect lets browsers and clients send as a form, where oidc-provider reads the address or a
 * header.
 */

import { IncomingMessage } from 'node:http';
import type { Context } from './context.ts';
import { readForm } from './request-body.ts';

/** Characters; browsers and proxies take no much longer address. */
const LONGEST_ADDRESS = 8000;

/**
 * Sends a posted authorization or sign-out request on as a GET (OIDC Core 3.1.2.1, RP-Initiated Logout 2). A post from
 * another site comes without our cookies; the GET that follows has them. @throws UnreadableBody
 */
export async function redirectToGet(ctx: Context): Promise<void> {
  const { originalUrl = '' } = ctx.req as { originalUrl?: string };
  const [path = ''] = originalUrl.split('?', 1);
  const query = new URLSearchParams([
    ...new URLSearchParams(ctx.querystring),
    ...(await readForm(ctx.req)),
  ]);
  const target = `${path}?${String(query)}`;
  if (target.length > LONGEST_ADDRESS) {
    ctx.status = 414;
    return;
  }
  ctx.status = 303;
  ctx.set('Location', target);
}

/**
 * Returns the request with the access token of its form as a header (RFC 6750, 2.2), from which tokens of APIs are
 * read. A form that names it twice gets no header, and is refused.
 */
export async function withTokenAsHeader(req: IncomingMessage): Promise<IncomingMessage> {
  const form = await readForm(req).catch(() => new URLSearchParams());
  const [token, ...more] = form.getAll('access_token');
  const copy = new IncomingMessage(req.socket);
  copy.method = req.method;
  copy.url = req.url;
  copy.headers = { ...req.headers };
  delete copy.headers['content-length'];
  delete copy.headers['transfer-encoding'];
  delete copy.headers['content-type'];
  if (token !== undefined && more.length === 0) copy.headers.authorization = `Bearer ${token}`;
  copy.push(null);
  copy.complete = true;
  return copy;
}
