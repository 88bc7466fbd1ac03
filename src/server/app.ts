import type { FastifyInstance } from 'fastify';
import type { DevClock } from './clock.ts';
import { createAccounts } from './wiring/accounts.ts';
import { installApi } from './wiring/api.ts';
import { createCore } from './wiring/core.ts';
import { createDelivery } from './wiring/delivery.ts';
import { installDemo } from './wiring/demo.ts';
import { installPortal } from './wiring/portal.ts';
import { createSignIn } from './wiring/sign-in.ts';
import { createTenantParts } from './wiring/tenant.ts';
import { type Config, loadModules } from './config/config.ts';
import type { Database } from './db/database.ts';
import { setUpDemoModules } from './demo/demo-modules.ts';
import { EMBEDDED_ACCOUNTS } from './identity-provider/embedded/embedded-provider.ts';
import { refuseUnknown } from './http/errors.ts';
import { createCleanup } from './jobs/cleanup.ts';
import type { Outbox } from './jobs/outbox.ts';
import type { HashingCost } from './password/hashing.ts';
import { createPeriodic } from './jobs/periodic.ts';
import type { SigningKeys } from './crypto/signing-keys.ts';
import type { Pages } from './ssr/pages.ts';

export type App = {
  readonly fastify: FastifyInstance;
  readonly outbox: Outbox;
  readonly keys: SigningKeys;
  /** Says "not ready" for so long, and waits for what is under way; before `close`, where others can take over. */
  drain(noticeMs: number): Promise<void>;
  /** Logs and counts an error that nothing caught. */
  reportFault(error: unknown): void;
  /** Stops taking requests, finishes what is under way, closes the database. */
  close(): Promise<void>;
};

const HOUR_MS = 60 * 60 * 1000;
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
};

/** The whole server, composed: this and `composition/` are where features meet. */
export async function createApp({
  config,
  database,
  clock,
  build,
  hashingCost,
}: Options): Promise<App> {
  const core = await createCore({ config, database, clock, hashingCost });
  const { fastify, context, keys, isDemo } = core;
  const { outbox } = context;
  const tenant = createTenantParts(core);
  const providerAccounts = tenant?.accounts ?? EMBEDDED_ACCOUNTS;
  const delivery = createDelivery(core);
  const accounts = createAccounts(core, delivery, providerAccounts);
  let pages: Pages | null = null;
  const signIn = createSignIn({
    core,
    delivery,
    accounts,
    tenant,
    providerAccounts,
    drawPage: async (page, request, form) => pages?.draw(page, request, form) ?? null,
  });
  const demoModules = isDemo ? await setUpDemoModules(context) : null;
  const modules = demoModules?.modules ?? loadModules(config.modulesFile ?? '');
  const { settings, stateOf } = await installApi({
    core,
    delivery,
    accounts,
    signIn,
    providerAccounts,
    modules,
  });
  if (demoModules) installDemo({ core, delivery, accounts, signIn, demoModules });
  if (build) {
    pages = await installPortal(
      fastify,
      { build, findLogo: delivery.findLogo },
      {
        settings,
        canonicalHost: isDemo ? new URL(config.publicUrl).host : null,
        findVisit: core.visits.findByHeader,
        stateOf,
        rememberSubtenant: delivery.subtenants.remember,
        subtenantFor: delivery.subtenants.shown,
        providerOrigins: signIn.identityProvider.origins,
      },
    );
  } else {
    fastify.setNotFoundHandler((request, reply) => refuseUnknown(fastify, request, reply));
  }

  const cleanup = createCleanup({
    db: database.db,
    clock,
    auditDays: config.auditDays,
    onDone: (deleted) => fastify.log.info({ deleted }, 'clean-up'),
    onDeadLetters: (count) => fastify.log.error({ count }, 'dead letters: see npm run outbox'),
    onError(error, table) {
      fastify.log.error({ err: error, table }, 'clean-up failed, and will be tried again');
      core.metrics?.countEvent('cleanup.failed');
    },
  });
  const cleaning = createPeriodic(
    HOUR_MS,
    cleanup.run,
    (error) => fastify.log.error({ err: error }, 'clean-up failed, and will be tried again'),
    { firstAfterMs: FIRST_CLEANUP_MS },
  );
  const trialReminders = createPeriodic(HOUR_MS, accounts.trialReminders.sendDue, (error) =>
    fastify.log.warn({ err: error }, 'trial notices will be tried again'),
  );
  outbox.start();
  // Demo accounts have a password that everybody knows: they are made nowhere else.
  if (tenant && !isDemo) await tenant.accounts.catchUp();
  const periodic = [cleaning, keys, trialReminders];
  for (const each of periodic) each.start();
  return {
    fastify,
    outbox,
    keys,
    drain: core.drain.drain,
    reportFault(error) {
      fastify.log.fatal({ err: error }, 'an error that nothing caught: the process ends');
      core.metrics?.countEvent('process.fault');
    },
    async close() {
      for (const each of periodic) each.stop();
      await fastify.close();
      await outbox.stop();
      delivery.courier.close();
      core.metrics?.close();
      await database.close();
    },
  };
}
