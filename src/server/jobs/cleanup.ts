import { type RawBuilder, sql } from 'kysely';
import { KEY_KEPT_MS } from '#domain/proofs/passkeys.ts';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '#domain/text/duration.ts';
import { type Clock, later } from '../core/clock.ts';
import type { Sealing } from '../audit/sealing.ts';
import type { Timers } from '../config/timers.ts';
import { endsRound } from '../db/availability.ts';
import type { Task } from '../core/task.ts';
import type { Db } from '../db/database.ts';
import { forEachRow } from '../db/each-row.ts';
import { createDeadLetters } from './dead-letters.ts';

/** Age at which the audit log drops an IP address and keeps its network (R50). */
const WHOLE_ADDRESS_MS = 30 * DAY_MS;
/** Rows a statement: enough to be quick, few enough for the statement's time limit, cascades included. */
const BATCH = 500;

/** Deletes rows of a table whose `column` is older than `keptMs`. Every column has an index: see migration 0011. */
type Retention = {
  readonly table: string;
  readonly column: string;
  readonly keptMs: number;
  readonly where?: (now: Date) => RawBuilder<unknown>;
  /** The unfinished step of a row, `null` for none, and its subtenant; each deleted row is reported once. */
  readonly unfinished?: {
    readonly what: RawBuilder<unknown>;
    readonly subtenant: RawBuilder<unknown>;
  };
  /** The provider's library uses the machine's clock, and so do its rows. */
  readonly isMachineTime?: boolean;
};

/** Returns how long each table keeps expired rows (R52). */
function retentions(leadDays: number, timers: Timers): readonly Retention[] {
  const { messagesMs, unprovenAccountMs, resetLinkMs } = timers;
  const resetLinkSeconds = sql.lit(resetLinkMs / 1000);
  return [
    // The number of doublings is remembered for a day.
    { table: 'limits', column: 'expires_at', keptMs: DAY_MS },
    // Kept a while longer, so that a late return still shows the application's name.
    { table: 'client_requests', column: 'expires_at', keptMs: DAY_MS },
    { table: 'authorizations', column: 'expires_at', keptMs: 0 },
    { table: 'organisation_sign_ins', column: 'expires_at', keptMs: 0 },
    { table: 'invitations', column: 'expires_at', keptMs: 0 },
    { table: 'page_codes', column: 'expires_at', keptMs: 0 },
    { table: 'answered_forms', column: 'expires_at', keptMs: 0 },
    { table: 'captcha_solutions', column: 'expires_at', keptMs: HOUR_MS },
    { table: 'auth_tokens', column: 'expires_at', keptMs: DAY_MS },
    {
      table: 'otp_codes',
      column: 'sent_at',
      keptMs: DAY_MS,
      unfinished: {
        // A replaced or used one is closed.
        what: sql`case when closed_at is not null then null when verified_at is null then type
          when type = 'USER_ACTIVATION' then 'verified' end`,
        subtenant: sql`(select subtenant_id from visits where visits.id = otp_codes.visit_id)`,
      },
    },
    {
      table: 'reset_links',
      column: 'expires_at',
      keptMs: DAY_MS,
      unfinished: {
        // The expiry of a replaced one was shortened.
        what: sql`case when used_at is null
          and expires_at >= created_at + make_interval(secs => ${resetLinkSeconds}) then 'unused' end`,
        subtenant: sql`subtenant_id`,
      },
    },
    // The undo of a change ends after three days; a month later nobody asks about it.
    { table: 'contact_changes', column: 'asked_at', keptMs: 30 * DAY_MS },
    { table: 'staff_changes', column: 'asked_at', keptMs: 30 * DAY_MS },
    // Kept a month, so that the page and the help desk still show who helped.
    { table: 'helpers', column: 'removed_at', keptMs: 30 * DAY_MS },
    { table: 'helpers', column: 'ends_at', keptMs: 30 * DAY_MS },
    // A used link of an active account still gets its own answer (SRV).
    { table: 'activation_links', column: 'expires_at', keptMs: 365 * DAY_MS },
    { table: 'outbox', column: 'done_at', keptMs: messagesMs },
    { table: 'outbox', column: 'dead_at', keptMs: messagesMs },
    { table: 'messages', column: 'queued_at', keptMs: messagesMs },
    { table: 'inbox_messages', column: 'sent_at', keptMs: messagesMs },
    { table: 'received_leads', column: 'received_at', keptMs: leadDays * DAY_MS },
    { table: 'app_codes', column: 'removed_at', keptMs: 30 * DAY_MS },
    {
      table: 'app_codes',
      column: 'added_at',
      keptMs: DAY_MS,
      where: () => sql`confirmed_at is null`,
    },
    { table: 'key_challenges', column: 'expires_at', keptMs: 0 },
    { table: 'saved_keys', column: 'removed_at', keptMs: KEY_KEPT_MS },
    { table: 'visits', column: 'seen_at', keptMs: 30 * DAY_MS },
    { table: 'shared_devices', column: 'ended_at', keptMs: 30 * DAY_MS },
    // As long as their cookies live.
    { table: 'known_devices', column: 'seen_at', keptMs: 400 * DAY_MS },
    // The address of a deleted unproven account is free again.
    {
      table: 'users',
      column: 'created_at',
      keptMs: unprovenAccountMs,
      where: (now) => sql`status = 'pending' and not exists (
        select 1 from registrations where registrations.user_id = users.id
        and registrations.created_at >= ${later(now, -unprovenAccountMs)})`,
      unfinished: {
        what: sql`case when shadow_of is null then status end`,
        subtenant: sql`subtenant_id`,
      },
    },
    ...['hosted_payloads', 'hosted_tickets', 'hosted_challenges'].map((table) => ({
      table,
      column: 'expires_at',
      keptMs: 0,
      isMachineTime: true,
    })),
  ];
}

