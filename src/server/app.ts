import type { FastifyInstance } from 'fastify';
import { DEFAULT_SUBTENANT_ID } from '#domain/people/subtenants.ts';
import { fill } from '#locales/fill.ts';
import { server as texts } from '#locales/operator/server.ts';
import { createSealing } from './audit/sealing.ts';
import type { DevClock } from './clock.ts';
import { createAccounts } from './wiring/accounts.ts';
import { installApi } from './wiring/api.ts';
import { installConsoleOf } from './wiring/console.ts';
import { type Core, createCore } from './wiring/core.ts';
import { createCredentials } from './wiring/credentials.ts';
import { createDelivery, type Delivery } from './wiring/delivery.ts';
import { installDemo } from './wiring/demo.ts';
import { installPortalOf } from './wiring/portal.ts';
import { createSignIn } from './wiring/sign-in.ts';
import { createTasks } from './wiring/tasks.ts';
import { createTenantParts } from './wiring/tenant.ts';
import { hasOperator } from './administration/last-operator.ts';
import type { Config } from './config/config.ts';
import type { Database, Db } from './db/database.ts';
import { setUpDemoModules } from './demo/demo-modules.ts';
import { EMBEDDED_ACCOUNTS } from './identity-provider/embedded/embedded-provider.ts';
import { refuseUnknown } from './http/errors.ts';
import type { Outbox } from './jobs/outbox-port.ts';
import type { HashingCost } from './password/hashing.ts';
import { refuseOtherDomain } from './passkeys/key-domain.ts';
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
  const demoModules = isDemo ? await setUpDemoModules(context) : null;
  const modules = demoModules
    ? demoModules.modules.map((own) => config.modules.find(({ id }) => id === own.id) ?? own)
    : config.modules;
  const parts = { core, delivery, accounts, signIn };
  const api = await installApi(parts, { providerAccounts, modules });
  const { sharedDevices } = api;
  if (demoModules) installDemo(parts, demoModules);
  if (build) await installConsoleOf(parts, api, { build, modules });
  const pages = build ? await installPortalOf(parts, api, build) : null;
  if (!pages) {
    fastify.setNotFoundHandler((request, reply) => refuseUnknown(fastify, request, reply));
  }
  await signIn.identityProvider.mount(
    fastify,
    async (...page) => pages?.renderScreen(...page) ?? null,
    sharedDevices.finishPlain,
  );

  const sealing = createSealing(core.context);
  const tasks = createTasks({
    core,
    reminders: accounts.reminders,
    sharedDevices,
    sealing,
  });
  outbox.start();
  // Demo accounts have a password that everybody knows: they are made nowhere else.
  if (tenant && !isDemo) await tenant.accounts.catchUp();
  await warnOfGaps(core, delivery);
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
}

/** Tells the operator what nobody has set up yet. */
async function warnOfGaps(
  { context: { db, config }, fastify, isDemo }: Core,
  { subtenants }: Delivery,
): Promise<void> {
  if (!isDemo && (await subtenants.find(DEFAULT_SUBTENANT_ID)) === null) {
    fastify.log.warn(fill(texts.noSubtenant, { id: DEFAULT_SUBTENANT_ID }));
  }
  if ((await hasOperator({ db, config })) === false) fastify.log.warn(texts.noOperator);
  if (!isDemo && !config.crm) {
    fastify.log.warn(fill(texts.leadsStay, { days: config.leadDays }));
  }
}
