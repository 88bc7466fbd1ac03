/** The SDK of OpenTelemetry as this product sets it up (decision 125). Loaded only where a collector is named. */
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Tracer } from '@opentelemetry/api';
import { ExportResultCode } from '@opentelemetry/core';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http';
import {
  defaultResource,
  detectResources,
  envDetector,
  resourceFromAttributes,
} from '@opentelemetry/resources';
import {
  BatchSpanProcessor,
  ParentBasedSampler,
  type SpanExporter,
  type SpanProcessor,
  TraceIdRatioBasedSampler,
  TracerProvider,
} from '@opentelemetry/sdk-trace';
import type { TracesConfig } from '../../config/traces-config.ts';

export type ExporterNews = {
  readonly onCount: (outcome: 'sent' | 'dropped', count: number) => void;
  /** Called when the outcome of a batch differs from that of the batch before; `null`: the collector took it. */
  readonly onChange: (problem: string | null) => void;
};

export const MOST_WAITING = 2048;
const TIMEOUT_MS = 10_000;
/** Milliseconds between the last request of a process and its end. */
const FLUSH_MS = 1000;

/**
 * Starts a tracer that sends its spans to the collector.
 * @returns `close` sends the rest within a second and counts unsent spans as dropped
 */
export function startExporter(
  { url, headers, serviceName, share }: TracesConfig,
  news: ExporterNews,
): { readonly tracer: Tracer; readonly close: () => Promise<void> } {
  const exporter = new OTLPTraceExporter({ url, headers, timeoutMillis: TIMEOUT_MS });
  const processor = countingProcessor(exporter, news);
  const provider = new TracerProvider({
    resource: defaultResource()
      .merge(detectResources({ detectors: [envDetector] }))
      .merge(
        resourceFromAttributes({
          'service.name': serviceName,
          'service.instance.id': randomUUID(),
        }),
      ),
    sampler: new ParentBasedSampler({ root: new TraceIdRatioBasedSampler(share) }),
    spanProcessors: [processor],
  });
  return { tracer: provider.getTracer('porchlight'), close: () => processor.shutdown() };
}

/**
 * Wraps the SDK's batches. The SDK drops spans in silence; this counts them and reports a change of the collector's
 * answer once.
 */
function countingProcessor(
  exporter: SpanExporter,
  { onCount, onChange }: ExporterNews,
): SpanProcessor {
  let waiting = 0;
  let problem: string | null = null;
  let isClosed = false;
  const counting: SpanExporter = {
    export: (spans, done) =>
      exporter.export(spans, (result) => {
        if (!isClosed) {
          waiting -= spans.length;
          const isTaken = result.code === ExportResultCode.SUCCESS;
          onCount(isTaken ? 'sent' : 'dropped', spans.length);
          const now = isTaken ? null : (result.error?.message ?? 'not taken');
          if (now !== problem) onChange(now);
          problem = now;
        }
        done(result);
      }),
    shutdown: () => exporter.shutdown(),
  };
  const batches = new BatchSpanProcessor({
    exporter: counting,
    maxQueueSize: MOST_WAITING,
    exportTimeoutMillis: TIMEOUT_MS,
  });
  return {
    onStart: () => undefined,
    onEnd(span) {
      if (isClosed || waiting >= MOST_WAITING) return onCount('dropped', 1);
      waiting += 1;
      batches.onEnd(span);
    },
    forceFlush: () => batches.forceFlush(),
    async shutdown() {
      // A batch that fails is counted above.
      const sent = batches.shutdown().catch(() => undefined);
      await Promise.race([sent, sleep(FLUSH_MS, undefined, { ref: false })]);
      isClosed = true;
      if (waiting > 0) onCount('dropped', waiting);
    },
  };
}
