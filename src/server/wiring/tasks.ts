import { foldAllNames } from '../accounts/name-keys.ts';
import { sealPlainAnswers } from '../accounts/survey-text.ts';
import { eraseClosed } from '../administration/close-account.ts';
import { applyDueChanges } from '../contacts/apply-staff-change.ts';
import { REFRESH_MS } from '../crypto/rotation-schedule.ts';
import { createCleanup } from '../jobs/cleanup.ts';
import { createPeriodic, type Periodic } from '../jobs/periodic.ts';
import { reportCleanup, reportSeal } from '../jobs/reports.ts';
import type { Parts } from './parts.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
/** Milliseconds between looks for shared devices whose time is over, and whose browser no longer asks. */
const SHARED_EVERY_MS = 15_000;
/** Milliseconds between looks for accounts whose day has come. */
const CLOSED_EVERY_MS = 5 * MINUTE_MS;
/** Rows written within this interval are not yet in the hash chain. */
const SEAL_EVERY_MS = 5000;
/** One minute: after the work of a start, and well before a daily restart. */
const SOON_MS = 60_000;

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

type Table = Readonly<Record<string, Task>>;

/** Creates the work that no request asks for, by name; nothing of it is started. */
export function createTasks(parts: Parts): Readonly<Record<string, Periodic>> {
  const { fastify, tracer } = parts;
  const begin = ({ everyMs, firstAfterMs, run, trace, failed, level }: Task): Periodic =>
    createPeriodic(
      everyMs,
      (signal) => (trace && tracer ? tracer.periodic(trace, () => run(signal)) : run(signal)),
      (error) => fastify.log[level]({ err: error }, failed),
      { firstAfterMs },
    );
  const table: Table = {
    ...storedDataTasks(parts),
    ...peopleTasks(parts),
    ...clockTasks(parts),
    ...auditTasks(parts),
  };
  return Object.fromEntries(Object.entries(table).map(([name, task]) => [name, begin(task)]));
}

/** Deletes expired rows, and brings stored ones to their present form. */
function storedDataTasks({ context, config, fastify, metrics, sealing }: Parts): Table {
  const reports = reportCleanup(fastify.log, metrics);
  const cleanup = createCleanup({ ...config, ...context, sealing, ...reports });
  return {
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
  };
}

/** Does for people what has become due. */
function peopleTasks({ context, reminders, sharedDevices }: Parts): Table {
  return {
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
  };
}

/** Follows what other instances, or the database, have changed. */
function clockTasks({ keys, databaseClock }: Parts): Table {
  return {
    keyRefresh: {
      everyMs: REFRESH_MS,
      firstAfterMs: REFRESH_MS,
      run: keys.refresh,
      failed: 'the keys will be read again',
      level: 'warn',
    },
    clockSyncs: {
      everyMs: MINUTE_MS,
      firstAfterMs: MINUTE_MS,
      run: databaseClock.sync,
      failed: "the database's clock will be looked at again",
      level: 'warn',
    },
  };
}

function auditTasks({ context, fastify, sealing }: Parts): Table {
  return {
    auditSealing: {
      everyMs: SEAL_EVERY_MS,
      firstAfterMs: 0,
      run: sealing.seal,
      failed: 'the audit log will be sealed later',
      level: 'warn',
    },
    auditHead: {
      everyMs: HOUR_MS,
      firstAfterMs: 0,
      run: reportSeal(context.db, fastify.log),
      failed: 'the newest batch of the audit log could not be told',
      level: 'warn',
    },
  };
}
