import {
  createTenantProvider,
  tenantExchange,
} from '../identity-provider/auth0-tenant/tenant-provider.ts';
import { createTenantAccounts } from '../identity-provider/auth0-tenant/accounts.ts';
import { createTenantApi } from '../identity-provider/auth0-tenant/api.ts';
import { createTenantUsers } from '../identity-provider/auth0-tenant/users.ts';
import { fetchOther } from '../http/loopback.ts';
import type { Core } from './core.ts';

export type Tenant = NonNullable<ReturnType<typeof createTenantParts>>;

/** A real Auth0 tenant in place of the embedded hosted login; `null` where none is configured. */
export function createTenantParts({ context, hashing, fastify }: Core) {
  const settings = context.config.tenant;
  if (!settings) return null;
  const api = createTenantApi(settings, fetchOther, context.config.providerTimeoutMs);
  const users = createTenantUsers(api, settings.realm);
  const accounts = createTenantAccounts(context, users);
  for (const job of accounts.jobs) context.outbox.define(job);
  const onError = (error: unknown) => fastify.log.error({ err: error }, 'tenant failed');
  return {
    accounts,
    exchange: tenantExchange(settings, context.config.timers),
    login: createTenantProvider(settings, { api, users, accounts, hashing, onError }),
  };
}
