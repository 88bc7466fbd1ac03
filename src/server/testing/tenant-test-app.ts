/** The real server on a stand-in tenant of another origin, with another issuer. */

import {
  BACKEND_CLIENT,
  BACKEND_SECRET,
  createTenant,
  type Tenant,
  TENANT_CLIENT,
} from '#openid-provider/testing/tenant.ts';
import type { TenantConfig } from '../config/auth0-tenant-config.ts';
import { freePort } from './free-port.ts';
import { createTestApp, type TestApp, type TestAppOptions } from './test-app.ts';

export type TenantTestApp = TestApp & {
  readonly tenant: Tenant;
  /** Until the outbox has nothing more to do; the clock goes on by what it waits for. */
  settle(): Promise<void>;
};

type Options = TestAppOptions & { readonly organization?: string };

/** What the outbox waits between its tries, at most. */
const DELAYS_SECONDS = [1, 2, 4, 8, 16];

export async function createTenantTestApp({
  organization,
  ...options
}: Options = {}): Promise<TenantTestApp> {
  const [port, portalPort] = [await freePort(), await freePort()];
  const portal = `http://localhost:${portalPort}`;
  const origin = `http://localhost:${port}`;
  const tenant = await createTenant({
    port,
    origin,
    portal,
    ...(organization && { organization }),
  });
  const settings: TenantConfig = {
    base: `${origin}/`,
    issuer: tenant.issuer,
    clientId: TENANT_CLIENT,
    realm: 'Username-Password-Authentication',
    audience: null,
    organization: organization ?? null,
    backend: { base: `${origin}/`, clientId: BACKEND_CLIENT, clientSecret: BACKEND_SECRET },
  };
  const testApp = await createTestApp({
    port: portalPort,
    tenant: settings,
    // Tests of a tenant that hangs wait it out.
    providerTimeoutMs: 1500,
    ...options,
  });
  return {
    ...testApp,
    tenant,
    async settle() {
      for (const seconds of DELAYS_SECONDS) {
        await testApp.app.outbox.settle();
        testApp.clock.advance(seconds);
      }
      await testApp.app.outbox.settle();
    },
    async close() {
      await testApp.close();
      await tenant.close();
    },
  };
}
