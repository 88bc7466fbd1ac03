/** Spans of OpenTelemetry: what is under way in this process, and below what (decision 125). Without a tracer nothing here does anything. */

import { AsyncLocalStorage } from 'node:async_hooks';
import { randomBytes } from 'node:crypto';
import type { LogEvent } from 'kysely';

/** As opentelemetry-proto numbers them. */
export const SPAN_KIND = { internal: 1, server: 2, client: 3, consumer: 5 } as const;
type Kind = keyof typeof SPAN_KIND;
type Attributes = Record<string, string | number | boolean>;

/** One span that is over; times are milliseconds since 1970. */
export type FinishedSpan = {
  readonly traceId: string;
  readonly spanId: string;
  readonly parentId: string | null;
  readonly kind: Kind;
  readonly name: string;
  readonly startMs: number;
  readonly endMs: number;
  readonly attributes: Readonly<Attributes>;
  readonly isFailed: boolean;
};

export type Span = {
  readonly traceId: string;
  readonly spanId: string;
  readonly isSampled: boolean;
  name: string;
  /** Words of the program, numbers and ids of requests; never an address, a query or a person. */
  readonly attributes: Attributes;
  /** Marks it as failed by the name of what happened. */
  fail(error: unknown): void;
  /** Hands it over; only the first call counts. */
  end(): void;
  child(name: string, kind: Kind, attributes?: Attributes, startedMsAgo?: number): Span;
};

/** What all spans of a trace have in this process in common. */
export type Trace = {
  readonly id: string;
  readonly isSampled: boolean;
  /** Takes what is over. */
  readonly take: (span: FinishedSpan) => void;
  /** Between the wall clock and the steady one, at the first span: no step of the clock turns a trace around. */
  readonly offsetMs: number;
};

/** Whose span a trace goes on below; `null`: it begins here. */
export type Remote = {
  readonly traceId: string;
  readonly spanId: string;
  readonly isSampled: boolean;
};

const SPAN_ID_BYTES = 8;
const LONGEST_STATEMENT = 2000;
/** A name of a program; what else an error calls itself may be anybody's words. */
const ERROR_NAME = /^\w{1,60}$/;

const storage = new AsyncLocalStorage<Span>();
/** Calls of this process that wait for an answer: who is called may go on below them. */
const calling = new Set<string>();

export const currentSpan = (): Span | undefined => storage.getStore();

/** Runs work, and all that it starts, below a span. */
export const below = <T>(span: Span, work: () => T): T => storage.run(span, work);

/** Whether a call of ours with this span is under way. */
export const isOwnCall = (spanId: string): boolean => calling.has(spanId);

export function startSpan(
  trace: Trace,
  parentId: string | null,
  kind: Kind,
  name: string,
  attributes: Attributes = {},
  startedMsAgo = 0,
): Span {
  const spanId = randomBytes(SPAN_ID_BYTES).toString('hex');
  const startMs = performance.now() + trace.offsetMs - startedMsAgo;
  let isFailed = false;
  let isOver = false;
  const span: Span = {
    traceId: trace.id,
    spanId,
    isSampled: trace.isSampled,
    name,
    attributes: { ...attributes },
    fail(error) {
      isFailed = true;
      const given = error instanceof Error ? error.name : String(error);
      span.attributes['error.type'] = ERROR_NAME.test(given) ? given : 'Error';
    },
    end() {
      if (isOver || !trace.isSampled) return;
      isOver = true;
      const endMs = performance.now() + trace.offsetMs;
      const { name: called, attributes: known } = span;
      const ids = { traceId: trace.id, spanId, parentId };
      trace.take({ ...ids, kind, name: called, startMs, endMs, attributes: known, isFailed });
    },
    child: (...words) => {
      const [childName, childKind, ...more] = words;
      return startSpan(trace, spanId, childKind, childName, ...more);
    },
  };
  return span;
}

/** Work as a span of its own below the present one; outside of every trace just work. */
export async function inSpan<T>(
  name: string,
  kind: Kind,
  attributes: Attributes,
  work: (span: Span | undefined) => Promise<T>,
): Promise<T> {
  const parent = storage.getStore();
  if (!parent) return work(undefined);
  return runAs(parent.child(name, kind, attributes), work);
}

/** Runs work as this span: an error fails it, and goes on. */
export async function runAs<T>(span: Span, work: (span: Span) => Promise<T>): Promise<T> {
  try {
    return await storage.run(span, () => work(span));
  } catch (error) {
    span.fail(error);
    throw error;
  } finally {
    span.end();
  }
}

/** W3C Trace Context, 3.2. */
export const traceparentOf = ({ traceId, spanId, isSampled }: Span): string =>
  `00-${traceId}-${spanId}-${isSampled ? '01' : '00'}`;

/** A call by HTTP as a span; its headers say below what the receiver works. Where there is no trace they are empty. */
export function asCall<T>(
  method: string,
  attributes: Attributes,
  call: (headers: Readonly<Record<string, string>>, span: Span | undefined) => Promise<T>,
): Promise<T> {
  const about = { 'http.request.method': method, ...attributes };
  return inSpan(method, 'client', about, async (span) => {
    if (!span) return call({}, undefined);
    calling.add(span.spanId);
    try {
      return await call({ traceparent: traceparentOf(span) }, span);
    } finally {
      calling.delete(span.spanId);
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
    if (span) span.attributes['http.response.status_code'] = response.status;
    if (response.status >= 400) span?.fail(String(response.status));
    return response;
  });
}

/** `SELECT users`, of the first table that it names. */
function summaryOf(sql: string): string {
  const [verb = 'SQL'] = /^[a-z]+/i.exec(sql.trimStart()) ?? [];
  const [, table] = /\b(?:from|into|update|table)\s+"?([a-z_]\w*)/i.exec(sql) ?? [];
  return [verb.toUpperCase(), table].filter(Boolean).join(' ');
}

/** A statement that has run, with its text; values travel apart from it and are not here. Below no span it leaves none. */
export function noteStatement({ level, query, queryDurationMillis, ...more }: LogEvent): void {
  const parent = storage.getStore();
  if (!parent?.isSampled) return;
  const summary = summaryOf(query.sql);
  const attributes = {
    'db.system.name': 'postgresql',
    'db.query.summary': summary,
    'db.query.text': query.sql.slice(0, LONGEST_STATEMENT),
  };
  const span = parent.child(summary, 'client', attributes, queryDurationMillis);
  if (level === 'error') {
    const { code } = ((more as { readonly error?: unknown }).error ?? {}) as { code?: unknown };
    span.fail(typeof code === 'string' ? code : 'Error');
  }
  span.end();
}
