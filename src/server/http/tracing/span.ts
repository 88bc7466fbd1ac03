/** Spans of OpenTelemetry: what runs in this process, and below which span (decision 125). Without a tracer nothing here does anything. */
import { firstLetters } from '#domain/text/first-letters.ts';
import { AsyncLocalStorage } from 'node:async_hooks';
import {
  type Attributes,
  ROOT_CONTEXT,
  type Span,
  SpanKind,
  type SpanOptions,
  SpanStatusCode,
  trace,
  type Tracer,
} from '@opentelemetry/api';
import type { LogEvent } from 'kysely';

/** An open span, and the tracer that starts the spans below it. */
export type ActiveSpan = { readonly span: Span; readonly tracer: Tracer };

const LONGEST_STATEMENT = 2000;
/** A name from a program. Other error names may hold a visitor's text. */
const ERROR_NAME = /^\w{1,60}$/;

const storage = new AsyncLocalStorage<ActiveSpan>();
/** Ids of our own calls that wait for an answer: the receiver may continue their trace. */
const calling = new Set<string>();

export const currentSpan = (): Span | undefined => storage.getStore()?.span;

/** Runs work, and all that it starts, below a span. */
export const below = <T>(active: ActiveSpan, work: () => T): T => storage.run(active, work);

/** Returns whether a call of ours with this span is waiting for its answer. */
export const isOwnCall = (spanId: string): boolean => calling.has(spanId);

function startChild({ span, tracer }: ActiveSpan, name: string, options: SpanOptions): ActiveSpan {
  return { tracer, span: tracer.startSpan(name, options, trace.setSpan(ROOT_CONTEXT, span)) };
}

/** Marks a span as failed by the name of the error. */
export function failSpan(span: Span, error: unknown): void {
  const given = error instanceof Error ? error.name : String(error);
  span.setStatus({ code: SpanStatusCode.ERROR });
  span.setAttribute('error.type', ERROR_NAME.test(given) ? given : 'Error');
}

/** Runs work in a span of its own below the current one; without a current span it only runs the work. */
async function inChild<T>(
  name: string,
  options: SpanOptions,
  work: (span: Span | undefined) => Promise<T>,
): Promise<T> {
  const parent = storage.getStore();
  return parent ? runAs(startChild(parent, name, options), work) : work(undefined);
}

/** As `inChild`, for a call to a provider. */
export const inSpan = <T>(
  name: string,
  attributes: Attributes,
  work: () => Promise<T>,
): Promise<T> => inChild(name, { kind: SpanKind.CLIENT, attributes }, work);

/** Runs work as this span and ends it. An error marks the span as failed and is thrown on. */
export async function runAs<T>(active: ActiveSpan, work: (span: Span) => Promise<T>): Promise<T> {
  try {
    return await below(active, () => work(active.span));
  } catch (error) {
    failSpan(active.span, error);
    throw error;
  } finally {
    active.span.end();
  }
}

/** Returns the `traceparent` header of a span (W3C Trace Context, 3.2). */
export function traceparentOf(span: Span): string {
  const { traceId, spanId, traceFlags } = span.spanContext();
  return `00-${traceId}-${spanId}-${traceFlags.toString(16).padStart(2, '0')}`;
}

/** Runs an HTTP call as a span. Its headers tell the receiver the trace; without a trace they are empty. */
export function asCall<T>(
  method: string,
  attributes: Attributes,
  call: (headers: Readonly<Record<string, string>>, span: Span | undefined) => Promise<T>,
): Promise<T> {
  const about = { 'http.request.method': method, ...attributes };
  return inChild(method, { kind: SpanKind.CLIENT, attributes: about }, async (span) => {
    if (!span) return call({}, undefined);
    const { spanId } = span.spanContext();
    calling.add(spanId);
    try {
      return await call({ traceparent: traceparentOf(span) }, span);
    } finally {
      calling.delete(spanId);
    }
  });
}

/** `fetch`, as a span that names the host and no path: paths of providers hold accounts and keys. */
export function tracedFetch(url: string | URL, init: RequestInit = {}): Promise<Response> {
  if (!storage.getStore()) return fetch(url, init);
  const { hostname, port, protocol } = new URL(url);
  const attributes = {
    'server.address': hostname,
    'server.port': Number(port) || (protocol === 'https:' ? 443 : 80),
  };
  return asCall(init.method ?? 'GET', attributes, async (more, span) => {
    const headers = new Headers(init.headers);
    for (const [name, value] of Object.entries(more)) headers.set(name, value);
    const response = await fetch(url, { ...init, headers });
    span?.setAttribute('http.response.status_code', response.status);
    if (span && response.status >= 400) failSpan(span, response.status);
    return response;
  });
}

/** Returns `SELECT users`: the verb and the first table of a statement. */
function statementSummary(sql: string): string {
  const [verb = 'SQL'] = /^[a-z]+/i.exec(sql.trimStart()) ?? [];
  const [, table] = /\b(?:from|into|update|table)\s+"?([a-z_]\w*)/i.exec(sql) ?? [];
  return [verb.toUpperCase(), table].filter(Boolean).join(' ');
}

/** Records a statement that has run, with its text and without its values. */
export function recordStatement({ level, query, queryDurationMillis, ...more }: LogEvent): void {
  const parent = storage.getStore();
  if (!parent?.span.isRecording()) return;
  const summary = statementSummary(query.sql);
  const endTime = performance.timeOrigin + performance.now();
  const { span } = startChild(parent, summary, {
    kind: SpanKind.CLIENT,
    startTime: endTime - queryDurationMillis,
    attributes: {
      'db.system.name': 'postgresql',
      'db.query.summary': summary,
      'db.query.text': firstLetters(query.sql, LONGEST_STATEMENT),
    },
  });
  if (level === 'error') {
    const { code } = ((more as { readonly error?: unknown }).error ?? {}) as { code?: unknown };
    failSpan(span, typeof code === 'string' ? code : 'Error');
  }
  span.end(endTime);
}
