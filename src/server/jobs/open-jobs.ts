import { sql } from 'kysely';

/**
 * What waits in the outbox, and dead letters that could still be sent: what expired was wiped. As the index says it
 * (migration 0023).
 */
export const isOpenJob = sql<boolean>`done_at is null and (dead_at is null or payload <> '{}'::jsonb)`;
