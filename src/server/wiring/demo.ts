import { createDemoModules, type DemoModules } from '#demo-apps/demo-modules.ts';
import { GARDEN_CLUB_CSS } from '#demo-apps/garden-club.ts';
import { createDemoRelyingParty } from '#demo-apps/relying-party.ts';
import type { setUpDemoModules } from '../demo/demo-modules.ts';
import { installDemoModules, installGardenClubCss } from '../demo/demo-modules.routes.ts';
import { installDevRoutes } from '../demo/demo.routes.ts';
import { installMailPreview } from '../demo/mails.routes.ts';
import { eraseClosed } from '../administration/close-account.ts';
import { applyDueChanges } from '../contacts/staff-changes.ts';
import type { Parts } from './parts.ts';

type OwnModules = Awaited<ReturnType<typeof setUpDemoModules>>;

/** Adds the parts of a demo: its inbox, its clock, its mails, the modules and a third party's application. */
export function installDemo(
  { core, delivery, accounts, signIn }: Parts,
  demoModules: OwnModules,
): void {
  const { context, fastify, isHttps, keys } = core;
  const { db, config, outbox } = context;
  installDevRoutes(fastify, {
    db,
    clock: core.clock,
    async settle() {
      await accounts.reminders.sendDue();
      await eraseClosed(context);
      await applyDueChanges(context);
      await outbox.settle();
    },
    onClockMoved: keys.refresh,
    callScript: signIn.callScript,
  });
  installMailPreview(fastify, { db, config, logoOf: delivery.logoOf });
  const portal = { portalUrl: config.publicUrl, fetch: core.toLoopback as typeof fetch };
  const subApp: DemoModules = createDemoModules({
    ...portal,
    now: () => core.clock.now(),
    secretOf: demoModules.secretOf,
    privateKeyOf: demoModules.privateKeyOf,
  });
  installDemoModules(fastify, subApp, isHttps);
  if (!signIn.demoClient) return;
  const { client, secret } = signIn.demoClient;
  const party = createDemoRelyingParty({ ...portal, clientId: client.clientId, secret });
  installGardenClubCss(fastify, GARDEN_CLUB_CSS);
  installDemoModules(fastify, party, isHttps, '/demo/relying-party');
}
