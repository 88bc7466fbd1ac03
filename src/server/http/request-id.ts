import { randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import proxyAddr from '@fastify/proxy-addr';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { type RequestContext, withinRequest } from '../audit/request-context.ts';
import { type ActiveSpan, below } from './tracing/span.ts';

export const REQUEST_ID_HEADER = 'x-request-id';

/** Characters of a foreign id that log and answer may carry. */
const GIVEN_ID = /^[\w.:-]{8,64}$/;

/** Parts of the path that are logged for an address under a wildcard route: the target, without ids. */
const PATH_PARTS = 4;

const contexts = new WeakMap<IncomingMessage, RequestContext>();

/** Returns whether a request comes from a trusted proxy, by the rule that Fastify reads the visitor's address by. */
export function createTrust(
  trustedProxies: readonly string[],
): (request: IncomingMessage) => boolean {
  const isTrusted = proxyAddr.compile([...trustedProxies]);
  return ({ socket }) => isTrusted(socket.remoteAddress ?? '', 0);
}

/** Returns one id for each request: that of a trusted proxy, or a new one (R50). */
export function createRequestIds(
  isTrusted: (request: IncomingMessage) => boolean,
): (request: IncomingMessage) => string {
  return (request) => {
    const given = request.headers[REQUEST_ID_HEADER];
    const isTaken = typeof given === 'string' && GIVEN_ID.test(given) && isTrusted(request);
    return isTaken ? given : randomUUID();
  };
}

/** Returns the audit log's context of a request; `undefined` for an unreadable one. */
export const requestContext = (request: FastifyRequest): RequestContext | undefined =>
  contexts.get(request.raw);

/** A name from a program; other error names may be a visitor's text. */
const ERROR_NAME = /^\w{1,60}$/;

/** Records an unexpected error, so that its reference leads to the event (OPS-62). */
export function recordFault(context: RequestContext | undefined, error: unknown): void {
  const name = error instanceof Error ? error.name : '';
  if (context) context.fault = ERROR_NAME.test(name) ? name : 'Error';
}

/** The part of a tracer that a request needs. */
type RequestTracer = {
  spanOf(request: IncomingMessage): ActiveSpan | undefined;
  watch(request: FastifyRequest, reply: FastifyReply): void;
};

/** Gives all work of a request its id and its span; the answer carries the id. */
export function installRequestContext(app: FastifyInstance, tracer: RequestTracer | null): void {
  app.addHook('onRequest', (request, reply, done) => {
    const context: RequestContext = {
      requestId: request.id,
      ip: request.ip,
      path: loggedPath(request),
      visitId: null,
      subtenantId: null,
      userId: null,
      refusal: null,
      fault: null,
      mistake: null,
      limit: null,
    };
    contexts.set(request.raw, context);
    reply.header(REQUEST_ID_HEADER, request.id);
    tracer?.watch(request, reply);
    within(request, context, done);
  });
  // The end of a body is signalled outside of the request's own asynchronous context.
  app.addHook('preValidation', (request, _reply, done) => {
    const context = requestContext(request);
    if (context) within(request, context, done);
    else done();
  });

  function within({ raw }: FastifyRequest, context: RequestContext, done: () => void): void {
    const span = tracer?.spanOf(raw);
    if (span) below(span, () => withinRequest(context, done));
    else withinRequest(context, done);
  }
}

/** Read early: a later handler may shorten the path. */
function loggedPath({ url, routeOptions }: FastifyRequest): string {
  const route = routeOptions.url ?? '';
  if (!route.endsWith('*')) return route;
  const [path = ''] = url.split('?');
  return path.split('/').slice(0, PATH_PARTS).join('/');
}
