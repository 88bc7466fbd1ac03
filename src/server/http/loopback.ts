import type { Server } from 'node:http';
import type { FastifyInstance } from 'fastify';
import { asCall, tracedFetch } from './tracing/span.ts';

type LoopbackFetch = (input: string | URL | Request, init?: object) => Promise<Response>;

/** Some resolvers do not know that all names under `localhost` are this machine (RFC 6761, 6.3). */
function reachable(target: URL): URL {
  if (target.hostname.endsWith('.localhost')) target.hostname = 'localhost';
  return target;
}

/** Fetches from another server, also from one that shares our origin behind a proxy. */
export const fetchOther: LoopbackFetch = (input, init) =>
  tracedFetch(reachable(new URL(input instanceof Request ? input.url : input)), init);

/** Creates the fetch of this process to itself, which stays on this machine whatever the public name is. */
export function createLoopbackFetch(server: Server, publicUrl: string): LoopbackFetch {
  const { origin } = new URL(publicUrl);
  return (input, init) => {
    const target = new URL(input instanceof Request ? input.url : input);
    const address = server.address();
    if (target.origin !== origin || !address || typeof address === 'string') {
      return fetchOther(target, init);
    }
    const host = address.family === 'IPv6' ? `[${address.address}]` : address.address;
    const isEveryAddress = host === '0.0.0.0' || host === '[::]';
    const local = isEveryAddress ? '127.0.0.1' : host;
    return tracedFetch(`http://${local}:${address.port}${target.pathname}${target.search}`, init);
  };
}

const HERE = '127.0.0.1';

/**
 * Creates the fetch of this process to itself without a socket (decision 130): all checks run, no slot is needed
 * (decision 141), and the body is empty, a text or a form. Other addresses are fetched as by `fetchOther`.
 */
export function createInProcessFetch(app: FastifyInstance, publicUrl: string): LoopbackFetch {
  const { origin } = new URL(publicUrl);
  return async (input, init: RequestInit = {}) => {
    const target = new URL(input instanceof Request ? input.url : input);
    if (target.origin !== origin) return fetchOther(target, init);
    const { headers, body } = init;
    const method = init.method === 'POST' ? 'POST' : 'GET';
    const isForm = body instanceof URLSearchParams;
    const answer = await asCall(method, { 'server.address': HERE }, (trace) =>
      app.inject({
        method,
        url: `${target.pathname}${target.search}`,
        remoteAddress: HERE,
        headers: {
          host: target.host,
          ...(isForm && { 'content-type': 'application/x-www-form-urlencoded' }),
          ...Object.fromEntries(new Headers(headers)),
          ...trace,
        },
        ...((isForm || typeof body === 'string') && { payload: String(body) }),
      }),
    );
    const type = answer.headers['content-type'];
    const isEmpty = [204, 304].includes(answer.statusCode);
    return new Response(isEmpty ? null : answer.body, {
      status: answer.statusCode,
      headers: { ...(type !== undefined && { 'content-type': String(type) }) },
    });
  };
}
