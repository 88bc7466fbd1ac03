/** OTLP over HTTP with JSON: the request of `opentelemetry-proto`, sent in batches from a bounded queue (decision 125). */

import { randomUUID } from 'node:crypto';
import { postOut } from '../outbound.ts';
import { type FinishedSpan, SPAN_KIND } from './span.ts';

export type Exporter = {
  /** Never waits and never fails. */
  add(span: FinishedSpan): void;
  /** Sends what is left, within `FLUSH_MS`; what did not get out is counted as dropped. */
  close(): Promise<void>;
};

export type ExporterOptions = {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly serviceName: string;
  readonly onCount: (outcome: 'sent' | 'dropped', count: number) => void;
  /** What became of a batch, when that is another thing than of the one before; `null`: it was taken. */
  readonly onChange: (problem: string | null) => void;
};

/** As the specification's batch processor has them. */
const DELAY_MS = 5000;
export const MOST_WAITING = 2048;
const BATCH = 256;
const TIMEOUT_MS = 10_000;
/** Of what a process has left between its last request and its end. */
export const FLUSH_MS = 1000;
const LONGEST_REST_MS = 60_000;
/** OTLP 1.x, "Failures": all other refusals are for good. */
const RETRYABLE = new Set([429, 502, 503, 504]);
const STATUS_ERROR = 2;
const W3C_SAMPLED = 1;

export function createExporter(options: ExporterOptions): Exporter {
  const { onCount, onChange } = options;
  const resource = resourceOf(options.serviceName);
  const queue: FinishedSpan[] = [];
  const closing = new AbortController();
  let sending: Promise<void> | null = null;
  let restMs = DELAY_MS;
  let restUntil = 0;
  let problem: string | null = null;
  // Made where nothing is under way: what it does is below no span.
  const timer = setInterval(() => void sendDue(), DELAY_MS).unref();

  async function sendAll(): Promise<void> {
    while (queue.length > 0 && !closing.signal.aborted) {
      const batch = queue.slice(0, BATCH);
      const outcome = await send(batch);
      tell(outcome.problem);
      if (outcome.isLater) {
        restMs = Math.min(restMs * 2, LONGEST_REST_MS);
        restUntil = performance.now() + restMs;
        return;
      }
      restMs = DELAY_MS;
      queue.splice(0, batch.length);
      onCount('sent', batch.length - outcome.rejected);
      onCount('dropped', outcome.rejected);
    }
  }

  async function send(batch: readonly FinishedSpan[]) {
    try {
      const { status, text } = await postOut({
        url: options.url,
        headers: { 'content-type': 'application/json', ...options.headers },
        body: JSON.stringify(requestOf(batch, resource)),
        timeoutMs: TIMEOUT_MS,
        signal: closing.signal,
      });
      const isTaken = status >= 200 && status < 300;
      if (isTaken)
        return { isLater: false, rejected: rejectedIn(text, batch.length), problem: null };
      const isLater = RETRYABLE.has(status);
      return { isLater, rejected: batch.length, problem: `answered ${status}` };
    } catch (error) {
      return { isLater: true, rejected: 0, problem: (error as Error).message };
    }
  }

  function tell(now: string | null): void {
    if (now !== problem && !closing.signal.aborted) onChange(now);
    problem = now;
  }

  async function sendDue(): Promise<void> {
    if (performance.now() < restUntil) return;
    sending ??= sendAll().finally(() => (sending = null));
    await sending;
  }

  return {
    add(span) {
      if (closing.signal.aborted || queue.length >= MOST_WAITING) onCount('dropped', 1);
      else queue.push(span);
    },
    async close() {
      clearInterval(timer);
      const limit = setTimeout(() => closing.abort(), FLUSH_MS);
      await sending;
      await sendAll();
      clearTimeout(limit);
      closing.abort();
      if (queue.length > 0) onCount('dropped', queue.length);
      queue.length = 0;
    },
  };
}

/** How many of a batch a collector that took the rest did not want. */
function rejectedIn(text: string, most: number): number {
  try {
    const { partialSuccess } = JSON.parse(text) as { partialSuccess?: { rejectedSpans?: unknown } };
    const count = Number(partialSuccess?.rejectedSpans ?? 0);
    return count > 0 && count <= most ? count : 0;
  } catch {
    return 0;
  }
}

/** Who sends: an id of the process tells instances apart. */
const resourceOf = (serviceName: string) => ({
  attributes: attributesOf({
    'service.name': serviceName,
    'service.instance.id': randomUUID(),
    'telemetry.sdk.language': 'nodejs',
    'telemetry.sdk.name': 'porchlight',
  }),
});

const requestOf = (batch: readonly FinishedSpan[], resource: ReturnType<typeof resourceOf>) => ({
  resourceSpans: [
    { resource, scopeSpans: [{ scope: { name: 'porchlight' }, spans: batch.map(spanOf) }] },
  ],
});

function spanOf({ traceId, spanId, parentId, kind, name, isFailed, ...span }: FinishedSpan) {
  return {
    traceId,
    spanId,
    ...(parentId && { parentSpanId: parentId }),
    flags: W3C_SAMPLED,
    name,
    kind: SPAN_KIND[kind],
    startTimeUnixNano: nanos(span.startMs),
    endTimeUnixNano: nanos(span.endMs),
    attributes: attributesOf(span.attributes),
    ...(isFailed && { status: { code: STATUS_ERROR } }),
  };
}

/** Beyond what a number holds exactly; microseconds are not. */
const nanos = (ms: number) => `${Math.round(ms * 1000)}000`;

const attributesOf = (attributes: FinishedSpan['attributes']) =>
  Object.entries(attributes).map(([key, value]) => ({ key, value: valueOf(value) }));

function valueOf(value: string | number | boolean) {
  if (typeof value === 'string') return { stringValue: value };
  return typeof value === 'number' ? { intValue: String(value) } : { boolValue: value };
}
