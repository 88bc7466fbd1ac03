import { randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import proxyAddr from '@fastify/proxy-addr';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { type RequestContext, withinRequest } from '../audit/request-context.ts';
import { type ActiveSpan, below } from './tracing/span.ts';

export const REQUEST_ID_HEADER = 'x-request-id';

/** What log and answer may carry of somebody else's words. */
const GIVEN_ID = /^[\w.:-]{8,64}$/;

/** Of an address below a route of many: where it leads, and no id. */
const PATH_PARTS = 4;

const contexts = new WeakMap<IncomingMessage, RequestContext>();

/** Returns whether a request comes from a trusted proxy, by the rule that Fastify reads the visitor's address by. */
export function createTrust(
  trustedProxies: readonly string[],
): (request: IncomingMessage) => boolean {
  const isTrusted = proxyAddr.compile([...trustedProxies]);
  return ({ socket }) => isTrusted(socket.remoteAddress ?? '', 0);
}

/** One id for each request: that of a trusted proxy, or a new one (R50). */
export function createRequestIds(
  isTrusted: (request: IncomingMessage) => boolean,
): (request: IncomingMessage) => string {
  return (request) => {
    const given = request.headers[REQUEST_ID_HEADER];
    const isTaken = typeof given === 'string' && GIVEN_ID.test(given) && isTrusted(request);
    return isTaken ? given : randomUUID();
  };
}

/** What the audit log says of this request; `undefined` for one that could not be read. */
export const contextOf = (request: FastifyRequest): RequestContext | undefined =>
  contexts.get(request.raw);

/** A name of a program; what else an error calls itself may be anybody's words. */
const ERROR_NAME = /^\w{1,60}$/;

/** For an error that nothing foresaw: whoever reads its reference out finds the event (OPS-62). */
export function noteFault(context: RequestContext | undefined, error: unknown): void {
  const name = error instanceof Error ? error.name : '';
  if (context) context.fault = ERROR_NAME.test(name) ? name : 'Error';
}

/** What a request needs of a tracer. */
type RequestTracer = {
  spanOf(request: IncomingMessage): ActiveSpan | undefined;
  watch(request: FastifyRequest, reply: FastifyReply): void;
};

/** Everything that a request does knows which request it is, and below which span; the answer tells its id. */
export function installRequestContext(app: FastifyInstance, tracer: RequestTracer | null): void {
  app.addHook('onRequest', (request, reply, done) => {
    const context: RequestContext = {
      requestId: request.id,
      ip: request.ip,
      path: pathOf(request),
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
  // The end of a body is told outside of the request's own asynchronous context.
  app.addHook('preValidation', (request, _reply, done) => {
    const context = contextOf(request);
    if (context) within(request, context, done);
    else done();
  });

  function within({ raw }: FastifyRequest, context: RequestContext, done: () => void): void {
    const span = tracer?.spanOf(raw);
    if (span) below(span, () => withinRequest(context, done));
    else withinRequest(context, done);
  }
}

/** Taken early: whoever a path is handed on to may shorten it. */
function pathOf({ url, routeOptions }: FastifyRequest): string {
  const route = routeOptions.url ?? '';
  if (!route.endsWith('*')) return route;
  const [path = ''] = url.split('?');
  return path.split('/').slice(0, PATH_PARTS).join('/');
}
