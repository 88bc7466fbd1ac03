import type { FastifyReply, FastifyRequest } from 'fastify';
import type { AppError } from '../http/app-error.ts';
import { PLAIN_PAGE_POLICY } from '../http/headers.ts';
import { contextOf } from '../http/request-id.ts';
import { requestLanguage } from '../http/request-language.ts';
import { againPage } from './document.ts';

/** Answers a request that got no slot: a browser that opens or sends a page with a page, all others with the envelope. */
export const refuseInCrowd =
  (help: { readonly phone: string; readonly email: string }) =>
  (request: FastifyRequest, reply: FastifyReply, error: AppError): FastifyReply => {
    const { url, headers } = request;
    const isPage = /\btext\/html\b/.test(headers.accept ?? '') && !/^\/api\//i.test(url);
    if (!isPage) throw error;
    const context = contextOf(request);
    if (context) context.refusal = error.code;
    return reply
      .status(error.status)
      .header('retry-after', Math.ceil((error.details.retryAfterMs ?? 0) / 1000))
      .header('content-security-policy', PLAIN_PAGE_POLICY)
      .type('text/html; charset=utf-8')
      .send(againPage('crowded', help, requestLanguage(request)));
  };
