import { surveyOptions } from './catalog/survey.ts';
import type { FastifyInstance } from 'fastify';
import { DEFAULT_SUBTENANT_ID } from '#domain/subtenants.ts';
import { fill } from '#locales/fill.ts';
import { server as texts } from '#locales/operator/server.ts';
import { setLanguage } from './accounts/account-store.ts';
import { readLastSeal } from './audit/audit-store.ts';
import { createSealing } from './audit/sealing.ts';
import { headOf } from './audit/verify.ts';
import type { DevClock } from './clock.ts';
import { sealPlainAnswers } from './accounts/survey-text.ts';
import { createAccounts } from './wiring/accounts.ts';
import { installApi } from './wiring/api.ts';
import { installConsoleOf } from './wiring/console.ts';
import { createCore } from './wiring/core.ts';
import { createCredentials } from './wiring/credentials.ts';
import { createDelivery } from './wiring/delivery.ts';
import { installDemo } from './wiring/demo.ts';
import { installPortal } from './wiring/portal.ts';
import { createSignIn } from './wiring/sign-in.ts';
import { createTenantParts } from './wiring/tenant.ts';
import { hasOperator } from './administration/last-operator.ts';
import { eraseClosed } from './administration/close-account.ts';
import { applyDueChanges } from './administration/staff-changes.ts';
import type { Config } from './config/config.ts';
import type { Database, Db } from './db/database.ts';
import { setUpDemoModules } from './demo/demo-modules.ts';
import { EMBEDDED_ACCOUNTS } from './identity-provider/embedded/embedded-provider.ts';
import { refuseUnknown } from './http/errors.ts';
import { createCleanup } from './jobs/cleanup.ts';
import type { Outbox } from './jobs/outbox-port.ts';
import type { HashingCost } from './password/hashing.ts';
import { createPeriodic } from './jobs/periodic.ts';
import { REFRESH_MS } from './crypto/rotation-schedule.ts';
import { refuseOtherDomain } from './saved-keys/key-domain.ts';
import type { SigningKeys } from './crypto/signing-keys.ts';

export type App = {
  readonly fastify: FastifyInstance;
  readonly outbox: Outbox;
  readonly keys: SigningKeys;
  /** Says "not ready" for so long, and waits for what is under way; before `close`, where others can take over. */
  drain(noticeMs: number): Promise<void>;
  /** Clears the shared devices whose time is over; runs by itself, too. */
  clearSharedDevices(): Promise<void>;
  /** Logs and counts an error that nothing caught. */
  reportFault(error: unknown): void;
  /** Stops taking requests, finishes what is under way, closes the database. */
  close(): Promise<void>;
};

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
/** Milliseconds between looks for shared devices whose time is over, and whose browser no longer asks. */
const SHARED_EVERY_MS = 15_000;
/** Milliseconds between looks for accounts whose day has come. */
const CLOSED_EVERY_MS = 5 * MINUTE_MS;
/** So long nothing tells whether a row was changed. */
const SEAL_EVERY_MS = 5000;
/** Soon enough for an instance that is restarted every day, late enough not to slow its start. */
const FIRST_CLEANUP_MS = 60_000;

type Options = {
  readonly config: Config;
  readonly database: Database;
  readonly clock: DevClock;
  /** Directory of the built portal; `null` serves the API alone. */
  readonly build: string | null;
  /** Tests hash a thousand passwords that protect nothing; the process itself never sets it. */
  readonly hashingCost?: HashingCost;
  /** Makes the database ready, or refuses it; left out, it is brought up to date. */
  readonly prepare?: (db: Db) => Promise<unknown>;
  /** Whether a demo that starts for the first time gets a month of events. */
  readonly hasMonth?: boolean;
};

