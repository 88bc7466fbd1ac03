import type { FastifyInstance } from 'fastify';
import { sql } from 'kysely';
import type { Database } from '../db/database.ts';
import type { CircuitState } from '../jobs/circuit-breaker.ts';

/**
 * For supervisors: alive, and ready to serve. A provider of messages that is down is told and keeps nobody from being
 * ready: people can still come in.
 */
export function installHealth(
  app: FastifyInstance,
  { db, engine }: Database,
  state: {
    readonly isDraining: () => boolean;
    readonly providers: () => Readonly<Record<string, CircuitState>>;
  },
): void {
  app.get('/api/health/live', { schema: { hide: true } }, async () => ({ status: 'live' }));
  app.get('/api/health/ready', { schema: { hide: true } }, async (_request, reply) => {
    try {
      await sql`select 1`.execute(db);
      if (!state.isDraining()) {
        return { status: 'ready', database: engine, providers: state.providers() };
      }
    } catch (error) {
      app.log.warn({ err: error }, 'not ready');
    }
    return reply.status(503).send({ status: 'unavailable', database: engine });
  });
}
