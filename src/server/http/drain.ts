import { setTimeout as sleep } from 'node:timers/promises';
import type { FastifyInstance } from 'fastify';

/** Milliseconds that a request may take after the listener should have closed (security R37). */
const LAST_REQUEST_MS = 8000;

/** Counts open requests, and answers not-ready while it drains. */
export function installDrain(app: FastifyInstance) {
  let isDraining = false;
  let underWay = 0;
  let onQuiet: () => void = () => undefined;

  app.addHook('onRequest', async (_request, reply) => {
    underWay += 1;
    // A kept connection would send its next request to a closed listener.
    if (isDraining) reply.raw.setHeader('connection', 'close');
    reply.raw.once('close', () => {
      underWay -= 1;
      if (underWay === 0) onQuiet();
    });
  });

  return {
    /** True from the first signal on: other instances take new requests. */
    isDraining: () => isDraining,
    /**
     * Reports not-ready and keeps serving until balancers have noticed; then waits for open requests. Requests of this
     * process to itself, such as the exchange of a code, need the listener until the last one is answered.
     */
    async drain(noticeMs: number): Promise<void> {
      isDraining = true;
      await sleep(noticeMs);
      if (underWay > 0) {
        const quiet = new Promise<void>((resolve) => (onQuiet = resolve));
        await Promise.race([quiet, sleep(LAST_REQUEST_MS, undefined, { ref: false })]);
      }
      // A request with an endless body would keep the server from closing.
      app.server.closeAllConnections();
    },
  };
}
