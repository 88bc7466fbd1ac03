import type { FastifyInstance } from 'fastify';
import { createAccounts } from './wiring/accounts.ts';
import { installApi } from './wiring/api.ts';
import { installConsoleOf } from './wiring/console.ts';
import { type Core, type CoreOptions, createCore } from './wiring/core.ts';
import { createCredentials } from './wiring/credentials.ts';
import { createDelivery, createReminders, type Delivery } from './wiring/delivery.ts';
import { installDemo } from './wiring/demo.ts';
import { installPortalOf } from './wiring/portal.ts';
import { createSignIn } from './wiring/sign-in.ts';
import { createTasks } from './wiring/tasks.ts';
import { createTenantParts, type Tenant } from './wiring/tenant.ts';
import { warnOfGaps } from './administration/set-up-gaps.ts';
import { setUpDemoModules } from './demo/demo-modules.ts';
import { EMBEDDED_ACCOUNTS } from './identity-provider/embedded/embedded-provider.ts';
import { refuseUnknown } from './http/errors.ts';
import type { Outbox } from './jobs/outbox-port.ts';
import type { Periodic } from './jobs/periodic.ts';
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

type Options = CoreOptions & {
  /** Directory of the built portal; `null` serves the API alone. */
  readonly build: string | null;
};

type Started = Core &
  Delivery &
  Parameters<typeof createTasks>[0] & { readonly tenant: Tenant | null };

/** The whole server, composed: this and `wiring/` are where features meet. */
export async function createApp({ build, ...options }: Options): Promise<App> {
  const core = await createCore(options);
  const { context, config, fastify, isDemo } = core;
  await refuseOtherDomain(context.db, config.keys);
  const tenant = createTenantParts(core);
  const providerAccounts = tenant?.accounts ?? EMBEDDED_ACCOUNTS;
  const delivery = createDelivery(core);
  const reminders = createReminders(core, delivery);
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
  const modules = demoModules?.modules ?? config.modules;
  const parts = { core, delivery, accounts, signIn };
  const api = await installApi(parts, { providerAccounts, modules });
  const { sharedDevices } = api;
  if (demoModules) installDemo({ ...core, ...delivery, ...signIn, reminders }, demoModules);
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
  const started = { ...core, ...delivery, reminders, sharedDevices, tenant };
  const tasks = await start(started);
  return {
    fastify,
    outbox: context.outbox,
    keys: core.keys,
    drain: core.drain.drain,
    clearSharedDevices: sharedDevices.clearOverdue,
    reportFault(error) {
      fastify.log.fatal({ err: error }, 'an error that nothing caught: the process ends');
      core.metrics?.countEvent('process.fault');
    },
    close: () => close(started, tasks),
  };
}

/** Starts what no request asks for. @returns the periodic tasks */
async function start(parts: Started): Promise<readonly Periodic[]> {
  const { context, fastify, isDemo, tenant, subtenants, metrics } = parts;
  const tasks = createTasks(parts);
  context.outbox.start();
  // Demo accounts have a password that everybody knows: they are made nowhere else.
  if (tenant && !isDemo) await tenant.accounts.catchUp();
  await warnOfGaps(context, subtenants, fastify.log);
  const periodic = Object.values(tasks);
  for (const each of periodic) each.start();
  metrics?.watchTasks(tasks);
  return periodic;
}

/** Stops the server, the part that takes work before the part that does it. */
async function close(parts: Started, tasks: readonly Periodic[]): Promise<void> {
  const { context, fastify, refusals, courier, metrics, sealing, database, tracer } = parts;
  // The door first: nobody comes in while a job takes its time to end.
  await Promise.all([fastify.close(), ...tasks.map((each) => each.stop())]);
  await context.outbox.stop();
  await refusals.stop();
  courier.close();
  metrics?.close();
  // What the last requests left behind; another instance may be at it.
  await sealing.seal().catch(() => undefined);
  await database.close();
  await tracer?.close();
}