/** Returns the condition of the rows to delete. */
function isDue({ column, keptMs, where, isMachineTime }: Retention, now: Date) {
  const before = later(isMachineTime ? new Date() : now, -keptMs);
  return sql`${sql.ref(column)} < ${before} ${where ? sql`and ${where(now)}` : sql``}`;
}

export type Reports = {
  /** Rows deleted, by table. */
  readonly onDone: (deleted: Readonly<Record<string, number>>) => void;
  /** Called while there are any: they are deleted one day (`timers.messageDays`). */
  readonly onDeadLetters: (count: number) => void;
  readonly onError: (error: unknown, table: string) => void;
  /** Called for every deleted row of an unfinished step (decision 121). */
  readonly onUnfinished?: (left: Unfinished, subtenantId: number | null) => void;
};

type Deps = Reports & {
  readonly db: Db;
  readonly clock: Clock;
  readonly auditDays: number;
  readonly leadDays: number;
  readonly timers: Timers;
  readonly sealing: Sealing;
};

export type Unfinished = { readonly table: string; readonly what: string };

/** Deletes expired rows in batches; any number of instances may run it at once. */
export function createCleanup(deps: Deps) {
  const { db, clock, auditDays, leadDays, timers, sealing } = deps;
  const { onDone, onDeadLetters, onError, onUnfinished } = deps;

  /** Deletes some rows that are due, or the one at `place`. */
  async function deleteBatch(retention: Retention, now: Date, place?: string): Promise<number> {
    const { table, unfinished } = retention;
    const due = isDue(retention, now);
    const rowsToDelete = place === undefined ? due : sql`ctid = ${place}::tid and ${due}`;
    const told = unfinished ?? { what: sql`null::text`, subtenant: sql`null::integer` };
    const { rows } = await sql<{ what: string | null; subtenant: number | null }>`
      delete from ${sql.table(table)} where ctid = any(array(
      select ctid from ${sql.table(table)} where ${rowsToDelete}
      limit ${sql.lit(BATCH)} for update skip locked))
      returning ${told.what} as what, ${told.subtenant} as subtenant`.execute(db);
    for (const { what, subtenant } of rows) {
      if (what !== null) onUnfinished?.({ table, what }, subtenant);
    }
    return rows.length;
  }

  /** Deletes the rows one by one, after a batch has failed. @throws RowsFailed */
  async function deleteSingly(
    retention: Retention,
    now: Date,
    onDeleted: (count: number) => void,
    signal?: AbortSignal,
  ): Promise<void> {
    const { rows } = await sql<{ place: string }>`
      select ctid::text as place from ${sql.table(retention.table)} where ${isDue(retention, now)}`.execute(
      db,
    );
    const one = async ({ place }: { place: string }) =>
      onDeleted(await deleteBatch(retention, now, place));
    await forEachRow(rows, one, signal);
  }

  /** Deletes all rows of a table that are due. @returns whether it failed, in part at least */
  async function clear(
    retention: Retention,
    now: Date,
    onDeleted: (count: number) => void,
    signal?: AbortSignal,
  ): Promise<boolean> {
    try {
      for (let count = BATCH; count === BATCH && !signal?.aborted;) {
        count = await deleteBatch(retention, now);
        onDeleted(count);
      }
      return false;
    } catch (error) {
      const rowsFailed = endsRound(error)
        ? error
        : await deleteSingly(retention, now, onDeleted, signal).then(
            () => error,
            (failed: unknown) => failed,
          );
      onError(rowsFailed, retention.table);
      return true;
    }
  }

  /** The network of an address stays: the hash chain covers it in place of the address. */
  async function shortenBatch(now: Date): Promise<number> {
    const { rows } = await sql`update audit_events set ip = null where id = any(array(
      select id from audit_events
      where ip is not null and at < ${later(now, -WHOLE_ADDRESS_MS)} and seal is not null
      limit ${sql.lit(BATCH)} for update skip locked)) returning 1`.execute(db);
    return rows.length;
  }

  return {
    /**
     * Runs once over every table. A table or row that fails does not stop the others. With the signal it ends after the
     * current batch.
     * @throws Error naming the tables that failed, after the last one
     */
    async run(signal?: AbortSignal): Promise<void> {
      const now = clock.now();
      const deleted: Record<string, number> = {};
      const failed: string[] = [];
      for (const retention of retentions(leadDays, timers)) {
        const { table } = retention;
        const onDeleted = (count: number) => {
          if (count > 0) deleted[table] = (deleted[table] ?? 0) + count;
        };
        if (await clear(retention, now, onDeleted, signal)) failed.push(table);
      }
      try {
        // Whole batches, the oldest first: the chain continues from the last deleted one (decision 095).
        await sealing.seal(signal);
        const gone = await sealing.clearBefore(later(now, -auditDays * DAY_MS), signal);
        if (gone > 0) deleted.audit_events = gone;
        for (let count = BATCH; count === BATCH && !signal?.aborted;) {
          count = await shortenBatch(now);
        }
      } catch (error) {
        failed.push('audit_events');
        onError(error, 'audit_events');
      }
      onDone(deleted);
      if (signal?.aborted) return;
      const dead = await createDeadLetters({ db, clock }).list();
      if (dead.length > 0) onDeadLetters(dead.length);
      if (failed.length > 0) throw new Error(`clean-up failed: ${failed.join(', ')}`);
    },
  };
}

/** Deletes expired rows. */
export const cleaning = (deps: Deps): Task => ({
  everyMs: HOUR_MS,
  firstAfterMs: MINUTE_MS,
  run: createCleanup(deps).run,
  trace: 'clean-up',
  failed: 'clean-up failed, and will be tried again',
  level: 'error',
});
