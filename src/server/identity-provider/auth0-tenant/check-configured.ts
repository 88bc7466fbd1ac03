import type { Config } from '../../config/config.ts';
import { fetchOther } from '../../http/loopback.ts';
import { createTenantApi } from './api.ts';
import { checkTenant, report } from './check.ts';
import { createTenantUsers } from './users.ts';

/** Checks the configured tenant: `lines` and `rows` have every check, `findings` only those that need a fix. */
export async function checkConfigured({
  tenant,
  publicUrl,
  providerTimeoutMs,
}: Pick<Config, 'tenant' | 'publicUrl' | 'providerTimeoutMs'>) {
  if (!tenant) return null;
  const api = createTenantApi(tenant, fetchOther, providerTimeoutMs);
  const users = createTenantUsers(api, tenant.realm);
  const now = () => Date.now();
  const checks = await checkTenant({ tenant, publicUrl, api, users, fetch: fetchOther, now });
  const findings = checks.filter(({ fix }) => fix !== null);
  return { ...report(tenant.base, checks), findings: report(tenant.base, findings).lines };
}
