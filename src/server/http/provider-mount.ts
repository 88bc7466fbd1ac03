import type { IncomingMessage, ServerResponse } from 'node:http';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { currentRequest } from '../audit/request-context.ts';
import { OPENED_BY_OTHERS } from './headers.ts';

type Mounted = { handle(request: IncomingMessage, response: ServerResponse): void };

/** The server's data about a request, for code that has only the raw one. */
const known = new WeakMap<IncomingMessage, { readonly ip: string; readonly id: string }>();

/** Returns the visitor's address behind trusted proxies. A request with a rewritten body is another object. */
export function visitorIpOf(request: IncomingMessage): string {
  return known.get(request)?.ip ?? currentRequest()?.ip ?? '';
}

/** Returns the id under which the log has a request. */
export function requestIdOf(request: IncomingMessage): string {
  return known.get(request)?.id ?? currentRequest()?.requestId ?? '';
}

/** Changes a plain page of the provider before it is sent. */
export type FinishPage = (html: string, request: FastifyRequest) => Promise<string>;

const METADATA = '/.well-known/oauth-authorization-server';

/** Passes every request under /idp to the provider, with its body unread. */
export async function mountProvider(app: FastifyInstance, provider: Mounted, finish: FinishPage) {
  await app.register(async (scope) => {
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser('*', (_request, _payload, done) => done(null));
    // RFC 8414, 3: OAuth clients look for the metadata of an issuer with a path before the path.
    scope.get(`${METADATA}/idp`, (request, reply) => {
      request.raw.url = `/idp${METADATA}`;
      hand(request, reply);
    });
    scope.all('/idp/*', hand);

    function hand(request: FastifyRequest, reply: FastifyReply): void {
      known.set(request.raw, { ip: request.ip, id: request.id });
      // Hijacked answers carry the headers of the raw response; the provider replaces our policy by its own.
      const headers = { ...reply.getHeaders(), ...OPENED_BY_OTHERS };
      for (const [name, value] of Object.entries(headers))
        if (value) reply.raw.setHeader(name, value);
      reply.hijack();
      finishPages(request, reply.raw, finish);
      provider.handle(request.raw, reply.raw);
    }
  });
}

/** Milliseconds in which a client reads its answer: a connection that is closed with unread bytes may reset it. */
const LINGER_MS = 1000;

/** Closes the connection after the answer, without reading the rest of the body. */
function closeUnread(request: IncomingMessage, answer: ServerResponse): void {
  const { socket } = request;
  answer.setHeader('connection', 'close');
  // Node reads on only what nothing has read from.
  request.read(0);
  socket.destroySoon = () => {
    socket.end();
    setTimeout(() => socket.destroy(), LINGER_MS).unref();
  };
}

/**
 * Hands the provider's own pages through `finish`: their answers do not pass Fastify. An answer before the end of the
 * body closes the connection, so that the rest is not read.
 */
function finishPages(request: FastifyRequest, raw: ServerResponse, finish: FinishPage): void {
  const end = raw.end.bind(raw) as (chunk?: unknown) => ServerResponse;
  raw.end = ((chunk?: unknown) => {
    if (!request.raw.complete && !raw.headersSent) closeUnread(request.raw, raw);
    const type = String(raw.getHeader('content-type') ?? '');
    if (typeof chunk !== 'string' || !type.startsWith('text/html')) return end(chunk);
    finish(chunk, request).then(
      (html) => {
        if (!raw.headersSent) raw.setHeader('content-length', Buffer.byteLength(html));
        end(html);
      },
      () => end(chunk),
    );
    return raw;
  }) as typeof raw.end;
}
