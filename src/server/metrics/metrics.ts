import { collectDefaultMetrics, Registry } from '@prometheus-io/client';
import type { Clock } from '../core/clock.ts';
import type { Db } from '../db/database.ts';
import type { CircuitState } from '../jobs/circuit-breaker.ts';
import type { Periodic } from '../jobs/periodic.ts';
import { MODULE_IDS } from '#domain/people/roles.ts';
import type { MessageNews } from '../notifications/courier.ts';
import { countJobs, newestBackup, oldestUnsealed } from './counts.ts';
import { createInstruments } from './instruments.ts';
import {
  givenUp,
  type StepCount,
  stepOfMessage,
  stepOfPath,
  eventSteps,
  type Unfinished,
} from './steps.ts';

export type Metrics = ReturnType<typeof createMetrics>;

type Event = {
  readonly kind: string;
  readonly subtenantId: number | null;
  readonly details: Readonly<Record<string, unknown>>;
};
type Refusal = Pick<Event, 'subtenantId'> & { readonly path: string; readonly reason: string };
type Request = { readonly method: string; readonly route: string; readonly status: number };
type Tasks = Readonly<Record<string, Pick<Periodic, 'overdueMs'>>>;

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
export function createMetrics({ db, clock }: { readonly db: Db; readonly clock: Clock }) {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  const own = createInstruments(registry);
  // An alarm is for the first one: increase() sees it only when the series exists before.
  own.events.inc({ kind: 'console.manyLooks' }, 0);
  let watched: Tasks = {};
  const known = new Set<number>();
  function subtenantLabel(id: number | null): string {
    if (id === null) return NONE;
    if (known.size < MOST_SUBTENANTS) known.add(id);
    return known.has(id) ? String(id) : OTHER;
  }

  function countSteps(counts: readonly StepCount[], subtenantId: number | null): void {
    const subtenant = subtenantLabel(subtenantId);
    for (const { step, outcome, channel } of counts) {
      own.steps.inc({ step, outcome, channel: channel ?? NONE, subtenant });
    }
  }

  /** Without a database there is still the process to look at. */
  async function readDatabase(): Promise<void> {
    for (const gauge of [own.jobs, own.oldest, own.unsealed]) gauge.reset();
    own.backup.remove();
    const now = clock.now();
    const secondsSince = (moment: Date) => Math.max(0, (now.getTime() - moment.getTime()) / 1000);
    try {
      for (const { kind, state, count, oldestMs } of await countJobs(db, now)) {
        own.jobs.set({ kind, state }, count);
        if (state === 'waiting') own.oldest.set({ kind }, oldestMs / 1000);
      }
      const [open, made] = [await oldestUnsealed(db), await newestBackup(db)];
      if (open) own.unsealed.set(secondsSince(open));
      if (made) own.backup.set(secondsSince(made));
      own.isUp.set(1);
    } catch {
      own.isUp.set(0);
    }
  }

  return {
    contentType: registry.contentType,
    /** Counts an event that is in no audit log; kinds are words of ours, never of a visitor. */
    countEvent: (kind: string) => own.events.inc({ kind }),
    /** Counts an entry of the audit log, and the steps of a journey that it tells of. */
    recordEvent({ kind, subtenantId, details }: Event): void {
      own.events.inc({ kind });
      countSteps(eventSteps(kind, details), subtenantId);
      // Answered by the hosted login in Auth0's words, which no row of the table of errors has.
      if (kind === 'signIn.wrongPassword') {
        const subtenant = subtenantLabel(subtenantId);
        own.refusals.inc({ step: 'signIn', reason: 'wrongPassword', subtenant });
      }
      const outcome = HAND_OFFS[kind];
      const module = MODULE_IDS.find((id) => id === details.module);
      if (outcome && module) own.handOffs.inc({ module, outcome });
    },
    recordMessage({ state, channel, key, subtenantId }: MessageNews): void {
      if (state === 'queued') return;
      countSteps([{ step: stepOfMessage(key), outcome: state, channel }], subtenantId);
    },
    /** Counts the unfinished steps that clean-up deleted. */
    recordUnfinished: (left: Unfinished, subtenantId: number | null) =>
      countSteps(givenUp(left), subtenantId),
    /** `reason`: a code of the table of errors. `path`: of a route, never an address with an id. */
    countRefusal: ({ path, reason, subtenantId }: Refusal) =>
      own.refusals.inc({ step: stepOfPath(path), reason, subtenant: subtenantLabel(subtenantId) }),
    // Parts of one limit, such as the day's texts, count together.
    countLimit: (limit: string) => own.limits.inc({ limit: limit.split(':', 1)[0] ?? limit }),
    countSpans: (outcome: 'sent' | 'dropped', count: number) => own.spans.inc({ outcome }, count),
    hashing: {
      queued: (length: number) => own.hashQueue.set(length),
      waited: (seconds: number) => own.hashWaits.observe(seconds),
      refused: () => own.hashRefused.inc(),
    },
    /** Reads, at each scrape, how long each periodic task has been overdue. */
    watchTasks(tasks: Tasks): void {
      watched = tasks;
    },
    /** `route` is a template such as `/api/Handoff/:id`, never an address. */
    timeRequest: ({ method, route, status }: Request, seconds: number) =>
      own.requests.observe({ method, route, status }, seconds),
    /** Returns everything, in Prometheus' text format. */
    async text(providers: Readonly<Record<string, CircuitState>>): Promise<string> {
      own.breakers.reset();
      for (const [provider, current] of Object.entries(providers)) {
        for (const state of BREAKER_STATES) {
          own.breakers.set({ provider, state }, state === current ? 1 : 0);
        }
      }
      for (const [task, { overdueMs }] of Object.entries(watched)) {
        own.overdue.set({ task }, overdueMs() / 1000);
      }
      await readDatabase();
      return registry.metrics();
    },
    close: () => registry.clear(),
  };
}
