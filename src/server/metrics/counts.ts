import { sql } from 'kysely';
import type { Db } from '../db/database.ts';

/** So many of a kind are counted; more are as bad, and counting all of them would cost more the worse it gets. */
export const MOST_COUNTED = 10_000;

type JobCount = {
  readonly kind: string;
  readonly state: 'waiting' | 'dead';
  readonly count: number;
  readonly oldestMs: number;
};

/** As the indexes of migration 0020 have it. Expired jobs were wiped, and need no operator. */
const STATES = [
  ['waiting', sql`done_at is null and dead_at is null`],
  ['dead', sql`done_at is null and dead_at is not null and payload::text != '{}'`],
] as const;

/** Counts waiting jobs and dead letters that could still be sent, along an index, up to `MOST_COUNTED` a kind. */
export async function countJobs(db: Db, now: Date): Promise<readonly JobCount[]> {
  const counts: JobCount[] = [];
  for (const [state, isIn] of STATES) {
    // From kind to kind, by the first row of each.
    const { rows } = await sql<{ kind: string; count: number; oldest: Date }>`
      with recursive kinds as (
        (select kind from outbox where ${isIn} order by kind limit 1)
        union all
        select (select outbox.kind from outbox where ${isIn} and outbox.kind > kinds.kind
          order by outbox.kind limit 1) from kinds where kinds.kind is not null
      )
      select kinds.kind, count(found.created_at)::int as count, min(found.created_at) as oldest
      from kinds cross join lateral (
        select created_at from outbox where ${isIn} and outbox.kind = kinds.kind
        order by created_at limit ${sql.lit(MOST_COUNTED)}) found
      group by kinds.kind order by kinds.kind`.execute(db);
    for (const { kind, count, oldest } of rows) {
      const oldestMs = Math.max(0, now.getTime() - new Date(oldest).getTime());
      counts.push({ kind, state, count, oldestMs });
    }
  }
  return counts;
}

/** Returns the time of the oldest event outside the hash chain. */
export async function oldestUnsealed(db: Db): Promise<Date | null> {
  const { rows } = await sql<{ at: Date }>`
    select at from audit_events where seal is null order by id limit 1`.execute(db);
  return rows[0]?.at ?? null;
}

/** Returns the time of the newest `porchlight backup`. */
export async function newestBackup(db: Db): Promise<Date | null> {
  const { rows } = await sql<{ at: Date | null }>`
    select max(at) as at from audit_events where kind = 'backup.made'`.execute(db);
  return rows[0]?.at ?? null;
}
