import { Socket } from 'node:net';
import { performance } from 'node:perf_hooks';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { currentRequest, type RequestContext } from '../audit/request-context.ts';

/** The options of a route that is answered at once at any time: cheap, and the same for everybody. */
export const PROMPT = { config: { isPrompt: true } } as const;
const isPrompt = ({ routeOptions: { config } }: FastifyRequest) => 'isPrompt' in config;

/** Who is being served. */
type Turn = {
  leave(): void;
  /** Without waiting: whoever was let in once goes first. */
  comeBack(): void;
};

/** How often those who wait are looked at. */
const LOOK_MS = 5;
/** Busy for less than this share of the time, the thread waits for something else: a database, a tenant. */
const BUSY = 0.7;
/** How many more are let in at a look, for each share of the time that is free. */
const MORE = 5;

const turns = new WeakMap<RequestContext, Turn>();

/** Runs what another thread does; meanwhile the request under way holds nobody up. */
export async function besideTurns<T>(work: () => Promise<T>): Promise<T> {
  const request = currentRequest();
  const turn = request && turns.get(request);
  turn?.leave();
  try {
    return await work();
  } finally {
    turn?.comeBack();
  }
}

/** What this process asks itself comes through no socket; it belongs to a request that has its turn. */
const isOwn = ({ raw }: FastifyRequest) => !(raw.socket instanceof Socket);

/**
 * One thread runs all requests, and many side by side end no sooner than one after another. So they take turns, and what is
 * prompt need not get past all of them (performance S8, decision 136). Nobody is refused here, and nobody waits for a
 * thread that is idle.
 */
export function installTurns(app: FastifyInstance): void {
  const line: (() => void)[] = [];
  let served = 0;
  let look: NodeJS.Timeout | undefined;

  function letIn(count: number): void {
    for (const next of line.splice(0, count)) {
      served += 1;
      next();
    }
  }

  function leave(): void {
    served -= 1;
    if (served === 0) letIn(1);
  }

  /** Whoever is served may wait for something slow, and others can be served meanwhile. */
  function lookAtLine(): NodeJS.Timeout {
    let before = performance.eventLoopUtilization();
    return setInterval(() => {
      const now = performance.eventLoopUtilization();
      const { utilization } = performance.eventLoopUtilization(now, before);
      before = now;
      letIn(Math.max(0, Math.ceil((BUSY - utilization) * MORE)));
      if (line.length > 0) return;
      clearInterval(look);
      look = undefined;
    }, LOOK_MS);
  }

  function waitInLine(): Promise<void> {
    look ??= lookAtLine();
    return new Promise((resolve) => line.push(resolve));
  }

  // After the body has come: a slow connection holds nobody up.
  app.addHook('preValidation', async (request, { raw }) => {
    const context = currentRequest();
    if (!context || isPrompt(request) || isOwn(request)) return;
    if (served > 0) await waitInLine();
    else served += 1;
    let isServed = true;
    const turn: Turn = {
      leave() {
        if (isServed) leave();
        isServed = false;
      },
      comeBack() {
        if (isServed || !turns.has(context)) return;
        isServed = true;
        served += 1;
      },
    };
    const end = () => {
      turns.delete(context);
      turn.leave();
    };
    turns.set(context, turn);
    if (raw.destroyed) end();
    else raw.once('close', end);
  });
}
