/** The roots of traces: a request, a job of the outbox, periodic work (decision 125). */
import type { IncomingMessage } from 'node:http';
import {
  defaultTextMapGetter,
  ROOT_CONTEXT,
  type SpanContext,
  SpanKind,
  type SpanOptions,
  trace,
} from '@opentelemetry/api';
import { W3CTraceContextPropagator } from '@opentelemetry/core';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { TracesConfig } from '../../config/traces-config.ts';
import { requestContext } from '../request-id.ts';
import { type ExporterNews, startExporter } from './exporter.ts';
import { routeTemplate } from './route.ts';
import { type ActiveSpan, currentSpan, failSpan, isOwnCall, runAs, traceparentOf } from './span.ts';

export type Tracer = ReturnType<typeof createTracer>;

type Job = { readonly kind: string; readonly attempt: number; readonly parent: unknown };

/** Balancers, scrapers and files of the build: a trace of each would bury the others. */
const UNTRACED = /^\/(?:api\/health\/|metrics\b|assets\/|logos\/|plain\.css|favicon\.ico)/i;

const propagator = new W3CTraceContextPropagator();

/** Returns the span context of a `traceparent`; `null` for a malformed one. */
export function readTraceparent(text: unknown): SpanContext | null {
  const carrier = { traceparent: text };
  const context = propagator.extract(ROOT_CONTEXT, carrier, defaultTextMapGetter);
  return trace.getSpanContext(context) ?? null;
}

/** Starts the traces of this process. `isTrusted` returns whether a caller may choose the trace of its request. */
export function createTracer(
  config: TracesConfig,
  deps: ExporterNews & { readonly isTrusted: (request: IncomingMessage) => boolean },
) {
  const { tracer, close } = startExporter(config, deps);
  const spans = new WeakMap<IncomingMessage, ActiveSpan>();

  function begin(remote: SpanContext | null, name: string, options: SpanOptions): ActiveSpan {
    const context = remote ? trace.setSpanContext(ROOT_CONTEXT, remote) : ROOT_CONTEXT;
    return { tracer, span: tracer.startSpan(name, options, context) };
  }

  function trustedParent(request: IncomingMessage): SpanContext | null {
    const remote = readTraceparent(request.headers.traceparent);
    return remote && (isOwnCall(remote.spanId) || deps.isTrusted(request)) ? remote : null;
  }

  return {
    /** Returns the span of a request; `undefined` for requests that balancers and scrapers repeat all day. */
    spanOf(request: IncomingMessage): ActiveSpan | undefined {
      const known = spans.get(request);
      if (known || UNTRACED.test(request.url ?? '')) return known;
      const method = request.method ?? '';
      const active = begin(trustedParent(request), method, {
        kind: SpanKind.SERVER,
        attributes: { 'http.request.method': method },
      });
      spans.set(request, active);
      return active;
    },

    /** Ends the span of a request when its answer is sent, or its client gone. */
    watch(request: FastifyRequest, reply: FastifyReply): void {
      const span = spans.get(request.raw)?.span;
      if (!span) return;
      const route = routeTemplate(request);
      span.setAttribute('porchlight.request.id', request.id);
      if (route !== null) {
        span.updateName(`${request.method} ${route}`);
        span.setAttribute('http.route', route);
      }
      // Not `writableFinished`, which a call within the process never reaches.
      let isOut = false;
      reply.raw.once('finish', () => (isOut = true));
      reply.raw.once('close', () => {
        const { statusCode } = reply.raw;
        const { subtenantId, refusal, fault } = requestContext(request) ?? {};
        if (subtenantId) span.setAttribute('porchlight.subtenant.id', subtenantId);
        if (refusal) span.setAttribute('porchlight.refusal', refusal);
        if (!isOut) failSpan(span, 'Aborted');
        else span.setAttribute('http.response.status_code', statusCode);
        if (isOut && statusCode >= 500) failSpan(span, fault ?? statusCode);
        span.end();
      });
    },

    /** Returns the `traceparent` that a job stores, so that its delivery continues this trace; `null` outside of a trace. */
    parent(): string | null {
      const span = currentSpan();
      return span ? traceparentOf(span) : null;
    },

    /** Runs a job below the span that stored it, or as a trace of its own. */
    job<T>({ kind, attempt, parent }: Job, work: () => Promise<T>): Promise<T> {
      const attributes = { 'porchlight.job.kind': kind, 'porchlight.job.attempt': attempt };
      const options = { kind: SpanKind.CONSUMER, attributes };
      return runAs(begin(readTraceparent(parent), `job ${kind}`, options), work);
    },

    /** Runs periodic work as a trace of its own. */
    periodic: <T>(name: string, work: () => Promise<T>) =>
      runAs(begin(null, name, { kind: SpanKind.INTERNAL }), work),

    /** Sends the remaining spans, within a second. */
    close,
  };
}
