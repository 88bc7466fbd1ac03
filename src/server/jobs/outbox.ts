import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { type Clock, later } from '../clock.ts';
import type { Db } from '../db/database.ts';
import type { Keyring } from '../secrets.ts';

export type Job = {
  readonly kind: string;
  readonly payload: Readonly<Record<string, unknown>>;
  /** The same for every try: receivers drop what they have seen. */
  readonly idempotencyKey: string;
  /** After this there is no point in delivering. */
  readonly expiresAt?: Date;
};

export type Handler = (payload: Record<string, unknown>, idempotencyKey: string) => Promise<void>;

/** Nothing went wrong, there is just nothing to finish yet: the job is tried again like any other, without a warning. */
export class NotYet extends Error {}

export type Outbox = {
  /** Writes a job in the transaction of its cause. */
  add(db: Db, job: Job): Promise<void>;
  /** Tells the worker that something was committed. */
  wake(): void;
  /** Does what is due now; returns how many jobs were tried. */
  runDue(): Promise<number>;
  /** Resolves when what is due now is done, also what this worker was busy with already. */
  settle(): Promise<void>;
  start(): void;
  stop(): Promise<void>;
};

const BATCH = 10;
const LEASE_MS = 60_000;
const POLL_MS = 1000;
const MAX_ATTEMPTS = 20;
const FIRST_DELAY_MS = 1000;
const LONGEST_DELAY_MS = 60 * 60 * 1000;
/** Payloads hold codes and addresses: they rest sealed and go when the job is done. */
const SEAL = 'outbox';
const EXPIRED = 'expired';

/** The outbox: at least once, each job leased to one worker, back-off with jitter, dead letters (security R41). */
export function createOutbox(deps: {
  readonly db: Db;
  readonly clock: Clock;
  readonly keyring: Keyring;
  readonly handlers: Readonly<Record<string, Handler>>;
  readonly onError: (error: unknown, job: { kind: string; id: string }) => void;
}): Outbox {
  const { db, clock, keyring, handlers, onError } = deps;
  let timer: NodeJS.Timeout | null = null;
  let running: Promise<unknown> = Promise.resolve();
  let isStopped = false;

  async function claim() {
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
          .where((e) => e.or([e('locked_until', 'is', null), e('locked_until', '<=', now)]))
          .orderBy('run_at')
          .limit(BATCH)
          .forUpdate()
          .skipLocked(),
      )
      .returning(['id', 'kind', 'payload', 'idempotency_key', 'attempts', 'expires_at'])
      .execute();
  }

  type Claimed = Awaited<ReturnType<typeof claim>>[number];

  async function perform(job: Claimed): Promise<void> {
    const now = clock.now();
    if (job.expires_at && job.expires_at <= now) return finish(job.id, 'dead_at', EXPIRED);
    const handler = handlers[job.kind];
    if (!handler) return finish(job.id, 'dead_at', `no handler for ${job.kind}`);
    try {
      const payload = JSON.parse(keyring.unseal(SEAL, String(job.payload.sealed)));
      await handler(payload, job.idempotency_key);
      await finish(job.id, 'done_at', null);
    } catch (error) {
      if (!(error instanceof NotYet)) onError(error, { kind: job.kind, id: job.id });
      await putOff(job, error);
    }
  }

  /** A dead letter keeps its payload, so that an operator can send it after all; anything else is wiped. */
  async function finish(id: string, column: 'done_at' | 'dead_at', why: string | null) {
    const isDeadLetter = column === 'dead_at' && why !== EXPIRED;
    await db
      .updateTable('outbox')
      .set({
        [column]: clock.now(),
        locked_until: null,
        last_error: why,
        ...(!isDeadLetter && { payload: '{}' }),
      })
      .where('id', '=', id)
      .execute();
  }

  async function putOff(job: Claimed, error: unknown): Promise<void> {
    const reason = error instanceof Error ? error.message.slice(0, 500) : 'unknown';
    if (job.attempts >= MAX_ATTEMPTS) return finish(job.id, 'dead_at', reason);
    const delay = Math.min(FIRST_DELAY_MS * 2 ** (job.attempts - 1), LONGEST_DELAY_MS);
    const jittered = delay * (0.5 + Math.random() / 2);
    await db
      .updateTable('outbox')
      .set({ run_at: later(clock.now(), jittered), locked_until: null, last_error: reason })
      .where('id', '=', job.id)
      .execute();
  }

  async function runDue(): Promise<number> {
    const jobs = await claim();
    await Promise.all(jobs.map(perform));
    return jobs.length;
  }

  function loop(): void {
    running = running
      .then(async () => {
        while (!isStopped && (await runDue()) === BATCH);
      })
      .catch((error: unknown) => onError(error, { kind: 'outbox', id: '' }));
  }

  return {
    async add(transaction, job) {
      const now = clock.now();
      await transaction
        .insertInto('outbox')
        .values({
          id: randomUUID(),
          kind: job.kind,
          payload: JSON.stringify({ sealed: keyring.seal(SEAL, JSON.stringify(job.payload)) }),
          idempotency_key: job.idempotencyKey,
          created_at: now,
          run_at: now,
          locked_until: null,
          expires_at: job.expiresAt ?? null,
          done_at: null,
          dead_at: null,
          last_error: null,
        })
        .onConflict((conflict) => conflict.column('idempotency_key').doNothing())
        .execute();
    },
    wake() {
      if (!isStopped) setImmediate(loop);
    },
    runDue,
    async settle() {
      loop();
      await running;
    },
    start() {
      timer = setInterval(loop, POLL_MS);
      timer.unref();
    },
    async stop() {
      isStopped = true;
      if (timer) clearInterval(timer);
      await running;
    },
  };
}
