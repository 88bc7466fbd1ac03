import { createTenant } from '../hosted-login/tenant.ts';
import { createTenantAccounts } from '../hosted-login/tenant-accounts.ts';
import { createTenantApi } from '../hosted-login/tenant-api.ts';
import { createTenantUsers } from '../hosted-login/tenant-users.ts';
import { fetchOther } from '../http/loopback.ts';
import type { Core } from './core.ts';

export type Tenant = NonNullable<ReturnType<typeof createTenantParts>>;

/** A real Auth0 tenant in place of the embedded hosted login; `null` where none is configured. */
export function createTenantParts({ kit, hashing, handlers, fastify }: Core) {
  const settings = kit.config.tenant;
  if (!settings) return null;
  const api = createTenantApi(settings, fetchOther);
  const users = createTenantUsers(api, settings.realm);
  const accounts = createTenantAccounts(kit, users);
  Object.assign(handlers, accounts.handlers);
  const onError = (error: unknown) => fastify.log.error({ err: error }, 'tenant failed');
  return { accounts, login: createTenant(settings, { api, users, accounts, hashing, onError }) };
}
