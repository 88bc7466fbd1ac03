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
import { createWorld, type World, type WorldOptions } from './test-app.ts';

export type TenantWorld = World & {
  readonly tenant: Tenant;
  /** Until the outbox has nothing more to do; the clock goes on by what it waits for. */
  settle(): Promise<void>;
};

type Options = WorldOptions & { readonly organization?: string };

/** What the outbox waits between its tries, at most. */
const DELAYS_SECONDS = [1, 2, 4, 8, 16];

export async function createTenantWorld({
  organization,
  ...options
}: Options = {}): Promise<TenantWorld> {
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
  const world = await createWorld({
    port: portalPort,
    tenant: settings,
    ...options,
  });
  return {
    ...world,
    tenant,
    async settle() {
      for (const seconds of DELAYS_SECONDS) {
        await world.app.outbox.settle();
        world.clock.advance(seconds);
      }
      await world.app.outbox.settle();
    },
    async close() {
      await world.close();
      await tenant.close();
    },
  };
}
