import { surveyOptions } from '../catalog/survey.ts';
import { warnOfGaps } from '../people/set-up-gaps.ts';
import { setUpDemoModules } from '../demo/demo-modules.ts';
import { refuseUnknown } from '../http/errors.ts';
import type { Periodic } from '../jobs/periodic.ts';
import { refuseOtherDomain } from '../proofs/passkeys/key-domain.ts';
import { installPortal } from '../ssr/install-portal.ts';
import { installApi } from './api.ts';
import { installConsoleOf } from './console.ts';
import { type CoreOptions, createCore } from './core.ts';
import { installDemo } from './demo.ts';
import { createParts, type Parts } from './parts.ts';
import { createTasks } from './tasks.ts';

export type App = Awaited<ReturnType<typeof createApp>>;

type Options = CoreOptions & {
  /** Directory of the built portal; `null` serves the API alone. */
  readonly build: string | null;
};

/** Creates the whole server: this and `wiring/` are where features meet. */
export async function createApp({ build, ...options }: Options) {
  const core = await createCore(options);
  const { context, config, fastify, isDemo } = core;
  await refuseOtherDomain(context.db, config.keys);
  const demoModules = isDemo ? await setUpDemoModules(context) : null;
  const parts = createParts(core, demoModules?.modules ?? config.modules);
  await installApi(parts);
  if (demoModules) installDemo(parts, demoModules);
  if (build) await installConsoleOf(parts, build);
  await installPages(parts, build);
  const tasks = await start(parts);
  return {
    fastify,
    outbox: context.outbox,
    keys: core.keys,
    /** Says "not ready" for so long, and waits for what is under way; before `close`, where others can take over. */
    drain: core.drain.drain,
    /** Clears the shared devices whose time is over; runs by itself, too. */
    clearSharedDevices: parts.sharedDevices.clearOverdue,
    /** Logs and counts an error that nothing caught. */
    reportFault(error: unknown): void {
      fastify.log.fatal({ err: error }, 'an error that nothing caught: the process ends');
      core.metrics?.countEvent('process.fault');
    },
    /** Stops taking requests, finishes what is under way, closes the database. */
    close: () => close(parts, tasks),
  };
}

/** Installs the portal's pages and the hosted login, which draws its own with them; without a build there are none. */
async function installPages(parts: Parts, build: string | null): Promise<void> {
  const { fastify, logos, identityProvider, sharedDevices } = parts;
  const providerOrigins = identityProvider.origins;
  const deps = { ...parts, ...parts.context, surveyOptions, providerOrigins };
  const pages = build && (await installPortal(fastify, { build, findLogo: logos.find }, deps));
  if (!pages) {
    fastify.setNotFoundHandler((request, reply) => refuseUnknown(fastify, request, reply));
  }
  await identityProvider.mount(
    fastify,
    async (...page) => (pages ? pages.renderScreen(...page) : null),
    sharedDevices.finishPlain,
  );
}

/** Starts what no request asks for. @returns the periodic tasks */
async function start(parts: Parts): Promise<readonly Periodic[]> {
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
async function close(parts: Parts, tasks: readonly Periodic[]): Promise<void> {
  const { context, fastify, refusals, courier, metrics, sealing, database, tracer } = parts;
  // The door first: nobody comes in while a job takes its time to end.
  await Promise.all([fastify.close(), ...tasks.map((each) => each.stop())]);
  await context.outbox.stop();
  await refusals.stop();
  courier.close();
  metrics?.close();
  // Seals the audit events of the last requests. It may fail because another instance seals at this moment.
  await sealing.seal().catch(() => undefined);
  await database.close();
  await tracer?.close();
}
