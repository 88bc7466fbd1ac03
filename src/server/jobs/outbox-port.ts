import type { Db } from '../db/database.ts';
import type { Job, JobDefinition } from './job.ts';

export type Outbox = {
  /** Registers a kind of job. @throws Error when the kind has a definition already */
  define(job: JobDefinition): void;
  /** Adds a job in the transaction of its cause; one with the same idempotency key is added once. */
  add(db: Db, job: Job): Promise<void>;
  /** Wakes the worker after a commit. */
  wake(): void;
  /** Runs due jobs; returns how many were tried. */
  runDue(): Promise<number>;
  /** Resolves when all due jobs are done, also those that this worker was running already. */
  settle(): Promise<void>;
  start(): void;
  stop(): Promise<void>;
};
