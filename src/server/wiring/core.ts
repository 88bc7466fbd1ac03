import { DAY_MS } from '#domain/text/duration.ts';
import { createAudit } from '../audit/audit.ts';
import { createSealing } from '../audit/sealing.ts';
import type { DevClock } from '../core/clock.ts';
import type { Config } from '../config/config.ts';
import type { Database, Db } from '../db/database.ts';
import { followDatabaseClock } from '../db/database-clock.ts';
import { migrate } from '../db/migrate.ts';
import { fillDemo } from '../demo/month.ts';
import { installDrain } from '../http/drain.ts';
import { auditRefusals } from '../http/refusals.ts';
import { createFastify } from '../http/fastify.ts';
import { createTrust } from '../http/request-id.ts';
import { createInProcessFetch, createLoopbackFetch } from '../http/loopback.ts';
import { createVisitCookie } from '../http/visit-cookie.ts';
import { logTraces } from '../http/tracing/logs.ts';
import { createOutbox } from '../jobs/outbox.ts';
import { reportJobs, reportProvider } from '../jobs/reports.ts';
import { openSigningKeys } from '../crypto/signing-keys.ts';
import type { ServerContext } from '../core/context.ts';
import { createKnownBrowsers } from '../accounts/known-browsers.ts';
import { createRateLimits } from '../abuse/rate-limits.ts';
import { createLimitNotes } from '../abuse/refusals.ts';
import { boundRequests } from '../abuse/request-bounds.ts';
import { installRequestLimit } from '../abuse/request-limit.ts';
import { createEventWebhook } from '../notifications/event-webhook.ts';
import type { MessageNews } from '../notifications/courier.ts';
import { lastResort } from '../ssr/last-resort.ts';
import type { Metrics } from '../metrics/metrics.ts';
import { timeRequests } from '../metrics/metrics.routes.ts';
import { createHashing, type HashingCost } from '../proofs/password/hashing.ts';
import { createSecretBox } from '../crypto/secret-box.ts';
import { refuseListedOperators } from '../people/house.ts';

export type Core = Awaited<ReturnType<typeof createCore>>;

export type CoreOptions = {
  readonly config: Config;
  readonly database: Database;
  readonly clock: DevClock;
  /** Tests hash a thousand passwords that protect nothing; the process itself never sets it. */
  readonly hashingCost?: HashingCost;
  /** Makes the database ready, or refuses it; left out, it is brought up to date. */
  readonly prepare?: (db: Db) => Promise<unknown>;
  /** Whether a demo that starts for the first time gets a month of events. */
  readonly hasMonth?: boolean;
};

/** Creates the base: the migrated database, the HTTP server, limits, the outbox, keys. */
export async function createCore(options: CoreOptions) {
  const { config, database, clock, hashingCost, prepare = migrate, hasMonth = false } = options;
  const isDemo = config.mode === 'demo';
  await database.maintenance(prepare);
  await refuseListedOperators(database.db, config);
  const databaseClock = await followDatabaseClock(database, clock);
  const metrics = await loadMetrics(options);
  const http = await createHttp(config, metrics);
  const base = createContext(options, http, metrics);
  const { context } = base;
  const keys = await openSigningKeys({ ...context, maxAgeMs: config.keyRotationDays * DAY_MS });
  const hashing = createHashing(undefined, hashingCost, undefined, metrics?.hashing);
  if (isDemo) await fillDemo(context, hashing.hash, hasMonth);
  return {
    ...http,
    ...base,
    config,
    database,
    databaseClock,
    clock,
    keys,
    hashing,
    metrics,
    isDemo,
    sealing: createSealing(context),
    knownBrowsers: createKnownBrowsers(context),
    visits: createVisits(context, http),
    toLoopback: createLoopbackFetch(http.fastify.server, config.publicUrl),
    inProcess: createInProcessFetch(http.fastify, config.publicUrl),
    recordMessage: (news: MessageNews) => metrics?.recordMessage(news),
  };
}

type Http = Awaited<ReturnType<typeof createHttp>>;

/** Creates the HTTP server, with its traces and bounds. */
async function createHttp(config: Config, metrics: Metrics | null) {
  const tracer =
    config.traces &&
    (await import('../http/tracing/tracer.ts')).createTracer(config.traces, {
      isTrusted: createTrust(config.trustedProxies),
      onCount: (outcome, count) => metrics?.countSpans(outcome, count),
      onChange: (problem) => logTraces(fastify.log, problem),
    });
  const isHttps = config.publicUrl.startsWith('https://');
  const fastify = await createFastify(config, isHttps, {
    tracer,
    errorPage: (request, reply, error) => lastResort(request, reply, error, config.help),
  });
  const drain = installDrain(fastify);
  boundRequests(fastify, { settings: config.limits });
  if (metrics) timeRequests(fastify, metrics);
  return { fastify, tracer, isHttps, drain };
}

/** Creates what every feature works with, and the records of refusals. */
function createContext(
  { config, database: { db }, clock }: CoreOptions,
  { fastify, tracer }: Http,
  metrics: Metrics | null,
) {
  const { log } = fastify;
  const watchProvider = reportProvider(log);
  const secretBox = createSecretBox(config.secret, config.previousSecrets);
  const audit = createAudit({
    db,
    clock,
    onEvent: (event) => metrics?.recordEvent(event),
    ...(config.events && { tell: (event, source) => events.tell(event, source) }),
  });
  const rateLimits = createRateLimits({
    db,
    clock,
    secretBox,
    config,
    onFull: (limit) => metrics?.countLimit(limit),
  });
  const outbox = createOutbox({ db, clock, secretBox, traces: tracer, ...reportJobs(log, audit) });
  const events = createEventWebhook({ clock, config, outbox }, watchProvider);
  outbox.define(events.job);
  const context: ServerContext = { db, clock, config, secretBox, rateLimits, audit, outbox };
  const limitNotes = createLimitNotes({
    ...context,
    log: (limit) => log.warn({ limit }, 'a limit refused somebody: see docs/limits.md'),
  });
  const refusals = auditRefusals(fastify, {
    ...context,
    onLimit: limitNotes.refused,
    onError: (error) => log.warn({ err: error }, 'a refusal is not in the audit log'),
  });
  return { context, events, watchProvider, limitNotes, refusals };
}

/** Creates the visit cookie, and the limit on new visits. */
function createVisits(context: ServerContext, { fastify, isHttps }: Http) {
  const { takeStart } = installRequestLimit(fastify, context);
  const { serializeCookie } = fastify;
  return createVisitCookie({ ...context, isHttps, serializeCookie, takeStart });
}

/** Loads the metrics, where they are enabled. */
async function loadMetrics({ config, database: { db }, clock }: CoreOptions) {
  if (config.metricsToken === null) return null;
  const { createMetrics } = await import('../metrics/metrics.ts');
  return createMetrics({ db, clock });
}
