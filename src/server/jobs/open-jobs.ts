import { sql } from 'kysely';

/**
 * Matches waiting jobs, and dead letters that can still be sent: expired ones have no content. Written as in the index
 * (migration 0023).
 */
export const isOpenJob = sql<boolean>`done_at is null and (dead_at is null or payload <> '{}'::jsonb)`;
