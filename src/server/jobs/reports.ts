import type { FastifyBaseLogger } from 'fastify';
import { HOUR_MS } from '#domain/text/duration.ts';
import type { Audit } from '../audit/audit.ts';
import { readLastSeal } from '../audit/audit-store.ts';
import { sealHead } from '../audit/verify.ts';
import type { Db } from '../db/database.ts';
import type { Task } from '../core/task.ts';
import type { CircuitState } from './circuit-breaker.ts';
import type { Reports as CleanupReports, Unfinished } from './cleanup.ts';
import { TransientError } from './errors.ts';
import type { DeadJob } from './job.ts';

type Log = Pick<FastifyBaseLogger, 'info' | 'warn' | 'error'>;

/** Reports failed tries and dead letters of the outbox. */
export const reportJobs = (log: Log, audit: Audit) => ({
  onError(error: unknown, job: { readonly kind: string; readonly id: string }): void {
    // An answer that was foreseen needs no stack.
    const cause = error instanceof TransientError ? { problem: error.message } : { err: error };
    log.warn({ ...cause, job }, 'job will be tried again');
  },
  /** The content of a dead letter is lost unless an operator sends it again. */
  async onDead({ id, kind, cause, isKept }: DeadJob): Promise<void> {
    if (!isKept) return;
    log.error({ err: cause, job: { id, kind } }, 'dead letter: see porchlight outbox');
    await audit({ kind: 'outbox.dead', details: { id, kind } });
  },
});

/** Reports a provider that is down, and its return. */
export const reportProvider = (log: Log) => (provider: string, state: CircuitState) => {
  if (state === 'open') {
    log.error({ provider }, 'a provider is down: what waits for it is tried again');
  } else if (state === 'closed') log.warn({ provider }, 'a provider answers again');
};

/** Reports the head of the audit log's chain: a person who deletes the newest batches cannot delete these lines. */
export const auditHead = (db: Db, log: Log): Task => ({
  everyMs: HOUR_MS,
  async run() {
    const head = await readLastSeal(db);
    if (head) log.info({ head: sealHead(head) }, 'audit log sealed');
  },
  failed: 'the newest batch of the audit log could not be told',
});

type Counts = {
  countEvent(kind: string): void;
  recordUnfinished(left: Unfinished, subtenantId: number | null): void;
};

/** Reports the work of clean-up. */
export const reportCleanup = (log: Log, metrics: Counts | null): Required<CleanupReports> => ({
  onDone: (deleted) => log.info({ deleted }, 'clean-up'),
  onDeadLetters: (count) => log.error({ count }, 'dead letters: see porchlight outbox'),
  onUnfinished: (left, subtenantId) => metrics?.recordUnfinished(left, subtenantId),
  onError(error, table) {
    log.error({ err: error, table }, 'clean-up failed, and will be tried again');
    metrics?.countEvent('cleanup.failed');
  },
});
