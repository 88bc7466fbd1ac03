import { sql } from 'kysely';
import { later } from '../clock.ts';
import type { Db } from '../db/database.ts';
import { isOpenJob } from '../jobs/open-jobs.ts';

const HOUR_MS = 60 * 60 * 1000;

type JobCount = {
  readonly kind: string;
  readonly state: 'waiting' | 'dead';
  readonly count: number;
  readonly oldestMs: number;
};

/** What waits in the outbox, and the dead letters that could still be sent; what is done is not looked at. */
export async function countJobs(db: Db, now: Date): Promise<readonly JobCount[]> {
  const rows = await db
    .selectFrom('outbox')
    .select([
      'kind',
      sql<boolean>`dead_at is not null`.as('is_dead'),
      sql<number>`count(*)`.as('count'),
      sql<Date>`min(created_at)`.as('oldest'),
    ])
    .where(isOpenJob)
    .groupBy(['kind', sql`dead_at is not null`])
    .execute();
  return rows.map(({ kind, is_dead, count, oldest }) => ({
    kind,
    state: is_dead ? 'dead' : 'waiting',
    count: Number(count),
    oldestMs: Math.max(0, now.getTime() - new Date(oldest).getTime()),
  }));
}

/** Messages that were queued in the last hour, by what became of them. */
export async function countMessages(db: Db, now: Date) {
  const rows = await db
    .selectFrom('messages')
    .select(['channel', 'state', sql<number>`count(*)`.as('count')])
    .where('queued_at', '>', later(now, -HOUR_MS))
    .groupBy(['channel', 'state'])
    .execute();
  return rows.map((row) => ({ ...row, count: Number(row.count) }));
}
