import type { FastifyInstance, FastifyRequest } from 'fastify';
import { routeOf } from '#contract/routes.ts';
import { noteInRequest } from '../audit/request-context.ts';
import type { Clock } from '../clock.ts';
import { RATE_LIMITS } from '../config/limits.ts';
import { AppError } from '../http/app-error.ts';
import { toNetwork } from './network.ts';
import type { RateLimits, Use } from './rate-limits.ts';

/** Calls that leave rows behind before anybody has proven anything; so does the first call of a visit. */
const STARTS = new Set([routeOf('beginSession').path.toLowerCase(), '/idp/authorize']);
/** The same where nothing may tell known from unknown: each is counted by itself, so that all cost the same (decision 118). */
const EVEN_STARTS = new Set([
  '/idp/dbconnections/signup',
  '/idp/dbconnections/change_password',
  '/idp/passwordless/start',
]);
/** Networks that an instance remembers; more only when it is attacked, and then the oldest are looked up anew. */
const MOST_NETWORKS = 10_000;
/** As many starts as one sign-in has. */
const COUNTED_AT_ONCE = 5;
/** Where less is left of a limit, each start is counted by itself: nobody is refused for what was not used. */
const MUCH_ROOM = 100;

const pathOf = ({ url }: FastifyRequest) => (url.split('?')[0] ?? '/').toLowerCase();
/** Pages always come, and whoever watches the server gets an answer. */
const isCounted = (path: string) =>
  /^\/(?:api|idp)\//.test(path) && !path.startsWith('/api/health');

function remember<T>(networks: Map<string, T>, network: string, what: T): void {
  if (networks.size >= MOST_NETWORKS) networks.delete(networks.keys().next().value ?? '');
  networks.set(network, what);
}

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

  const count = (ip: string, times: number) =>
    rateLimits.take(
      ...Array<Use>(times).fill([RATE_LIMITS.startPerIp, ip]),
      ...Array<Use>(times).fill([RATE_LIMITS.startPerIpADay, ip]),
    );

  /** Starts that are counted and not used yet, until when they may be, and what was left of the limits then. */
  const ahead = new Map<string, { spare: number; readonly until: number; readonly room: number }>();

  /** Counts several starts in one statement, so that the next ones of this network ask the database nothing. */
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
    // Others of this network may have counted meanwhile.
    const beside = ahead.get(network);
    const spare = times - 1 + (beside?.until === until ? beside.spare : 0);
    remember(ahead, network, { spare, until, room });
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
    if (EVEN_STARTS.has(path)) await count(request.ip, 1);
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
      remember(refused, network, clock.now().getTime() + (error.details.retryAfterMs ?? 0));
    }
  });

  return { takeStart };
}
