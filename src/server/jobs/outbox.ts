import { AsyncResource } from 'node:async_hooks';
import { randomInt, randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { HOUR_MS } from '#domain/text/duration.ts';
import { type Clock, later } from '../core/clock.ts';
import type { Db } from '../db/database.ts';
import type { SecretBox } from '../crypto/secret-box.ts';
import { CircuitOpenError, PermanentError } from './errors.ts';
import { createPeriodic } from './periodic.ts';
import {
  type DeadJob,
  type Job,
  type JobDefinition,
  type JobTraces,
  failureReason,
  RetryLater,
} from './job.ts';

export type Outbox = ReturnType<typeof createOutbox>;

type Deps = {
  readonly db: Db;
  readonly clock: Clock;
  readonly secretBox: SecretBox;
  readonly onError: (error: unknown, job: { kind: string; id: string }) => void;
  /** Called for every dead letter, after the definition's own `onDead`. */
  readonly onDead?: (job: DeadJob) => Promise<void>;
  /** Connects jobs with the trace of their cause; `null`: no tracing. */
  readonly traces?: JobTraces | null;
};

const BATCH = 10;
/** Jobs in flight at once in one instance: a receiver that hangs blocks one slot only. */
const MOST_AT_ONCE = 40;
/** Milliseconds until another worker takes over the jobs of a dead one: most of a code's life is left then (R41). */
const LEASE_MS = 10_000;
/** Milliseconds. A try may take longer than a lease, so a running worker renews it; one or two renewals may fail. */
const BEAT_MS = 3000;
const POLL_MS = 1000;
const MAX_ATTEMPTS = 20;
/** Milliseconds after which a failing job is given up. */
export const GIVE_UP_MS = 72 * HOUR_MS;
const FIRST_DELAY_MS = 1000;
const LONGEST_DELAY_MS = HOUR_MS;
/** Milliseconds: a job that expires soon must be retried soon. */
const LONGEST_DELAY_OF_EXPIRING_MS = 15_000;
/** Payloads hold codes and addresses: they are stored encrypted and deleted when the job is done. */
const SEAL = 'outbox';
const EXPIRED = 'expired';

/** Returns the content of a job. */
export const openPayload = (
  secretBox: Pick<SecretBox, 'decrypt'>,
  { sealed }: Readonly<Record<string, unknown>>,
): Record<string, unknown> =>
  JSON.parse(secretBox.decrypt(SEAL, String(sealed))) as Record<string, unknown>;

/**
 * Creates the outbox: at least once, each job leased to one worker, back-off with jitter, dead letters (security R41).
 */
export function createOutbox(deps: Deps) {
  const { db, clock, secretBox, onError, traces = null } = deps;
  let timer: NodeJS.Timeout | null = null;
  let running: Promise<unknown> = Promise.resolve();
  let isStopped = false;
  const definitions = new Map<string, JobDefinition>();
  const inFlight = new Set<Promise<void>>();
  let ended = 0;
  /** The running jobs of this worker: the number of the try, by the job's id. */
  const held = new Map<string, number>();
  const beat = createPeriodic(BEAT_MS, keepLeases, (error) => reportLoop(error), {
    firstAfterMs: BEAT_MS,
  });

  async function claim(count: number) {
    const now = clock.now();
    return db
      .updateTable('outbox')
      .set({ locked_until: later(now, LEASE_MS), attempts: sql`attempts + 1` })
      .where('id', 'in', (query) =>
        query
          .selectFrom('outbox')
          .select('id')
          .where('done_at', 'is', null)
          .where('dead_at', 'is', null)
          .where('run_at', '<=', now)
          .where((eb) => eb.or([eb('locked_until', 'is', null), eb('locked_until', '<=', now)]))
          .orderBy('run_at')
          .limit(count)
          .forUpdate()
          .skipLocked(),
      )
      .returning([
        'id',
        'kind',
        'payload',
        'idempotency_key',
        'attempts',
        'expires_at',
        'give_up_at',
      ])
      .execute();
  }

  type Claimed = Awaited<ReturnType<typeof claim>>[number];

  /** Renews the leases; a job that another worker has taken over stays as it is. */
  async function keepLeases(): Promise<void> {
    if (held.size === 0) return;
    await db
      .updateTable('outbox')
      .set({ locked_until: later(clock.now(), LEASE_MS) })
      .where((eb) => eb.or([...held].map(([id, attempts]) => eb.and({ id, attempts }))))
      .where('locked_until', 'is not', null)
      .execute();
  }

  async function execute(job: Claimed): Promise<void> {
    held.set(job.id, job.attempts);
    try {
      await run(job);
    } finally {
      if (held.get(job.id) === job.attempts) held.delete(job.id);
    }
  }

  async function run(job: Claimed): Promise<void> {
    const definition = definitions.get(job.kind);
    try {
      if (await isOver(job)) return await markDead(job, EXPIRED);
      if (!definition) return await markDead(job, new Error(`no definition of ${job.kind}`));
      const payload = openPayload(secretBox, job.payload);
      const deliver = () => definition.deliver(payload, job.idempotency_key, job.expires_at);
      const { kind, attempts: attempt } = job;
      const about = { kind, attempt, parent: job.payload.parent };
      await (traces ? traces.job(about, deliver) : deliver());
    } catch (error) {
      return reschedule(job, error);
    }
    await db
      .updateTable('outbox')
      .set({ done_at: clock.now(), locked_until: null, last_error: null, payload: '{}' })
      .where('id', '=', job.id)
      .execute();
  }

  async function isOver({ kind, idempotency_key, expires_at }: Claimed): Promise<boolean> {
    if (!expires_at || expires_at > clock.now()) return false;
    const expiry = (await definitions.get(kind)?.expiryOf?.(idempotency_key, expires_at)) ?? null;
    return expiry === null || expiry <= clock.now();
  }

  /** Marks a job as given up. It keeps its payload, so that an operator can send it again; an expiring one loses it. */
  async function markDead(job: Claimed, cause: unknown): Promise<void> {
    const { id, kind, idempotency_key: idempotencyKey } = job;
    const isExpired = cause === EXPIRED;
    const isKept = !isExpired && job.expires_at === null;
    const last_error = isExpired ? EXPIRED : failureReason(cause);
    const marked = await whileLeased(job)
      .set({ dead_at: clock.now(), locked_until: null, last_error })
      .$if(!isKept, (query) => query.set({ payload: '{}' }))
      .returning('id')
      .executeTakeFirst();
    if (!marked) return;
    const dead = { id, kind, idempotencyKey, cause, isExpired, isKept };
    await definitions.get(kind)?.onDead?.(dead);
    await deps.onDead?.(dead);
  }

  /** Updates the job only while its lease is this worker's: after a lease has run out, another worker owns it. */
  const whileLeased = (job: Claimed) =>
    db
      .updateTable('outbox')
      .where('id', '=', job.id)
      .where('attempts', '=', job.attempts)
      .where('done_at', 'is', null)
      .where('dead_at', 'is', null);

  async function reschedule(job: Claimed, error: unknown): Promise<void> {
    if (error instanceof PermanentError)
      return markDead(job, error.reason === EXPIRED ? EXPIRED : error);
    const now = clock.now();
    const isTooOld = job.give_up_at !== null && job.give_up_at <= now;
    if (isTooOld || (job.attempts >= MAX_ATTEMPTS && !(error instanceof CircuitOpenError))) {
      return markDead(job, error);
    }
    if (error instanceof CircuitOpenError) {
      // It was not tried, so it is not counted.
      await whileLeased(job)
        .set({ run_at: later(now, error.waitMs), locked_until: null, attempts: sql`attempts - 1` })
        .execute();
      return;
    }
    if (!(error instanceof RetryLater)) onError(error, { kind: job.kind, id: job.id });
    const longest = job.expires_at ? LONGEST_DELAY_OF_EXPIRING_MS : LONGEST_DELAY_MS;
    const delay = Math.min(FIRST_DELAY_MS * 2 ** (job.attempts - 1), longest);
    await whileLeased(job)
      .set({
        run_at: later(now, (delay * randomInt(500, 1000)) / 1000),
        locked_until: null,
        last_error: failureReason(error),
      })
      .execute();
  }

  /** Runs due jobs; returns how many were tried. */
  async function runDue(): Promise<number> {
    const jobs = await claim(BATCH);
    await Promise.all(jobs.map(execute));
    return jobs.length;
  }

  const reportLoop = (error: unknown) => onError(error, { kind: 'outbox', id: '' });

  /** Claims due jobs while slots are free; a hanging job keeps only its own slot. */
  async function takeDue(): Promise<void> {
    for (;;) {
      const free = Math.min(BATCH, MOST_AT_ONCE - inFlight.size);
      if (isStopped || free <= 0) return;
      const jobs = await claim(free);
      for (const job of jobs) {
        const work: Promise<void> = execute(job)
          .catch(reportLoop)
          .finally(() => {
            inFlight.delete(work);
            ended += 1;
            // A due job may be waiting for a free slot.
            if (inFlight.size === MOST_AT_ONCE - 1) loop();
          });
        inFlight.add(work);
      }
      if (jobs.length < free) return;
    }
  }

  function loop(): void {
    running = running.then(takeDue).catch(reportLoop);
  }

  /** The worker's run must not belong to the request that woke it. */
  const loopApart = AsyncResource.bind(loop);

  /** Resolves when all due jobs are done, also those that this worker was running already. */
  async function settle(): Promise<void> {
    let endedBefore: number;
    do {
      endedBefore = ended;
      loop();
      await running;
      await Promise.all(inFlight);
      // A job can have added another one, also one that ended while the worker looked for due jobs.
    } while (ended > endedBefore);
  }

  return {
    /** Registers a kind of job. @throws Error when the kind has a definition already */
    define(job: JobDefinition): void {
      if (definitions.has(job.kind)) throw new Error(`${job.kind} is defined twice`);
      definitions.set(job.kind, job);
    },
    /** Adds a job in the transaction of its cause; one with the same idempotency key is added once. */
    async add(transaction: Db, job: Job): Promise<void> {
      const { kind, payload, idempotencyKey, expiresAt = null } = job;
      const now = clock.now();
      const sealed = secretBox.encrypt(SEAL, JSON.stringify(payload));
      const parent = traces?.parent();
      await transaction
        .insertInto('outbox')
        .values({
          id: randomUUID(),
          kind,
          payload: JSON.stringify({ sealed, ...(parent && { parent }) }),
          idempotency_key: idempotencyKey,
          created_at: now,
          run_at: now,
          expires_at: expiresAt,
          give_up_at: later(now, GIVE_UP_MS),
        })
        .onConflict((conflict) => conflict.column('idempotency_key').doNothing())
        .execute();
    },
    /** Wakes the worker after a commit. */
    wake(): void {
      if (!isStopped) setImmediate(loopApart);
    },
    runDue,
    settle,
    start(): void {
      timer = setInterval(loop, POLL_MS);
      timer.unref();
      beat.start();
    },
    async stop(): Promise<void> {
      isStopped = true;
      if (timer) clearInterval(timer);
      await running;
      await Promise.all(inFlight);
      await beat.stop();
    },
  };
}