/** The whole server, composed: this and `wiring/` are where features meet. */
export async function createApp({
  config,
  database,
  clock,
  build,
  hashingCost,
  prepare,
  hasMonth = false,
}: Options): Promise<App> {
  const core = await createCore({ config, database, clock, hashingCost, prepare, hasMonth });
  const { fastify, context, keys, isDemo } = core;
  await refuseOtherDomain(database.db, config.keys);
  const { outbox } = context;
  const tenant = createTenantParts(core);
  const providerAccounts = tenant?.accounts ?? EMBEDDED_ACCOUNTS;
  const delivery = createDelivery(core);
  const credentialParts = createCredentials(core, tenant);
  const accounts = createAccounts(core, delivery, providerAccounts, credentialParts);
  const signIn = createSignIn({
    core,
    delivery,
    accounts,
    credentialParts,
    tenant,
    providerAccounts,
  });
  if (!isDemo && (await delivery.subtenants.find(DEFAULT_SUBTENANT_ID)) === null) {
    fastify.log.warn(fill(texts.noSubtenant, { id: DEFAULT_SUBTENANT_ID }));
  }
  const demoModules = isDemo ? await setUpDemoModules(context) : null;
  const modules = demoModules
    ? demoModules.modules.map((own) => config.modules.find(({ id }) => id === own.id) ?? own)
    : config.modules;
  const { settings, stateOf, myAccount, mailLinks, deliveryOf, sharedDevices } = await installApi({
    core,
    delivery,
    accounts,
    signIn,
    providerAccounts,
    modules,
  });
  if (demoModules) installDemo({ core, delivery, accounts, signIn, demoModules });
  if (build) {
    await installConsoleOf(fastify, {
      core,
      delivery,
      accounts,
      signIn,
      build,
      settings,
      modules,
      stateOf,
      sharedDevices,
    });
  }
  const pages = build
    ? await installPortal(
        fastify,
        { build, findLogo: delivery.findLogo },
        {
          db: database.db,
          clock,
          settings,
          hours: config.helpHours,
          canonicalHost: isDemo ? new URL(config.publicUrl).host : null,
          origin: new URL(config.publicUrl).origin,
          surveyOptions,
          async speakerOf(visit) {
            const found = await signIn.signIns.currentWithAccount(visit);
            const { id, language = null } = found?.account ?? {};
            return found?.attempt.stage === 'complete' && id ? { id, language } : null;
          },
          isDemo,
          keepAccountLanguage: (userId, language) => setLanguage(database.db, userId, language),
          formToken: core.visits.formToken,
          isOwnXsrf: core.visits.isOwnXsrf,
          beginVisit: core.visits.ensure,
          visitTokenIn: core.visits.tokenIn,
          findVisit: (cookieHeader) =>
            signIn.signIns.findVisit((read) => core.visits.findByHeader(cookieHeader, read)),
          stateOf,
          myAccount,
          mailLinks,
          sharedDevices,
          deliveryOf,
          rememberSubtenant: delivery.subtenants.remember,
          subtenantFor: delivery.subtenants.shownLately,
          providerOrigins: signIn.identityProvider.origins,
        },
      )
    : null;
  if (!pages) {
    fastify.setNotFoundHandler((request, reply) => refuseUnknown(fastify, request, reply));
  }
  await signIn.identityProvider.mount(
    fastify,
    async (...page) => pages?.renderScreen(...page) ?? null,
    sharedDevices.finishPlain,
  );

  const sealing = createSealing(core.context);
  const auditSealing = createPeriodic(SEAL_EVERY_MS, sealing.seal, (error) =>
    fastify.log.warn({ err: error }, 'the audit log will be sealed later'),
  );
  // Outside of the database: who takes the newest batches away cannot take these lines.
  const auditHead = createPeriodic(HOUR_MS, logHead, (error) =>
    fastify.log.warn({ err: error }, 'the newest batch of the audit log could not be told'),
  );
  const cleanup = createCleanup({
    db: database.db,
    clock,
    auditDays: config.auditDays,
    leadDays: config.leadDays,
    timers: config.timers,
    sealing,
    onDone: (deleted) => fastify.log.info({ deleted }, 'clean-up'),
    onDeadLetters: (count) => fastify.log.error({ count }, 'dead letters: see porchlight outbox'),
    onUnfinished: core.recordUnfinished,
    onError(error, table) {
      fastify.log.error({ err: error, table }, 'clean-up failed, and will be tried again');
      core.metrics?.countEvent('cleanup.failed');
    },
  });
  const cleaning = createPeriodic(
    HOUR_MS,
    (signal) => traced('clean-up', () => cleanup.run(signal)),
    (error) => fastify.log.error({ err: error }, 'clean-up failed, and will be tried again'),
    { firstAfterMs: FIRST_CLEANUP_MS },
  );
  const surveySealing = createPeriodic(
    HOUR_MS,
    (signal) => sealPlainAnswers(core.context, signal),
    (error) => fastify.log.warn({ err: error }, 'survey answers will be sealed later'),
    { firstAfterMs: FIRST_CLEANUP_MS },
  );
  const reminders = createPeriodic(
    HOUR_MS,
    () => traced('reminders', accounts.reminders.sendDue),
    (error) => fastify.log.warn({ err: error }, 'reminders will be tried again'),
  );
  const erasures = createPeriodic(
    CLOSED_EVERY_MS,
    () => traced('closed accounts', () => eraseClosed(core.context)),
    (error) => fastify.log.error({ err: error }, 'closed accounts will be erased later'),
  );
  const staffChanges = createPeriodic(
    CLOSED_EVERY_MS,
    () => traced('changes by staff', () => applyDueChanges(core.context)),
    (error) => fastify.log.error({ err: error }, 'changes by staff will count later'),
  );
  const clearings = createPeriodic(
    SHARED_EVERY_MS,
    sharedDevices.clearOverdue,
    (error) => fastify.log.error({ err: error }, 'shared devices will be cleared later'),
    { firstAfterMs: SHARED_EVERY_MS },
  );
  const keyRefresh = createPeriodic(
    REFRESH_MS,
    keys.refresh,
    (error) => fastify.log.warn({ err: error }, 'the keys will be read again'),
    { firstAfterMs: REFRESH_MS },
  );
  const { databaseClock } = core;
  const clockSyncs = createPeriodic(
    MINUTE_MS,
    async () => databaseClock?.sync(),
    (error) => fastify.log.warn({ err: error }, "the database's clock will be looked at again"),
    { firstAfterMs: MINUTE_MS },
  );
  outbox.start();
  // Demo accounts have a password that everybody knows: they are made nowhere else.
  if (tenant && !isDemo) await tenant.accounts.catchUp();
  if ((await hasOperator({ db: database.db, config })) === false) {
    fastify.log.warn(texts.noOperator);
  }
  if (!isDemo && !config.crm) {
    fastify.log.warn(fill(texts.leadsStay, { days: config.leadDays }));
  }
  const tasks = {
    cleaning,
    surveySealing,
    keyRefresh,
    reminders,
    erasures,
    staffChanges,
    clearings,
    clockSyncs,
    auditSealing,
    auditHead,
  };
  const periodic = Object.values(tasks);
  for (const each of periodic) each.start();
  core.metrics?.watchTasks(tasks);
  return {
    fastify,
    outbox,
    keys,
    drain: core.drain.drain,
    clearSharedDevices: sharedDevices.clearOverdue,
    reportFault(error) {
      fastify.log.fatal({ err: error }, 'an error that nothing caught: the process ends');
      core.metrics?.countEvent('process.fault');
    },
    async close() {
      // The door first: nobody comes in while a job takes its time to end.
      await Promise.all([fastify.close(), ...periodic.map((each) => each.stop())]);
      await outbox.stop();
      await core.refusals.stop();
      delivery.courier.close();
      core.metrics?.close();
      // What the last requests left behind; another instance may be at it.
      await sealing.seal().catch(() => undefined);
      await database.close();
      await core.tracer?.close();
    },
  };

  /** Of the work that nobody asked for only what is done once an hour: the rest would bury the traces of requests. */
  async function traced(name: string, work: () => Promise<unknown>): Promise<unknown> {
    return core.tracer ? core.tracer.periodic(name, work) : work();
  }

  async function logHead(): Promise<void> {
    const head = await readLastSeal(database.db);
    if (head) fastify.log.info({ head: headOf(head) }, 'audit log sealed');
  }
}
