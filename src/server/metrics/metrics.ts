import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from '@prometheus-io/client';
import type { Clock } from '../clock.ts';
import type { Db } from '../db/database.ts';
import type { CircuitState } from '../jobs/circuit-breaker.ts';
import type { Periodic } from '../jobs/periodic.ts';
import type { HashingWatch } from '../password/hashing.ts';
import { MODULE_IDS } from '#domain/people/roles.ts';
import type { MessageNews } from '../notifications/courier.ts';
import { countJobs, newestBackup, oldestUnsealed } from './counts.ts';
import {
  givenUp,
  type StepCount,
  stepOfMessage,
  stepOfPath,
  stepsOf,
  type Unfinished,
} from './steps.ts';

export type Metrics = {
  /** One more event that is in no audit log; kinds are words of ours, never of a visitor. */
  countEvent(kind: string): void;
  /** One more entry of the audit log, and the steps of a journey that it tells of. */
  recordEvent(event: {
    readonly kind: string;
    readonly subtenantId: number | null;
    readonly details: Readonly<Record<string, unknown>>;
  }): void;
  recordMessage(news: MessageNews): void;
  /** Counts the unfinished steps that clean-up deleted. */
  recordUnfinished(left: Unfinished, subtenantId: number | null): void;
  /** `reason`: a code of the table of errors. `path`: of a route, never an address with an id. */
  countRefusal(refusal: {
    readonly path: string;
    readonly reason: string;
    readonly subtenantId: number | null;
  }): void;
  countLimit(limit: string): void;
  countSpans(outcome: 'sent' | 'dropped', count: number): void;
  readonly hashing: HashingWatch;
  /** Reads, at each scrape, how long each periodic task has been overdue. */
  watchTasks(tasks: Readonly<Record<string, Pick<Periodic, 'overdueMs'>>>): void;
  /** `route` is a template such as `/api/Handoff/:id`, never an address. */
  timeRequest(request: { method: string; route: string; status: number }, seconds: number): void;
  /** Everything, in Prometheus' text format. */
  text(providers: Readonly<Record<string, CircuitState>>): Promise<string>;
  readonly contentType: string;
  close(): void;
};

const SECONDS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];
const WAIT_SECONDS = [0.001, 0.01, 0.05, 0.1, 0.25, 0.5, 1];
/** Subtenants that have a label of their own in one instance; those that come later share one. */
export const MOST_SUBTENANTS = 50;
const NONE = 'none';
const OTHER = 'other';
/** Hand-offs, by the event that tells of one. */
const HAND_OFFS: Readonly<Record<string, string>> = {
  'handoff.issued': 'issued',
  'handoff.redeemed': 'redeemed',
  'handoff.replayed': 'replayed',
  'handoff.moduleMissing': 'missing',
};
const BREAKER_STATES: readonly CircuitState[] = ['closed', 'open', 'probing'];

/**
 * The metrics of an installation. Labels are words of the program and numbers of subtenants: no person, address or account
 * (security R51, decisions 067 and 121). All but the queue is counted as it happens.
 */
