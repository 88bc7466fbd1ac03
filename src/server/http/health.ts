import type { FastifyInstance } from 'fastify';
import type { Database } from '../db/database.ts';
import type { CircuitState } from '../jobs/circuit-breaker.ts';

/** In the words of monitors; metrics keep those of the circuit breaker. */
const WORDS: Readonly<Record<CircuitState, string>> = {
  closed: 'up',
  open: 'down',
  probing: 'trying',
};

const providerWords = (providers: Readonly<Record<string, CircuitState>>) =>
  Object.fromEntries(Object.entries(providers).map(([name, state]) => [name, WORDS[state]]));

/**
 * Adds the health checks for supervisors: alive, and ready to serve. A message provider that is down is reported
 * without making the instance unready: people can still sign in.
 */
export function installHealth(
  app: FastifyInstance,
  { isWritable, engine }: Database,
  state: {
    readonly isDraining: () => boolean;
    readonly isClockRight: () => boolean;
    readonly providers: () => Readonly<Record<string, CircuitState>>;
  },
): void {
  app.get('/api/health/live', async () => ({ status: 'live' }));
  // For `porchlight doctor`: a caller learns its own address only.
  app.get('/api/health/address', async ({ ip }) => ({ address: ip }));
  app.get('/api/health/ready', async (_request, reply) => {
    try {
      if (!state.isClockRight()) {
        app.log.error('not ready: the clock of this machine is off by more than 5 s');
        return await reply.status(503).send({ status: 'clock is off', database: engine });
      }
      if (!state.isDraining() && (await isWritable())) {
        return { status: 'ready', database: engine, providers: providerWords(state.providers()) };
      }
    } catch (error) {
      app.log.warn({ err: error }, 'not ready');
    }
    return reply.status(503).send({ status: 'unavailable', database: engine });
  });
}
