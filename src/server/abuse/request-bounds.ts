import type { ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { MINUTE_MS } from '#domain/text/duration.ts';
import { type LimitSettings, RATE_LIMITS } from '../config/limits.ts';
import { AppError } from '../http/app-error.ts';
import { toNetwork } from './network.ts';

/** Milliseconds that a request may wait for a slot. A proxy waits 15 s for an answer. */
const WAIT_MS = 8000;
/**
 * Requests that start in one round of the event loop. A page computes for a millisecond without a pause, and all other
 * work waits for the end of the round.
 */
const BEGUN_AT_ONCE = 4;
/**
 * Milliseconds in which connections are accepted before requests start. The event loop accepts one a round: behind a
 * proxy that opens a connection for each request, a visitor would otherwise wait for all earlier connections' pages.
 */
const TAKING_MS = 10;
/** Milliseconds between two log lines about refused requests. */
const TELL_MS = MINUTE_MS;

/** A busy instance must not look like a dead one; and these answers cost less than a refusal. */
const WITHOUT_SLOT = new Set(['/api/health/live', '/api/health/ready', '/metrics']);

/** Requests of this process to itself have no socket: each belongs to a request with a slot. */
const isOwn = ({ raw }: FastifyRequest) => !(raw.socket instanceof Socket);

type Waiting = { readonly network: string; readonly enter: (hasSlot: boolean) => void };

type Options = {
  readonly settings: LimitSettings;
  readonly waitMs?: number;
  readonly takingMs?: number;
};

/**
 * Limits concurrent requests (decision 141). Up to `requestsAtOnce` each network gets as many slots as it needs. Above
 * that, and up to twice as many, a network gets one while it has fewer than `requestsAtOncePerIp`; the others wait. The
 * network with the fewest goes first, and a few requests start in each round of the event loop (decision 151). A slot
 * is held until the whole answer was handed over, read or not; and not while the server waits for a body.
 */
export function boundRequests(
  app: FastifyInstance,
  { settings, waitMs = WAIT_MS, takingMs = TAKING_MS }: Options,
): void {
  const { requestsAtOnce: all, requestsAtOncePerIp: one } = RATE_LIMITS;
  const most = settings[all.name]?.max ?? all.max;
  const share = settings[one.name]?.max ?? one.max;
  const held = new Map<string, number>();
  const leaving = new WeakMap<ServerResponse, () => void>();
  let inAll = 0;
  let line: readonly Waiting[] = [];
  let toldAt = -Infinity;
  let isRoundComing = false;
  let isTaking = false;
  let takingSince: number | null = null;

  const slotsOf = (network: string) => held.get(network) ?? 0;
  const isRoomFor = (network: string) =>
    inAll < most || (inAll < 2 * most && slotsOf(network) < share);

  function take(network: string, { raw: answer }: FastifyReply): void {
    inAll += 1;
    held.set(network, slotsOf(network) + 1);
    // In the next round of the event loop: until then its network stands behind networks without a slot.
    const leave = () => {
      if (leaving.delete(answer)) setImmediate(release, network);
    };
    leaving.set(answer, leave);
    // The whole answer was handed over, or the client has gone.
    answer.once('prefinish', leave).once('close', leave);
  }

  function release(network: string): void {
    inAll -= 1;
    if (slotsOf(network) > 1) held.set(network, slotsOf(network) - 1);
    else held.delete(network);
    awaitRound();
  }

  /** Returns the first request of the network with the fewest slots; `null` when none waits or may start. */
  function nextInLine(): Waiting | null {
    let [next] = line;
    if (!next) return null;
    for (const other of line) if (slotsOf(other.network) < slotsOf(next.network)) next = other;
    return isRoomFor(next.network) ? next : null;
  }

  function awaitRound(): void {
    if (isRoundComing || line.length === 0) return;
    isRoundComing = true;
    setImmediate(beginRound);
  }

  function beginRound(): void {
    isRoundComing = false;
    const now = performance.now();
    if (isTaking && now - (takingSince ??= now) < takingMs) {
      isTaking = false;
      return awaitRound();
    }
    takingSince = null;
    for (let count = 0; count < BEGUN_AT_ONCE; count += 1) {
      const next = nextInLine();
      // The next released slot begins the next round.
      if (!next) return;
      next.enter(true);
    }
    awaitRound();
  }

  /** Resolves with whether there is a slot; never, for a client that has gone. */
  function waitFor(network: string, reply: FastifyReply): Promise<boolean> {
    return new Promise((resolve) => {
      const stop = () => {
        clearTimeout(timer);
        reply.raw.off('close', stop);
        line = line.filter((other) => other !== waiting);
      };
      const waiting: Waiting = {
        network,
        enter(hasSlot) {
          stop();
          if (hasSlot) take(network, reply);
          resolve(hasSlot);
        },
      };
      const timer = setTimeout(waiting.enter, waitMs, false);
      reply.raw.once('close', stop);
      line = [...line, waiting];
      awaitRound();
    });
  }

  async function admit(request: FastifyRequest, reply: FastifyReply) {
    if (isOwn(request) || WITHOUT_SLOT.has(request.routeOptions.url ?? '')) return undefined;
    // Its client has gone: the request is dropped.
    if (reply.raw.destroyed) return reply.hijack();
    const network = toNetwork(request.ip);
    if (await waitFor(network, reply)) return undefined;
    if (performance.now() - toldAt >= TELL_MS) {
      toldAt = performance.now();
      app.log.warn({ limit: one.name, inAll }, 'too many requests at once: see docs/limits.md');
    }
    const details = { retryAfterMs: waitMs, limit: one.name };
    throw new AppError('UNAVAILABLE', details);
  }

  app.server.on('connection', () => (isTaking = true));
  app.addHook('onRequest', admit);
  // A slow body holds no slot.
  app.addHook('preParsing', async ({ raw }, reply, body) => {
    if (!raw.complete) leaving.get(reply.raw)?.();
    return body;
  });
  // The hosted login reads its bodies itself, later.
  app.addHook('preValidation', async (request, reply) =>
    leaving.has(reply.raw) || !request.raw.complete ? undefined : admit(request, reply),
  );
}
