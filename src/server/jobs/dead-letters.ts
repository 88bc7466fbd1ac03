import { sql } from 'kysely';
import { type Clock, later } from '../core/clock.ts';
import type { Db } from '../db/database.ts';
import { isOpenJob } from './open-jobs.ts';
import { GIVE_UP_MS } from './outbox.ts';

type DeadLetters = ReturnType<typeof createDeadLetters>;
export type DeadLetter = Awaited<ReturnType<DeadLetters['list']>>[number];

/** Lists and requeues dead letters, for the operator who has removed the cause. */
export function createDeadLetters({ db, clock }: { db: Db; clock: Clock }) {
  return {
    /** Returns those that can still be sent, the oldest first. */
    async list() {
      const rows = await db
        .selectFrom('outbox')
        .selectAll()
        .where(isOpenJob)
        .where('dead_at', 'is not', null)
        .orderBy('created_at')
        .execute();
      return rows.map((row) => ({
        id: row.id,
        kind: row.kind,
        key: row.idempotency_key,
        createdAt: row.created_at,
        deadAt: row.dead_at ?? row.created_at,
        attempts: row.attempts,
        reason: row.last_error ?? '',
      }));
    },
    /** Requeues the one with this id, or `all`; first calls `tell` with their number in the same transaction. */
    async retry(id: string, tell?: (transaction: Db, count: number) => Promise<void>) {
      const now = clock.now();
      return db.transaction().execute(async (transaction) => {
        const rows = await transaction
          .updateTable('outbox')
          .set({ dead_at: null, attempts: 0, run_at: now, give_up_at: later(now, GIVE_UP_MS) })
          .where(isOpenJob)
          .where('dead_at', 'is not', null)
          .$if(id !== 'all', (query) => query.where(sql`id::text`, '=', id))
          .returning('idempotency_key')
          .execute();
        const keys = rows.map((row) => row.idempotency_key);
        if (keys.length > 0) {
          await transaction
            .updateTable('messages')
            .set({ state: 'queued', reason: null, failed_at: null })
            .where('idempotency_key', 'in', keys)
            .where('state', '=', 'failed')
            .execute();
        }
        await tell?.(transaction, rows.length);
        return rows.length;
      });
    },
    /** Deletes the content of one for good; `tell` writes the event in the same transaction. */
    drop: (id: string, tell: (transaction: Db) => Promise<void>) =>
      db.transaction().execute(async (transaction) => {
        const dropped = await transaction
          .updateTable('outbox')
          .set({ payload: '{}' })
          .where(isOpenJob)
          .where('dead_at', 'is not', null)
          .where(sql`id::text`, '=', id)
          .returning('id')
          .executeTakeFirst();
        if (dropped) await tell(transaction);
        return dropped !== undefined;
      }),
  };
}
