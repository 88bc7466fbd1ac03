import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from 'prom-client';
import type { Clock } from '../clock.ts';
import type { Db } from '../db/database.ts';
import type { CircuitState } from '../jobs/circuit-breaker.ts';
import { countJobs, countMessages } from './counts.ts';

export type Metrics = {
  /** One more entry of the audit log; kinds are words of ours, never of a visitor. */
  countEvent(kind: string): void;
  /** `route` is a template such as `/api/Handoff/:id`, never an address. */
  timeRequest(request: { method: string; route: string; status: number }, seconds: number): void;
  /** Everything, in Prometheus' text format. */
  text(providers: Readonly<Record<string, CircuitState>>): Promise<string>;
  readonly contentType: string;
  close(): void;
};

const SECONDS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];
const BREAKER_STATES: readonly CircuitState[] = ['closed', 'open', 'probing'];

/**
 * What an operator watches. Labels are words of the program: no person, address, account or subtenant (security R51,
 * decision 067).
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
  const messages = new Gauge({
    name: 'porchlight_messages_last_hour',
    help: 'Messages of the last hour by what became of them. The same in every instance.',
    labelNames: ['channel', 'state'] as const,
    registers,
  });

  /** Without a database there is still the process to look at. */
  async function readDatabase(): Promise<void> {
    for (const gauge of [jobs, oldest, messages]) gauge.reset();
    const now = clock.now();
    try {
      for (const { kind, state, count, oldestMs } of await countJobs(db, now)) {
        jobs.set({ kind, state }, count);
        if (state === 'waiting') oldest.set({ kind }, oldestMs / 1000);
      }
      for (const { channel, state, count } of await countMessages(db, now)) {
        messages.set({ channel, state }, count);
      }
      isUp.set(1);
    } catch {
      isUp.set(0);
    }
  }

  return {
    contentType: registry.contentType,
    countEvent: (kind) => events.inc({ kind }),
    timeRequest: ({ method, route, status }, seconds) =>
      requests.observe({ method, route, status }, seconds),
    async text(providers) {
      breakers.reset();
      for (const [provider, current] of Object.entries(providers)) {
        for (const state of BREAKER_STATES) {
          breakers.set({ provider, state }, state === current ? 1 : 0);
        }
      }
      await readDatabase();
      return registry.metrics();
    },
    close: () => registry.clear(),
  };
}
