import { setTimeout as sleep } from 'node:timers/promises';
import type { FastifyInstance } from 'fastify';

export type Drain = {
  /** True from the first signal on: other instances take what is new. */
  isDraining(): boolean;
  /**
   * Says "not ready" and goes on serving for a while, until balancers have noticed; then waits for what is under way.
   * Requests of ours to ourselves, such as the exchange of a code, need the doors open until the last one is answered.
   */
  drain(noticeMs: number): Promise<void>;
};

/** A request may take this long after the doors were to close (security R37). */
const LAST_REQUEST_MS = 8000;

/** Counts the requests under way, and sends callers elsewhere while it drains. */
export function installDrain(app: FastifyInstance): Drain {
  let isDraining = false;
  let underWay = 0;
  let onQuiet: () => void = () => undefined;

  app.addHook('onRequest', async (_request, reply) => {
    underWay += 1;
    // A connection that is kept would bring the next request to a closed door.
    if (isDraining) reply.raw.setHeader('connection', 'close');
    reply.raw.once('close', () => {
      underWay -= 1;
      if (underWay === 0) onQuiet();
    });
  });

  return {
    isDraining: () => isDraining,
    async drain(noticeMs) {
      isDraining = true;
      await sleep(noticeMs);
      if (underWay > 0) {
        const quiet = new Promise<void>((resolve) => (onQuiet = resolve));
        await Promise.race([quiet, sleep(LAST_REQUEST_MS, undefined, { ref: false })]);
      }
      // A request whose body never ends would keep the server from closing.
      app.server.closeAllConnections();
    },
  };
}
