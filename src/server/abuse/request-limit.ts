import type { FastifyInstance, FastifyRequest } from 'fastify';
import { routeOf } from '#contract/routes.ts';
import { recordInRequest } from '../audit/request-context.ts';
import type { Clock } from '../core/clock.ts';
import { RATE_LIMITS } from '../config/limits.ts';
import { AppError } from '../http/app-error.ts';
import { toNetwork } from './network.ts';
import type { RateLimits, Use } from './rate-limits.ts';

/** Calls that create rows before any proof; so does the first call of a visit. */
const STARTS = new Set([routeOf('beginSession').path.toLowerCase(), '/idp/authorize']);
/**
 * The same for calls that must not disclose accounts: each is counted separately, so that all cost the same (decision
 * 118).
 */
const EVEN_STARTS = new Set([
  '/idp/dbconnections/signup',
  '/idp/dbconnections/change_password',
  '/idp/passwordless/start',
]);
/** Networks that an instance remembers; above that, which means an attack, the oldest are dropped. */
const MOST_NETWORKS = 10_000;
/** The number of starts of one sign-in. */
const COUNTED_AT_ONCE = 5;
/** With fewer left in a limit, each start is counted separately, so that unused counts refuse no request. */
const MUCH_ROOM = 100;

const requestPath = ({ url }: FastifyRequest) => (url.split('?')[0] ?? '/').toLowerCase();
/** Pages and health checks are never refused. */
const isCounted = (path: string) =>
  /^\/(?:api|idp)\//.test(path) && !path.startsWith('/api/health');

function remember<T>(networks: Map<string, T>, network: string, what: T): void {
  if (networks.size >= MOST_NETWORKS) networks.delete(networks.keys().next().value ?? '');
  networks.set(network, what);
}

/**
 * Adds the general limit of a network (R20): requests that create rows, and refused requests. Successful requests are
 * not counted.
 */
export function installRequestLimit(
  fastify: FastifyInstance,
  { rateLimits, clock }: { readonly rateLimits: RateLimits; readonly clock: Clock },
): { readonly takeStart: (ip: string) => Promise<void> } {
  /** The end of a network's refusal. The count is in the database; this saves a query for every request. */
  const refused = new Map<string, number>();

  const count = (ip: string, times: number) =>
    rateLimits.consume(
      ...Array<Use>(times).fill([RATE_LIMITS.startPerIp, ip]),
      ...Array<Use>(times).fill([RATE_LIMITS.startPerIpADay, ip]),
    );

  /** Starts that were counted in advance, with their expiry, and the remaining number of the limits then. */
  const ahead = new Map<string, { spare: number; readonly until: number; readonly room: number }>();

  /** Counts several starts in one statement, so that the next ones of this network need no query. */
  async function takeStart(ip: string): Promise<void> {
    const network = toNetwork(ip);
    const now = clock.now().getTime();
    const known = ahead.get(network);
    if (known && known.spare > 0 && known.until > now) {
      known.spare -= 1;
      return;
    }
    const isAlone = known === undefined || known.room < MUCH_ROOM;
    ahead.delete(network);
    const times = isAlone ? 1 : COUNTED_AT_ONCE;
    const counted = await count(ip, times);
    const until = Math.min(...counted.map((use) => Date.parse(use.until)));
    const room = Math.min(...counted.map((use) => use.room));
    // Other requests of this network may have counted meanwhile.
    const beside = ahead.get(network);
    const spare = times - 1 + (beside?.until === until ? beside.spare : 0);
    remember(ahead, network, { spare, until, room });
  }

  function refuse(ip: string): void {
    const network = toNetwork(ip);
    const leftMs = (refused.get(network) ?? 0) - clock.now().getTime();
    if (leftMs > 0) {
      const limit = RATE_LIMITS.errorPerIp.name;
      recordInRequest({ limit });
      throw new AppError('TOO_MANY', { retryAfterMs: leftMs, limit });
    }
    refused.delete(network);
  }

  fastify.addHook('onRequest', async (request) => {
    const path = requestPath(request);
    if (!isCounted(path)) return;
    refuse(request.ip);
    if (EVEN_STARTS.has(path)) await count(request.ip, 1);
    if (STARTS.has(path)) await takeStart(request.ip);
  });

  fastify.addHook('onResponse', async (request, { raw }) => {
    const isError = raw.statusCode >= 400 && raw.statusCode < 500;
    const network = toNetwork(request.ip);
    if (!isError || !isCounted(requestPath(request)) || refused.has(network)) return;
    try {
      await rateLimits.consume([RATE_LIMITS.errorPerIp, request.ip]);
    } catch (error) {
      // The request was answered already; a database outage is reported elsewhere.
      if (!(error instanceof AppError)) return;
      remember(refused, network, clock.now().getTime() + (error.details.retryAfterMs ?? 0));
    }
  });

  return { takeStart };
}
