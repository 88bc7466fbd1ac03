import type { FastifyInstance, FastifyRequest } from 'fastify';
import { routeOf } from '#contract/routes.ts';
import { noteInRequest } from '../audit/request-context.ts';
import type { Clock } from '../clock.ts';
import { RATE_LIMITS } from '../config/limits.ts';
import { AppError } from '../http/app-error.ts';
import { toNetwork } from './network.ts';
import type { RateLimits } from './rate-limits.ts';

/** Calls that leave rows behind before anybody has proven anything; so does the first call of a visit. */
const STARTS = new Set(
  [
    routeOf('beginSession').path,
    '/idp/authorize',
    '/idp/dbconnections/signup',
    '/idp/dbconnections/change_password',
    '/idp/passwordless/start',
  ].map((path) => path.toLowerCase()),
);
/** Networks that an instance remembers as refused; more only when it is attacked, and then the oldest are looked up anew. */
const MOST_REFUSED = 10_000;

const pathOf = ({ url }: FastifyRequest) => (url.split('?')[0] ?? '/').toLowerCase();
/** Pages always come, and whoever watches the server gets an answer. */
const isCounted = (path: string) =>
  /^\/(?:api|idp)\//.test(path) && !path.startsWith('/api/health');

/**
 * The general limit of a network (R20): what leaves rows behind, and what was answered with an error. Requests that work
 * cost a shared address nothing.
 */
export function installRequestLimit(
  fastify: FastifyInstance,
  { rateLimits, clock }: { readonly rateLimits: RateLimits; readonly clock: Clock },
): { readonly takeStart: (ip: string) => Promise<void> } {
  /** Until when a network is refused. The count is in the database; this spares a question to it for every request. */
  const refused = new Map<string, number>();

  async function takeStart(ip: string): Promise<void> {
    await rateLimits.take([RATE_LIMITS.startPerIp, ip], [RATE_LIMITS.startPerIpADay, ip]);
  }

  function refuse(ip: string): void {
    const network = toNetwork(ip);
    const leftMs = (refused.get(network) ?? 0) - clock.now().getTime();
    if (leftMs > 0) {
      const limit = RATE_LIMITS.errorPerIp.name;
      noteInRequest({ limit });
      throw new AppError('TOO_MANY', { retryAfterMs: leftMs, limit });
    }
    refused.delete(network);
  }

  fastify.addHook('onRequest', async (request) => {
    const path = pathOf(request);
    if (!isCounted(path)) return;
    refuse(request.ip);
    if (STARTS.has(path)) await takeStart(request.ip);
  });

  fastify.addHook('onResponse', async (request, { raw }) => {
    const isError = raw.statusCode >= 400 && raw.statusCode < 500;
    const network = toNetwork(request.ip);
    if (!isError || !isCounted(pathOf(request)) || refused.has(network)) return;
    try {
      await rateLimits.take([RATE_LIMITS.errorPerIp, request.ip]);
    } catch (error) {
      // The request was answered: a database that is away is told about elsewhere.
      if (!(error instanceof AppError)) return;
      if (refused.size >= MOST_REFUSED) refused.delete(refused.keys().next().value ?? '');
      refused.set(network, clock.now().getTime() + (error.details.retryAfterMs ?? 0));
    }
  });

  return { takeStart };
}
