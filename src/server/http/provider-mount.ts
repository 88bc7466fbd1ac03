import type { IncomingMessage, ServerResponse } from 'node:http';
import type { FastifyInstance } from 'fastify';

type Mounted = { handle(request: IncomingMessage, response: ServerResponse): void };

/** The visitor's address behind trusted proxies, for code that has only the raw request. */
const addresses = new WeakMap<IncomingMessage, string>();

export function addressOf(request: IncomingMessage): string {
  return addresses.get(request) ?? request.socket.remoteAddress ?? '';
}

/** Hands every request under /idp to the provider, with its body unread. */
export async function mountProvider(app: FastifyInstance, provider: Mounted): Promise<void> {
  await app.register(async (scope) => {
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser('*', (_request, _payload, done) => done(null));
    scope.all('/idp/*', { schema: { hide: true } }, (request, reply) => {
      addresses.set(request.raw, request.ip);
      reply.hijack();
      provider.handle(request.raw, reply.raw);
    });
  });
}
