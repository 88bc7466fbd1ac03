import type { FastifyReply, FastifyRequest } from 'fastify';
import { AppError } from '../http/app-error.ts';
import { isDatabaseAway } from '../db/availability.ts';
import { RETRY_AFTER_SECONDS } from '../http/errors.ts';
import { PLAIN_PAGE_POLICY } from '../http/headers.ts';
import { contextOf, recordFault } from '../http/request-id.ts';
import { requestLanguage } from '../http/request-language.ts';
import { againPage, brokenPage, type Help } from './document.ts';

export function plain(reply: FastifyReply, html: string): FastifyReply {
  return reply
    .header('content-security-policy', PLAIN_PAGE_POLICY)
    .type('text/html; charset=utf-8')
    .send(html);
}

export function lastResort(
  request: FastifyRequest,
  reply: FastifyReply,
  error: unknown,
  help: Help,
): FastifyReply {
  const isAway = isDatabaseAway(error);
  const status = error instanceof AppError ? error.status : isAway ? 503 : 500;
  if (status >= 500) {
    request.log.error({ err: error, reference: request.id }, 'page failed');
    if (!isAway) recordFault(contextOf(request), error);
  }
  if (isAway) reply.header('retry-after', RETRY_AFTER_SECONDS);
  reply.status(status);
  const language = requestLanguage(request);
  if (error instanceof AppError) return plain(reply, againPage('refused', help, language));
  return plain(
    reply,
    isAway ? againPage('away', help, language) : brokenPage(request.id, help, language),
  );
}
