import type { Config } from '../../config/config.ts';
import { fetchOther } from '../../http/loopback.ts';
import { createTenantApi } from './api.ts';
import { checkTenant, report } from './check.ts';
import { createTenantUsers } from './users.ts';

/** Checks the tenant that the settings name: every line for a command, what is amiss for a start. */
export async function checkConfigured({ tenant, publicUrl }: Pick<Config, 'tenant' | 'publicUrl'>) {
  if (!tenant) return null;
  const api = createTenantApi(tenant, fetchOther);
  const users = createTenantUsers(api, tenant.realm);
  const now = () => Date.now();
  const findings = await checkTenant({ tenant, publicUrl, api, users, fetch: fetchOther, now });
  const toMend = findings.filter(({ fix }) => fix !== null);
  return { ...report(tenant.base, findings), amiss: report(tenant.base, toMend).lines };
}
