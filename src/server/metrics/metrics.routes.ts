import type { FastifyInstance } from 'fastify';
import { requestContext } from '../http/request-id.ts';
import type { CircuitState } from '../jobs/circuit-breaker.ts';
import { isSame } from '../crypto/secret-box.ts';
import type { Metrics } from './metrics.ts';

const TOO_MANY_STATUS = 429;
/** Screens and unknown addresses; anybody can make up an address, so all share one label. */
const NO_ROUTE = 'none';

/** Times every answer. Before the routes: a hook knows only those that come after it. */
export function timeRequests(app: FastifyInstance, metrics: Metrics): void {
  app.addHook('onResponse', async (request, reply) => {
    const { method, routeOptions } = request;
    const route = routeOptions.url ?? NO_ROUTE;
    const status = reply.statusCode;
    metrics.timeRequest({ method, route, status }, reply.elapsedTime / 1000);
    const context = requestContext(request);
    // The hosted login answers its own refusals.
    const reason = context?.refusal ?? (status === TOO_MANY_STATUS ? 'TOO_MANY' : null);
    if (context && reason !== null) {
      metrics.countRefusal({ path: context.path, reason, subtenantId: context.subtenantId });
    }
  });
}

/** `GET /metrics` for callers with the token (RFC 6750) that come without a proxy; others get 404. */
export function installMetrics(
  app: FastifyInstance,
  deps: {
    readonly metrics: Metrics;
    readonly token: string;
    readonly providers: () => Readonly<Record<string, CircuitState>>;
  },
): void {
  const { metrics, token, providers } = deps;
  app.get('/metrics', async (request, reply) => {
    const given = /^Bearer +(\S+)$/i.exec(request.headers.authorization ?? '')?.[1] ?? '';
    // Proxies compare paths in other ways than our router: each of them would need a rule for each spelling.
    const isForwarded = request.headers['x-forwarded-for'] !== undefined;
    if (isForwarded || !isSame(given, token)) return reply.callNotFound();
    return reply
      .type(metrics.contentType)
      .header('cache-control', 'no-store')
      .send(await metrics.text(providers()));
  });
}
