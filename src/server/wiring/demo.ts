import { createDemoModules, type DemoModules } from '#demo-apps/demo-modules.ts';
import { GARDEN_CLUB_CSS } from '#demo-apps/garden-club.ts';
import { createDemoRelyingParty } from '#demo-apps/relying-party.ts';
import type { DemoModuleSetup } from '../demo/demo-modules.ts';
import { installDemoModules, installGardenClubCss } from '../demo/demo-modules.routes.ts';
import { installDevRoutes } from '../demo/demo.routes.ts';
import { installMailPreview } from '../demo/mails.routes.ts';
import type { Parts } from './parts.ts';

/** Installs the parts of a demo: its inbox, its clock, its mails, the modules and a third party's application. */
export function installDemo(parts: Parts, { secretOf, privateKeyOf }: DemoModuleSetup): void {
  const { context, config, clock, fastify, isHttps, inProcess, branding, demoClient } = parts;
  installDevRoutes(fastify, context, parts);
  installMailPreview(fastify, { db: context.db, config, ...branding });
  // A visitor at a module holds a slot while the module asks the portal, which is this process.
  const portal = { portalUrl: config.publicUrl, fetch: inProcess as typeof fetch };
  const now = () => clock.now();
  const modules: DemoModules = createDemoModules({ ...portal, now, secretOf, privateKeyOf });
  installDemoModules(fastify, modules, isHttps);
  if (!demoClient) return;
  const { client, secret } = demoClient;
  const party = createDemoRelyingParty({ ...portal, clientId: client.clientId, secret });
  installGardenClubCss(fastify, GARDEN_CLUB_CSS);
  installDemoModules(fastify, party, isHttps, '/demo/relying-party');
}
