import { setUpDemoClient } from '../demo/demo-client.ts';
import { createNotifyModules } from '../hand-off/sign-out-notices.ts';
import { createTenant } from '../identity-provider/auth0-tenant/tenant-provider.ts';
import {
  createEmbeddedCredentials,
  EMBEDDED_ACCOUNTS,
  embeddedExchange,
  embeddedIssuer,
  portalClient,
} from '../identity-provider/embedded/embedded-provider.ts';
import { createNotifyClients } from '../identity-provider/oauth-clients/back-channel.ts';
import { createConsents } from '../identity-provider/oauth-clients/consents.ts';
import { createClientRegistry, fromSettings } from '../identity-provider/oauth-clients/registry.ts';
import { createCodeExchange } from '../sign-in/code-exchange.ts';
import { createEndAccess } from '../sign-in/end-access.ts';
import type { Delivery } from './delivery.ts';

export type Credentials = ReturnType<typeof addCredentials>;

/** Adds the registry of other applications, what stores passwords and hosted sessions, and what ends all sessions of an account. */
export function addCredentials(before: Delivery) {
  const { context, config, hashing, inProcess, isDemo, keys } = before;
  const tenant = createTenant(context, hashing, before.fastify.log);
  // With a tenant of its own, other applications go there.
  const demoClient = isDemo && !tenant ? setUpDemoClient(context) : null;
  const clients = createClientRegistry(context.db, [
    portalClient(config.publicUrl),
    ...(demoClient ? [demoClient.client] : []),
    ...fromSettings(config.clients),
  ]);
  const notifyClients = createNotifyClients(context, clients);
  const credentials =
    tenant?.login ?? createEmbeddedCredentials(context, { hashing, sessionEnded: notifyClients });
  // Modules that a demo plays itself know no sign-out call.
  const notifyModules = createNotifyModules(context, config.modules);
  const exchange = createCodeExchange({
    ...(tenant?.exchange ?? embeddedExchange(config, inProcess)),
    redirectUri: `${config.publicUrl}/account/Redirect`,
    timeoutMs: config.providerTimeoutMs,
  });
  keys.onChange(exchange.forgetKeys);
  return {
    ...before,
    tenant,
    demoClient,
    clients,
    consents: createConsents(context, clients),
    issuer: embeddedIssuer(config.publicUrl),
    notifyClients,
    notifyModules,
    credentials,
    passwords: credentials.passwords,
    providerAccounts: tenant?.accounts ?? EMBEDDED_ACCOUNTS,
    endProviderSessions: credentials.endAccount,
    endAccess: createEndAccess(notifyModules),
    exchange,
  };
}
