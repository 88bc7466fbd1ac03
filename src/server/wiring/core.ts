import { createAudit } from '../audit/audit.ts';
import type { DevClock } from '../clock.ts';
import type { Config } from '../config/config.ts';
import type { Database, Db } from '../db/database.ts';
import { createDatabaseClock } from '../db/database-clock.ts';
import { migrate } from '../db/migrate.ts';
import { seedMonth } from '../demo/month.ts';
import { seedDemo } from '../demo/seed.ts';
import { installDrain } from '../http/drain.ts';
import { auditRefusals } from '../http/refusals.ts';
import { createFastify } from '../http/fastify.ts';
import { createTrust } from '../http/request-id.ts';
import { createInProcessFetch, createLoopbackFetch } from '../http/loopback.ts';
import { createVisitCookie } from '../http/visit-cookie.ts';
import { TransientError } from '../jobs/errors.ts';
import { createOutbox } from '../jobs/outbox.ts';
import type { DeadJob } from '../jobs/job.ts';
import { openSigningKeys } from '../crypto/signing-keys.ts';
import { DAY_MS } from '../crypto/rotation-schedule.ts';
import type { ServerContext } from '../context.ts';
import { createKnownBrowsers } from '../accounts/known-browsers.ts';
import { createRateLimits } from '../abuse/rate-limits.ts';
import { createLimitNotes } from '../abuse/refusals.ts';
import { boundRequests } from '../abuse/request-bounds.ts';
import { installRequestLimit } from '../abuse/request-limit.ts';
import { createEventWebhook } from '../notifications/event-webhook.ts';
import type { MessageNews } from '../notifications/courier.ts';
import type { Unfinished } from '../metrics/steps.ts';
import { refuseInCrowd } from '../ssr/crowded.ts';
import { timeRequests } from '../metrics/metrics.routes.ts';
import { createHashing, type HashingCost } from '../password/hashing.ts';
import { createSecretBox } from '../crypto/secret-box.ts';

export type Core = Awaited<ReturnType<typeof createCore>>;

type Options = {
  readonly config: Config;
  readonly database: Database;
  readonly clock: DevClock;
  readonly hashingCost: HashingCost | undefined;
  readonly prepare: ((db: Db) => Promise<unknown>) | undefined;
  readonly hasMonth: boolean;
};

/** Creates the base: the HTTP server, the migrated database, keys, limits, the outbox. */
export async function createCore({
  config,
  database,
  clock,
  hashingCost,
  prepare = migrate,
  hasMonth,
}: Options) {
  const { db } = database;
  const isDemo = config.mode === 'demo';
  const isHttps = config.publicUrl.startsWith('https://');
  await database.maintenance(prepare);
  // The embedded database has the machine's own clock.
  const databaseClock = database.engine === 'postgres' ? createDatabaseClock(db, clock) : null;
  await databaseClock?.sync();
  const tracer = config.traces
    ? (await import('../http/tracing/tracer.ts')).createTracer(config.traces, {
        isTrusted: createTrust(config.trustedProxies),
        onCount: (outcome, count) => metrics?.countSpans(outcome, count),
        onChange: (problem) =>
          problem === null
            ? fastify.log.info('traces are taken again')
            : fastify.log.warn({ problem }, 'traces are not taken'),
      })
    : null;
  const fastify = await createFastify(config, isHttps, tracer);
  const drain = installDrain(fastify);
  boundRequests(fastify, { settings: config.limits, refuse: refuseInCrowd(config.help) });
  const metrics = config.metricsToken === null ? null : await loadMetrics({ db, clock });
  if (metrics) timeRequests(fastify, metrics);

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
    factor: config.limitFactor,
    settings: config.limits,
    onFull: (limit) => metrics?.countLimit(limit),
  });
  const limitNotes = createLimitNotes({
    clock,
    rateLimits,
    audit,
    log: (limit) => fastify.log.warn({ limit }, 'a limit refused somebody: see docs/limits.md'),
  });
  const refusals = auditRefusals(fastify, {
    db,
    clock,
    audit,
    onLimit: limitNotes.refused,
    onError: (error) => fastify.log.warn({ err: error }, 'a refusal is not in the audit log'),
  });
  const { takeStart } = installRequestLimit(fastify, { rateLimits, clock });
  const outbox = createOutbox({
    db,
    clock,
    secretBox,
    // An answer that was foreseen needs no stack.
    onError: (error, job) =>
      fastify.log.warn(
        error instanceof TransientError ? { problem: error.message, job } : { err: error, job },
        'job will be tried again',
      ),
    onDead: recordDead,
    traces: tracer,
  });
  const events = createEventWebhook({ clock, config, outbox }, watchProvider);
  outbox.define(events.job);
  const context: ServerContext = { db, clock, config, secretBox, rateLimits, audit, outbox };
  const keys = await openSigningKeys({
    ...context,
    maxAgeMs: config.keyRotationDays * DAY_MS,
  });
  const hashing = createHashing(undefined, hashingCost, undefined, metrics?.hashing);
  const demoHash = isDemo ? await seedDemo(db, clock, hashing.hash) : null;
  if (demoHash !== null && hasMonth) await seedMonth(context, demoHash);

  return {
    database,
    databaseClock,
    clock,
    context,
    keys,
    hashing,
    fastify,
    drain,
    tracer,
    refusals,
    limitNotes,
    knownBrowsers: createKnownBrowsers(context),
    metrics,
    isDemo,
    isHttps,
    isStrict: config.enumerationProtection === 'strict',
    visits: createVisitCookie({
      db,
      clock,
      secretBox,
      isHttps,
      serializeCookie: fastify.serializeCookie,
      takeStart,
    }),
    toLoopback: createLoopbackFetch(fastify.server, config.publicUrl),
    inProcess: createInProcessFetch(fastify, config.publicUrl),
    recordMessage: (news: MessageNews) => metrics?.recordMessage(news),
    recordUnfinished: (left: Unfinished, subtenantId: number | null) =>
      metrics?.recordUnfinished(left, subtenantId),
    watchProvider,
    events,
  };

  function watchProvider(provider: string, state: string): void {
    if (state === 'open') {
      fastify.log.error({ provider }, 'a provider is down: what waits for it is tried again');
    } else if (state === 'closed') fastify.log.warn({ provider }, 'a provider answers again');
  }

  /** Somebody has to look: what a dead letter holds is lost unless an operator sends it after all. */
  async function recordDead(job: DeadJob): Promise<void> {
    const { id, kind, cause, isKept } = job;
    if (!isKept) return;
    fastify.log.error({ err: cause, job: { id, kind } }, 'dead letter: see porchlight outbox');
    await audit({ kind: 'outbox.dead', details: { id, kind } });
  }
}

/** Loaded only when metrics are enabled. */
async function loadMetrics(deps: Pick<ServerContext, 'db' | 'clock'>) {
  const { createMetrics } = await import('../metrics/metrics.ts');
  return createMetrics(deps);
}
