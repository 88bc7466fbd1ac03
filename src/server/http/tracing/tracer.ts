/** Where traces begin: a request that comes in, a job of the outbox, periodic work (decision 125). */

import { randomBytes } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { TracesConfig } from '../../config/traces-config.ts';
import { contextOf } from '../request-id.ts';
import { createExporter, type ExporterOptions } from './exporter.ts';
import { routeOf } from './route.ts';
import {
  currentSpan,
  isOwnCall,
  type Remote,
  runAs,
  type Span,
  startSpan,
  traceparentOf,
} from './span.ts';

export type Tracer = {
  /** The span of a request, from its first line in the log on; `undefined` for what is asked all day long and tells nothing. */
  spanOf(request: IncomingMessage): Span | undefined;
  /** Ends the span of a request when its answer is out, or its visitor gone. */
  watch(request: FastifyRequest, reply: FastifyReply): void;
  /** For a job that is written down now: under what it goes on later. */
  parent(): string | null;
  /** Runs a job below what it was written down under, or as a trace of its own. */
  job<T>(
    job: { readonly kind: string; readonly attempt: number; readonly parent: unknown },
    work: () => Promise<T>,
  ): Promise<T>;
  /** Runs periodic work as a trace of its own. */
  periodic<T>(name: string, work: () => Promise<T>): Promise<T>;
  /** Sends what is left, within a second. */
  close(): Promise<void>;
};

const TRACE_ID_BYTES = 16;
/** W3C Trace Context, 3.2.2: later versions may say more behind it. */
const TRACEPARENT =
  /^(?!ff)([\da-f]{2})-(?!0{32})([\da-f]{32})-(?!0{16})([\da-f]{16})-([\da-f]{2})(-.*)?$/;
/** Balancers, scrapers and files of the build: a trace of each would bury the others. */
const UNTRACED = /^\/(?:api\/health\/|metrics\b|assets\/|logos\/|plain\.css|favicon\.ico)/i;
/** What consistent sampling compares: the last 56 bits of a trace's id. */
const RANDOM_DIGITS = 14;
const RANDOM_END = 2 ** 56;

/** The span context of a `traceparent`; `null` for what is none. */
export function readTraceparent(text: unknown): Remote | null {
  const [, version = '', traceId = '', spanId = '', flags = '', more] =
    TRACEPARENT.exec(typeof text === 'string' ? text : '') ?? [];
  if (!traceId || (version === '00' && more !== undefined)) return null;
  return { traceId, spanId, isSampled: (Number.parseInt(flags, 16) & 1) === 1 };
}

export function createTracer(
  { url, headers, serviceName, share }: TracesConfig,
  deps: Pick<ExporterOptions, 'onCount' | 'onChange'> & {
    /** Whether the caller's word about the request is taken. */
    readonly isTrusted: (request: IncomingMessage) => boolean;
  },
): Tracer {
  const exporter = createExporter({ url, headers, serviceName, ...deps });
  const spans = new WeakMap<IncomingMessage, Span>();

  function begin(remote: Remote | null, ...[kind, name, attributes]: Begun): Span {
    const id = remote?.traceId ?? randomBytes(TRACE_ID_BYTES).toString('hex');
    const isSampled = remote?.isSampled ?? isIn(id);
    const offsetMs = Date.now() - performance.now();
    const trace = { id, isSampled, offsetMs, take: exporter.add };
    return startSpan(trace, remote?.spanId ?? null, kind, name, attributes);
  }

  /** `parentbased_traceidratio`: every instance, and every service that samples this way, picks the same traces. */
  const isIn = (traceId: string) =>
    Number.parseInt(traceId.slice(-RANDOM_DIGITS), 16) >= (1 - share) * RANDOM_END;

  function takenIn(request: IncomingMessage): Remote | null {
    const remote = readTraceparent(request.headers.traceparent);
    return remote && (isOwnCall(remote.spanId) || deps.isTrusted(request)) ? remote : null;
  }

  return {
    spanOf(request) {
      const known = spans.get(request);
      if (known || UNTRACED.test(request.url ?? '')) return known;
      const method = request.method ?? '';
      const span = begin(takenIn(request), 'server', method, { 'http.request.method': method });
      spans.set(request, span);
      return span;
    },
    watch(request, reply) {
      const span = spans.get(request.raw);
      if (!span) return;
      const route = routeOf(request);
      span.attributes['porchlight.request.id'] = request.id;
      if (route !== null) {
        span.name = `${request.method} ${route}`;
        span.attributes['http.route'] = route;
      }
      // Not `writableFinished`, which a call within the process never reaches.
      let isOut = false;
      reply.raw.once('finish', () => (isOut = true));
      reply.raw.once('close', () => {
        const { statusCode } = reply.raw;
        const { subtenantId, refusal, fault } = contextOf(request) ?? {};
        if (subtenantId) span.attributes['porchlight.subtenant.id'] = subtenantId;
        if (refusal) span.attributes['porchlight.refusal'] = refusal;
        if (!isOut) span.fail('Aborted');
        else span.attributes['http.response.status_code'] = statusCode;
        if (isOut && statusCode >= 500) span.fail(fault ?? String(statusCode));
        span.end();
      });
    },
    parent() {
      const span = currentSpan();
      return span ? traceparentOf(span) : null;
    },
    job({ kind, attempt, parent }, work) {
      const attributes = { 'porchlight.job.kind': kind, 'porchlight.job.attempt': attempt };
      return runAs(begin(readTraceparent(parent), 'consumer', `job ${kind}`, attributes), work);
    },
    periodic: (name, work) => runAs(begin(null, 'internal', name), work),
    close: exporter.close,
  };
}

type Begun = [
  kind: Parameters<typeof startSpan>[2],
  name: string,
  attributes?: Parameters<typeof startSpan>[4],
];
