import { Counter, Gauge, Histogram, type Registry } from '@prometheus-io/client';

const SECONDS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];
const WAIT_SECONDS = [0.001, 0.01, 0.05, 0.1, 0.25, 0.5, 1];

/** Creates the metrics by their names in Prometheus, each with its help and its labels. */
export function createInstruments(registry: Registry) {
  const registers = [registry];
  const counter = <Label extends string>(name: string, help: string, ...labelNames: Label[]) =>
    new Counter({ name, help, labelNames, registers });
  const gauge = <Label extends string>(name: string, help: string, ...labelNames: Label[]) =>
    new Gauge({ name, help, labelNames, registers });
  return {
    requests: new Histogram({
      name: 'porchlight_http_request_duration_seconds',
      help: 'Answers by route template, method and status.',
      labelNames: ['method', 'route', 'status'] as const,
      buckets: SECONDS,
      registers,
    }),
    events: counter(
      'porchlight_events_total',
      'Entries of the audit log that this instance made: sign-ins, codes, limits, keys.',
      'kind',
    ),
    breakers: gauge(
      'porchlight_provider_breaker',
      '1 for the state that the breaker of a provider is in, in this instance.',
      'provider',
      'state',
    ),
    isUp: gauge('porchlight_database_up', '1 when the database answered this scrape.'),
    jobs: gauge(
      'porchlight_outbox_jobs',
      'Jobs that wait, and dead letters, by kind. The same in every instance.',
      'kind',
      'state',
    ),
    oldest: gauge(
      'porchlight_outbox_oldest_seconds',
      'How long the oldest waiting job waits, by kind. The same in every instance.',
      'kind',
    ),
    unsealed: gauge(
      'porchlight_audit_unsealed_seconds',
      'Age of the oldest event that is not in the hash chain yet; 0: all are. The same in every instance.',
    ),
    backup: gauge(
      'porchlight_backup_age_seconds',
      'Age of the newest `porchlight backup`; missing when none is on record. The same in every instance.',
    ),
    steps: counter(
      'porchlight_steps_total',
      'Steps of journeys by what became of them: started, sent, delivered, failed, verified, gaveUp.',
      'step',
      'outcome',
      'channel',
      'subtenant',
    ),
    refusals: counter(
      'porchlight_refusals_total',
      'Calls that were refused, by step and by the code of the table of errors.',
      'step',
      'reason',
      'subtenant',
    ),
    limits: counter(
      'porchlight_limits_full_total',
      'How often a limit was full when somebody used it.',
      'limit',
    ),
    handOffs: counter(
      'porchlight_handoffs_total',
      'Hand-offs to modules: issued, redeemed, replayed, missing (not set up).',
      'module',
      'outcome',
    ),
    overdue: gauge(
      'porchlight_task_overdue_seconds',
      'Time since a run of a periodic task was due that did all of its rows, in this instance.',
      'task',
    ),
    hashQueue: gauge('porchlight_hash_queue', 'Passwords that wait for a core of this instance.'),
    hashWaits: new Histogram({
      name: 'porchlight_hash_wait_seconds',
      help: 'How long a password waited for a core before it was hashed.',
      buckets: WAIT_SECONDS,
      registers,
    }),
    hashRefused: counter(
      'porchlight_hash_refused_total',
      'Passwords that were turned away because the queue was full or too slow.',
    ),
    spans: counter(
      'porchlight_trace_spans_total',
      'Spans that the collector of traces took, and those that were dropped.',
      'outcome',
    ),
  };
}