export function createMetrics({ db, clock }: { readonly db: Db; readonly clock: Clock }): Metrics {
  const registry = new Registry();
  const registers = [registry];
  collectDefaultMetrics({ register: registry });
  const requests = new Histogram({
    name: 'porchlight_http_request_duration_seconds',
    help: 'Answers by route template, method and status.',
    labelNames: ['method', 'route', 'status'] as const,
    buckets: SECONDS,
    registers,
  });
  const events = new Counter({
    name: 'porchlight_events_total',
    help: 'Entries of the audit log that this instance made: sign-ins, codes, limits, keys.',
    labelNames: ['kind'] as const,
    registers,
  });
  // An alarm is for the first one: increase() sees it only when the series exists before.
  events.inc({ kind: 'console.manyLooks' }, 0);
  const breakers = new Gauge({
    name: 'porchlight_provider_breaker',
    help: '1 for the state that the breaker of a provider is in, in this instance.',
    labelNames: ['provider', 'state'] as const,
    registers,
  });
  const isUp = new Gauge({
    name: 'porchlight_database_up',
    help: '1 when the database answered this scrape.',
    registers,
  });
  const jobs = new Gauge({
    name: 'porchlight_outbox_jobs',
    help: 'Jobs that wait, and dead letters, by kind. The same in every instance.',
    labelNames: ['kind', 'state'] as const,
    registers,
  });
  const oldest = new Gauge({
    name: 'porchlight_outbox_oldest_seconds',
    help: 'How long the oldest waiting job waits, by kind. The same in every instance.',
    labelNames: ['kind'] as const,
    registers,
  });
  const unsealed = new Gauge({
    name: 'porchlight_audit_unsealed_seconds',
    help: 'Age of the oldest event that is not in the hash chain yet; 0: all are. The same in every instance.',
    registers,
  });
  const backup = new Gauge({
    name: 'porchlight_backup_age_seconds',
    help: 'Age of the newest `porchlight backup`; missing when none is on record. The same in every instance.',
    registers,
  });
  const steps = new Counter({
    name: 'porchlight_steps_total',
    help: 'Steps of journeys by what became of them: started, sent, delivered, failed, verified, gaveUp.',
    labelNames: ['step', 'outcome', 'channel', 'subtenant'] as const,
    registers,
  });
  const refusals = new Counter({
    name: 'porchlight_refusals_total',
    help: 'Calls that were refused, by step and by the code of the table of errors.',
    labelNames: ['step', 'reason', 'subtenant'] as const,
    registers,
  });
  const limits = new Counter({
    name: 'porchlight_limits_full_total',
    help: 'How often a limit was full when somebody used it.',
    labelNames: ['limit'] as const,
    registers,
  });
  const handOffs = new Counter({
    name: 'porchlight_handoffs_total',
    help: 'Hand-offs to modules: issued, redeemed, replayed, missing (not set up).',
    labelNames: ['module', 'outcome'] as const,
    registers,
  });
  const overdue = new Gauge({
    name: 'porchlight_task_overdue_seconds',
    help: 'Time since a run of a periodic task was due that did all of its rows, in this instance.',
    labelNames: ['task'] as const,
    registers,
  });
  let watched: Parameters<Metrics['watchTasks']>[0] = {};
  const hashQueue = new Gauge({
    name: 'porchlight_hash_queue',
    help: 'Passwords that wait for a core of this instance.',
    registers,
  });
  const hashWaits = new Histogram({
    name: 'porchlight_hash_wait_seconds',
    help: 'How long a password waited for a core before it was hashed.',
    buckets: WAIT_SECONDS,
    registers,
  });
  const hashRefused = new Counter({
    name: 'porchlight_hash_refused_total',
    help: 'Passwords that were turned away because the queue was full or too slow.',
    registers,
  });

  const spans = new Counter({
    name: 'porchlight_trace_spans_total',
    help: 'Spans that the collector of traces took, and those that were dropped.',
    labelNames: ['outcome'] as const,
    registers,
  });

  const known = new Set<number>();
  function subtenantLabel(id: number | null): string {
    if (id === null) return NONE;
    if (known.size < MOST_SUBTENANTS) known.add(id);
    return known.has(id) ? String(id) : OTHER;
  }

  function countSteps(counts: readonly StepCount[], subtenantId: number | null): void {
    const subtenant = subtenantLabel(subtenantId);
    for (const { step, outcome, channel } of counts) {
      steps.inc({ step, outcome, channel: channel ?? NONE, subtenant });
    }
  }

  /** Without a database there is still the process to look at. */
  async function readDatabase(): Promise<void> {
    for (const gauge of [jobs, oldest, unsealed]) gauge.reset();
    backup.remove();
    const now = clock.now();
    const secondsSince = (moment: Date) => Math.max(0, (now.getTime() - moment.getTime()) / 1000);
    try {
      for (const { kind, state, count, oldestMs } of await countJobs(db, now)) {
        jobs.set({ kind, state }, count);
        if (state === 'waiting') oldest.set({ kind }, oldestMs / 1000);
      }
      const [open, made] = [await oldestUnsealed(db), await newestBackup(db)];
      if (open) unsealed.set(secondsSince(open));
      if (made) backup.set(secondsSince(made));
      isUp.set(1);
    } catch {
      isUp.set(0);
    }
  }

  return {
    contentType: registry.contentType,
    countEvent: (kind) => events.inc({ kind }),
    recordEvent({ kind, subtenantId, details }) {
      events.inc({ kind });
      countSteps(stepsOf(kind, details), subtenantId);
      // Answered by the hosted login in Auth0's words, which no row of the table of errors has.
      if (kind === 'signIn.wrongPassword') {
        const subtenant = subtenantLabel(subtenantId);
        refusals.inc({ step: 'signIn', reason: 'wrongPassword', subtenant });
      }
      const outcome = HAND_OFFS[kind];
      const module = MODULE_IDS.find((id) => id === details.module);
      if (outcome && module) handOffs.inc({ module, outcome });
    },
    recordMessage({ state, channel, key, subtenantId }) {
      if (state === 'queued') return;
      countSteps([{ step: stepOfMessage(key), outcome: state, channel }], subtenantId);
    },
    recordUnfinished: (left, subtenantId) => countSteps(givenUp(left), subtenantId),
    countRefusal: ({ path, reason, subtenantId }) =>
      refusals.inc({ step: stepOfPath(path), reason, subtenant: subtenantLabel(subtenantId) }),
    // Parts of one limit, such as the day's texts, count together.
    countLimit: (limit) => limits.inc({ limit: limit.split(':', 1)[0] ?? limit }),
    countSpans: (outcome, count) => spans.inc({ outcome }, count),
    hashing: {
      queued: (length) => hashQueue.set(length),
      waited: (seconds) => hashWaits.observe(seconds),
      refused: () => hashRefused.inc(),
    },
    watchTasks(tasks) {
      watched = tasks;
    },
    timeRequest: ({ method, route, status }, seconds) =>
      requests.observe({ method, route, status }, seconds),
    async text(providers) {
      breakers.reset();
      for (const [provider, current] of Object.entries(providers)) {
        for (const state of BREAKER_STATES) {
          breakers.set({ provider, state }, state === current ? 1 : 0);
        }
      }
      for (const [task, { overdueMs }] of Object.entries(watched)) {
        overdue.set({ task }, overdueMs() / 1000);
      }
      await readDatabase();
      return registry.metrics();
    },
    close: () => registry.clear(),
  };
}
