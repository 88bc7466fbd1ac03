import { foldAllNames } from '../accounts/name-keys.ts';
import { sealPlainAnswers } from '../accounts/survey-text.ts';
import { eraseClosed } from '../administration/close-account.ts';
import { applyDueChanges } from '../contacts/staff-changes.ts';
import { readLastSeal } from '../audit/audit-store.ts';
import type { Sealing } from '../audit/sealing.ts';
import { headOf } from '../audit/verify.ts';
import type { SharedDevices } from '../counter/shared-devices.ts';
import { REFRESH_MS } from '../crypto/rotation-schedule.ts';
import { createCleanup } from '../jobs/cleanup.ts';
import { createPeriodic, type Periodic } from '../jobs/periodic.ts';
import type { Accounts } from './accounts.ts';
import type { Core } from './core.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
/** Milliseconds between looks for shared devices whose time is over, and whose browser no longer asks. */
const SHARED_EVERY_MS = 15_000;
/** Milliseconds between looks for accounts whose day has come. */
const CLOSED_EVERY_MS = 5 * MINUTE_MS;
/** So long nothing tells whether a row was changed. */
const SEAL_EVERY_MS = 5000;
/** Soon enough for an instance that is restarted every day, late enough not to slow its start. */
const SOON_MS = 60_000;

type Parts = {
  readonly core: Core;
  readonly reminders: Accounts['reminders'];
  readonly sharedDevices: Pick<SharedDevices, 'clearOverdue'>;
  readonly sealing: Sealing;
};

/** A row of the table: what runs how often, and what the log says of a run that failed. */
type Task = {
  readonly everyMs: number;
  /** 0: at the start. */
  readonly firstAfterMs: number;
  readonly run: (signal: AbortSignal) => Promise<unknown>;
  /** The name of its trace. What runs all the time has none: it would bury the traces of requests. */
  readonly trace?: string;
  readonly failed: string;
  readonly level: 'warn' | 'error';
};

/** Creates the work that nobody asks for, by name; nothing of it is started. */
export function createTasks({ core, reminders, sharedDevices, sealing }: Parts) {
  const { context, fastify, databaseClock, keys, tracer } = core;
  const { db, clock, config } = context;
  const cleanup = createCleanup({
    db,
    clock,
    auditDays: config.auditDays,
    leadDays: config.leadDays,
    timers: config.timers,
    sealing,
    onDone: (deleted) => fastify.log.info({ deleted }, 'clean-up'),
    onDeadLetters: (count) => fastify.log.error({ count }, 'dead letters: see porchlight outbox'),
    onUnfinished: core.recordUnfinished,
    onError(error, table) {
      fastify.log.error({ err: error, table }, 'clean-up failed, and will be tried again');
      core.metrics?.countEvent('cleanup.failed');
    },
  });

  async function logHead(): Promise<void> {
    const head = await readLastSeal(db);
    if (head) fastify.log.info({ head: headOf(head) }, 'audit log sealed');
  }

  const table = {
    cleaning: {
      everyMs: HOUR_MS,
      firstAfterMs: SOON_MS,
      run: cleanup.run,
      trace: 'clean-up',
      failed: 'clean-up failed, and will be tried again',
      level: 'error',
    },
    surveySealing: {
      everyMs: HOUR_MS,
      firstAfterMs: SOON_MS,
      run: (signal) => sealPlainAnswers(context, signal),
      failed: 'survey answers will be sealed later',
      level: 'warn',
    },
    nameKeys: {
      everyMs: MINUTE_MS,
      firstAfterMs: 0,
      run: (signal) => foldAllNames(context.db, signal),
      failed: 'names will be made ready for the search later',
      level: 'warn',
    },
    keyRefresh: {
      everyMs: REFRESH_MS,
      firstAfterMs: REFRESH_MS,
      run: keys.refresh,
      failed: 'the keys will be read again',
      level: 'warn',
    },
    reminders: {
      everyMs: HOUR_MS,
      firstAfterMs: 0,
      run: reminders.sendDue,
      trace: 'reminders',
      failed: 'reminders will be tried again',
      level: 'warn',
    },
    erasures: {
      everyMs: CLOSED_EVERY_MS,
      firstAfterMs: 0,
      run: () => eraseClosed(context),
      trace: 'closed accounts',
      failed: 'closed accounts will be erased later',
      level: 'error',
    },
    staffChanges: {
      everyMs: CLOSED_EVERY_MS,
      firstAfterMs: 0,
      run: () => applyDueChanges(context),
      trace: 'changes by staff',
      failed: 'changes by staff will take effect later',
      level: 'error',
    },
    clearings: {
      everyMs: SHARED_EVERY_MS,
      firstAfterMs: SHARED_EVERY_MS,
      run: sharedDevices.clearOverdue,
      failed: 'shared devices will be cleared later',
      level: 'error',
    },
    clockSyncs: {
      everyMs: MINUTE_MS,
      firstAfterMs: MINUTE_MS,
      run: async () => databaseClock?.sync(),
      failed: "the database's clock will be looked at again",
      level: 'warn',
    },
    auditSealing: {
      everyMs: SEAL_EVERY_MS,
      firstAfterMs: 0,
      run: sealing.seal,
      failed: 'the audit log will be sealed later',
      level: 'warn',
    },
    // Outside of the database: who takes the newest batches away cannot take these lines.
    auditHead: {
      everyMs: HOUR_MS,
      firstAfterMs: 0,
      run: logHead,
      failed: 'the newest batch of the audit log could not be told',
      level: 'warn',
    },
  } satisfies Readonly<Record<string, Task>>;

  const begin = ({ everyMs, firstAfterMs, run, trace, failed, level }: Task): Periodic =>
    createPeriodic(
      everyMs,
      (signal) => (trace && tracer ? tracer.periodic(trace, () => run(signal)) : run(signal)),
      (error) => fastify.log[level]({ err: error }, failed),
      { firstAfterMs },
    );
  return Object.fromEntries(Object.entries(table).map(([name, task]) => [name, begin(task)]));
}
