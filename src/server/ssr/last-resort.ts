import type { FastifyReply, FastifyRequest } from 'fastify';
import { AppError } from '../http/app-error.ts';
import { isDatabaseAway } from '../db/availability.ts';
import { RETRY_AFTER_SECONDS } from '../http/errors.ts';
import { PLAIN_PAGE_POLICY } from '../http/headers.ts';
import { requestContext, recordFault } from '../http/request-id.ts';
import { requestLanguage } from '../http/request-language.ts';
import { againPage, brokenPage, type Help } from './document.ts';

export function plain(reply: FastifyReply, html: string): FastifyReply {
  return reply
    .header('content-security-policy', PLAIN_PAGE_POLICY)
    .type('text/html; charset=utf-8')
    .send(html);
}

/** Returns why the same address again is the way on; `null`: the fault is ours. */
function againCause(error: unknown): Parameters<typeof againPage>[0] | null {
  if (isDatabaseAway(error)) return 'away';
  if (!(error instanceof AppError)) return null;
  if (error.code !== 'UNAVAILABLE') return 'refused';
  return error.details.limit === undefined ? 'away' : 'crowded';
}

/** Answers a browser that opens or sends a page, where no page could be drawn. */
export function lastResort(
  request: FastifyRequest,
  reply: FastifyReply,
  error: unknown,
  help: Help,
): FastifyReply {
  const { code = null, details = {} } = error instanceof AppError ? error : {};
  const cause = againCause(error);
  const status = error instanceof AppError ? error.status : cause === null ? 500 : 503;
  const context = requestContext(request);
  if (cause === null) recordFault(context, error);
  if (context && code === 'UNAVAILABLE') context.refusal = code;
  // A limit logs its own refusals, once for many.
  if (status >= 500 && cause !== 'crowded') {
    request.log.error({ err: error, reference: request.id }, 'page failed');
  }
  if (status === 503) {
    const { retryAfterMs = RETRY_AFTER_SECONDS * 1000 } = details;
    reply.header('retry-after', Math.ceil(retryAfterMs / 1000));
  }
  reply.status(status);
  const language = requestLanguage(request);
  const html =
    cause === null ? brokenPage(request.id, help, language) : againPage(cause, help, language);
  return plain(reply, html);
}
