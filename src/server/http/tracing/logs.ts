import type { Span } from '@opentelemetry/api';
import type { FastifyBaseLogger, FastifyServerOptions } from 'fastify';
import { currentSpan } from './span.ts';
import type { Tracer } from './tracer.ts';

/** Marks the log of a request, whose lines already carry the trace. */
const TOLD = Symbol('trace');

type Logs = Required<Pick<FastifyServerOptions, 'childLoggerFactory'>> & {
  /** The fields that pino adds to a line. */
  mixin(line: object, level: number, log: object): object;
};

/** Returns the ids as OpenTelemetry names them in logs of other formats. */
function traceIds(span: Span) {
  const { traceId, spanId } = span.spanContext();
  return { trace_id: traceId, span_id: spanId };
}

/** Logs that traces are not taken, and that they are taken again. */
export function logTraces(log: FastifyBaseLogger, problem: string | null): void {
  if (problem === null) log.info('traces are taken again');
  else log.warn({ problem }, 'traces are not taken');
}

/** Adds the trace to each line of a request, and to each other line that is written below a span. */
export const logsOf = (tracer: Tracer): Logs => ({
  childLoggerFactory(logger, bindings, options, request) {
    const span = tracer.spanOf(request)?.span;
    const child = logger.child({ ...bindings, ...(span && traceIds(span)) }, options);
    return span ? Object.assign(child, { [TOLD]: true }) : child;
  },
  mixin(_line, _level, log) {
    const span = TOLD in log ? undefined : currentSpan();
    return span ? traceIds(span) : {};
  },
});
