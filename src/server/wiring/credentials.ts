import { createNotifyModules } from '../hand-off/sign-out-notices.ts';
import { createNotifyClients } from '../oauth-clients/back-channel.ts';
import { createClientRegistry, fromSettings } from '../oauth-clients/registry.ts';
import { setUpDemoClient } from '../demo/demo-client.ts';
import {
  createEmbeddedCredentials,
  portalClient,
} from '../identity-provider/embedded/embedded-provider.ts';
import { createEndAccess } from '../sign-in/end-access.ts';
import type { Core } from './core.ts';
import type { Tenant } from './tenant.ts';

export type Credentials = ReturnType<typeof createCredentials>;

/** Assembles the keeper of passwords and sessions, and the notices of their end. */
export function createCredentials({ context, hashing, isDemo }: Core, tenant: Tenant | null) {
  const { db, config } = context;
  // With a tenant of its own, other applications go there.
  const demoClient = isDemo && !config.tenant ? setUpDemoClient(context) : null;
  const clients = createClientRegistry(db, [
    portalClient(config.publicUrl),
    ...(demoClient ? [demoClient.client] : []),
    ...fromSettings(config.clients),
  ]);
  const notifyClients = createNotifyClients(context, clients);
  const credentials =
    tenant?.login ?? createEmbeddedCredentials(context, { hashing, sessionEnded: notifyClients });
  // Those that a demo plays itself know no sign-out call.
  const notifyModules = createNotifyModules(context, config.modules);
  const endAccess = createEndAccess(notifyModules);
  return { demoClient, clients, notifyClients, notifyModules, endAccess, credentials };
}
