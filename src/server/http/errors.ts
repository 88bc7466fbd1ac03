import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Envelope } from '#contract/envelope.ts';
import type { ErrorCode } from '#contract/errors.ts';
import { fill } from '#locales/fill.ts';
import { refusals } from '#texts/refusals.ts';
import { isDatabaseAway } from '../db/availability.ts';
import { AppError } from './app-error.ts';
import { requestContext, recordFault, REQUEST_ID_HEADER } from './request-id.ts';

/** Fastify's own refusals, in our codes. */
const FASTIFY_CODES: Readonly<Record<string, ErrorCode>> = {
  FST_ERR_CTP_BODY_TOO_LARGE: 'TOO_LARGE',
  FST_ERR_CTP_INVALID_MEDIA_TYPE: 'UNSUPPORTED_TYPE',
};
/** Seconds after which a retry makes sense when a dependency, most often the database, is unavailable. */
export const RETRY_AFTER_SECONDS = 2;
const AWAY_MS = RETRY_AFTER_SECONDS * 1000;
/** A text that PostgreSQL refuses: a NUL, or bytes that are not UTF-8. */
const UNREADABLE_SQLSTATES = new Set(['22021', '22P05']);

/** Draws the page of an error for which no page was drawn. */
export type ErrorPage = (
  request: FastifyRequest,
  reply: FastifyReply,
  error: unknown,
) => FastifyReply;

/** Returns whether a browser opens or sends a page: it shows what comes, and an envelope leads nowhere. */
const isPage = ({ url, headers }: FastifyRequest) =>
  /\btext\/html\b/.test(headers.accept ?? '') && !/^\/api\//i.test(url);

/** Maps errors to HTTP answers, in one place. `page`: what a browser gets for a fault, or while a part is away. */
export function installErrors(app: FastifyInstance, page: ErrorPage | null): void {
  app.setErrorHandler((error: FastifyError, request, reply) => {
    const appError = toAppError(error);
    if (page && appError.status >= 500 && isPage(request)) return page(request, reply, error);
    // A limit logs its own refusals, once for many.
    if (appError.status >= 500 && appError.details.limit === undefined) {
      request.log.error({ err: error, reference: request.id }, 'request failed');
    }
    if (appError.code === 'UNEXPECTED') recordFault(requestContext(request), error);
    return send(request, reply, appError);
  });
}

/** Refuses an unreadable address; no hook has run yet, so the headers are passed in. */
export function refuseUnreadable(
  headers: Readonly<Record<string, string>>,
): (error: Error, request: FastifyRequest, reply: FastifyReply) => void {
  return (_error, request, reply) => {
    void send(request, reply.headers(headers), new AppError('BAD_REQUEST'));
  };
}

/** Answers an unknown address or method. */
export function refuseUnknown(app: FastifyInstance, request: FastifyRequest, reply: FastifyReply) {
  const url = request.url.split('?')[0] ?? '/';
  const known = (['GET', 'POST', 'PUT'] as const).filter(
    (method) => app.findRoute({ method, url }) !== null,
  );
  // The route itself may answer that a thing does not exist.
  const isMethod = known.some((method) => method === request.method);
  if (known.length === 0 || isMethod) return send(request, reply, new AppError('NOT_FOUND'));
  return send(request, reply.header('allow', known.join(', ')), new AppError('METHOD_NOT_ALLOWED'));
}

function toAppError(error: FastifyError): AppError {
  if (error instanceof AppError) return error;
  const known = FASTIFY_CODES[error.code];
  if (known) return new AppError(known);
  if (error.validation) return new AppError('BAD_REQUEST', { messages: describe(error) });
  if (isDatabaseAway(error)) {
    return new AppError('UNAVAILABLE');
  }
  if (UNREADABLE_SQLSTATES.has(error.code)) return new AppError('BAD_REQUEST');
  const isClientFault = error.statusCode !== undefined && error.statusCode < 500;
  return new AppError(isClientFault ? 'BAD_REQUEST' : 'UNEXPECTED');
}

/** Names the invalid fields, never their values. */
function describe(error: FastifyError): readonly string[] {
  const details = (error.validation ?? []).map((issue) => {
    const where = issue.instancePath.replace(/^\//, '').replaceAll('/', '.');
    return where ? `${where}: ${issue.message}` : String(issue.message);
  });
  return [refusals.badRequest, ...details];
}

function send(request: FastifyRequest, reply: FastifyReply, error: AppError): FastifyReply {
  const messages =
    error.code === 'UNEXPECTED'
      ? [fill(refusals.unexpected, { reference: request.id })]
      : error.messages;
  const envelope: Envelope<null> = {
    succeeded: false,
    data: null,
    messages,
    errorFlag: error.code,
  };
  const context = requestContext(request);
  if (context) context.refusal = error.code;
  reply.header(REQUEST_ID_HEADER, request.id);
  const { retryAfterMs = error.status === 503 ? AWAY_MS : undefined } = error.details;
  if (retryAfterMs !== undefined) reply.header('retry-after', Math.ceil(retryAfterMs / 1000));
  // RFC 9110, 11.6.1: a 401 names the authentication scheme.
  if (error.code === 'MODULE_UNKNOWN') reply.header('www-authenticate', 'Basic realm="modules"');
  // The response schema describes successes; a refusal has no data to check.
  return reply
    .status(error.status)
    .type('application/json; charset=utf-8')
    .serializer(JSON.stringify)
    .send(envelope);
}
