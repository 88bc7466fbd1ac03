import type { FastifyInstance } from 'fastify';
import { sql } from 'kysely';
import type { Database } from '../db/database.ts';

/** For supervisors: alive, and ready to serve. Names the engine, and nothing else. */
export function installHealth(
  app: FastifyInstance,
  { db, engine }: Database,
  isDraining: () => boolean,
): void {
  app.get('/api/health/live', { schema: { hide: true } }, async () => ({ status: 'live' }));
  app.get('/api/health/ready', { schema: { hide: true } }, async (_request, reply) => {
    try {
      await sql`select 1`.execute(db);
      if (!isDraining()) return { status: 'ready', database: engine };
    } catch (error) {
      app.log.warn({ err: error }, 'not ready');
    }
    return reply.status(503).send({ status: 'unavailable', database: engine });
  });
}
