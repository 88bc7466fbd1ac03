import { setUpDemoClient } from '../demo/demo-client.ts';
import { createNotifyModules } from '../hand-off/sign-out-notices.ts';
import { fetchOther } from '../http/loopback.ts';
import { createTenantAccounts } from '../identity-provider/auth0-tenant/accounts.ts';
import { createTenantApi } from '../identity-provider/auth0-tenant/api.ts';
import {
  createTenantProvider,
  tenantExchange,
} from '../identity-provider/auth0-tenant/tenant-provider.ts';
import { createTenantUsers } from '../identity-provider/auth0-tenant/users.ts';
import {
  createEmbeddedCredentials,
  EMBEDDED_ACCOUNTS,
  embeddedExchange,
  embeddedIssuer,
  portalClient,
} from '../identity-provider/embedded/embedded-provider.ts';
import { createNotifyClients } from '../oauth-clients/back-channel.ts';
import { createConsents } from '../oauth-clients/consents.ts';
import { createClientRegistry, fromSettings } from '../oauth-clients/registry.ts';
import { createCodeExchange } from '../sign-in/code-exchange.ts';
import { createEndAccess } from '../sign-in/end-access.ts';
import type { Core } from './core.ts';

export type Tenant = ReturnType<typeof createTenant>;
export type Clients = ReturnType<typeof createClients>;
export type Credentials = ReturnType<typeof createCredentials>;

/** Creates a real Auth0 tenant in place of the embedded hosted login; `null` where none is configured. */
export function createTenant({ context, hashing, fastify }: Core) {
  const { tenant: settings, providerTimeoutMs, timers } = context.config;
  if (!settings) return null;
  const api = createTenantApi(settings, fetchOther, providerTimeoutMs);
  const users = createTenantUsers(api, settings.realm);
  const accounts = createTenantAccounts(context, users);
  for (const job of accounts.jobs) context.outbox.define(job);
  const onError = (error: unknown) => fastify.log.error({ err: error }, 'tenant failed');
  return {
    accounts,
    exchange: tenantExchange(settings, timers),
    login: createTenantProvider(settings, { api, users, accounts, hashing, onError }),
  };
}

/** Creates the registry of other applications, and their notices. */
export function createClients({ context, isDemo }: Core) {
  const { db, config } = context;
  // With a tenant of its own, other applications go there.
  const demoClient = isDemo && !config.tenant ? setUpDemoClient(context) : null;
  const clients = createClientRegistry(db, [
    portalClient(config.publicUrl),
    ...(demoClient ? [demoClient.client] : []),
    ...fromSettings(config.clients),
  ]);
  return {
    demoClient,
    clients,
    consents: createConsents(context, clients),
    notifyClients: createNotifyClients(context, clients),
    issuer: embeddedIssuer(config.publicUrl),
  };
}

/** Creates the keeper of passwords and hosted sessions, and the end of an account's access. */
export function createCredentials(
  { context, hashing, inProcess, keys }: Core,
  tenant: Tenant,
  { notifyClients: sessionEnded }: Clients,
) {
  const { config } = context;
  // Modules that a demo plays itself know no sign-out call.
  const notifyModules = createNotifyModules(context, config.modules);
  const exchange = createCodeExchange({
    ...(tenant?.exchange ?? embeddedExchange(config, inProcess)),
    redirectUri: `${config.publicUrl}/account/Redirect`,
    timeoutMs: config.providerTimeoutMs,
  });
  keys.onChange(exchange.forgetKeys);
  return {
    providerAccounts: tenant?.accounts ?? EMBEDDED_ACCOUNTS,
    credentials: tenant?.login ?? createEmbeddedCredentials(context, { hashing, sessionEnded }),
    notifyModules,
    endAccess: createEndAccess(notifyModules),
    exchange,
  };
}
