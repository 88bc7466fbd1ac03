import { beforeEach, describe, expect, test } from 'vitest';
import { createTenantTestApp } from '../../testing/tenant-test-app.ts';
import { checkConfigured } from './check-configured.ts';
import type { TenantConfig } from '../../config/auth0-tenant-config.ts';
import { closeAtEnd } from '../../testing/close-at-end.ts';

const testApp = closeAtEnd(await createTenantTestApp());
beforeEach(() => testApp.tenant.faults.clear());

/** Returns the findings of the check with other settings, or from another address of the portal. */
async function faults(change: Partial<TenantConfig> = {}, publicUrl = testApp.config.publicUrl) {
  const tenant = { ...(testApp.config.tenant as TenantConfig), ...change };
  const result = await checkConfigured({ ...testApp.config, tenant, publicUrl });
  const lines = result?.lines ?? [];
  const found = lines.filter((line) => /^(FAULT|Note): /.test(line));
  return { found: found, count: result?.count, lines };
}

describe('[API-04] porchlight auth0 check', () => {
  test('finds nothing at a tenant that is set up as the guide says', async () => {
    const { found, lines } = await faults();
    expect(found).toEqual([]);
    expect(lines.at(-1)).toBe('The tenant is ready.');
  });

  test('without a tenant there is nothing to check', async () => {
    expect(await checkConfigured({ ...testApp.config, tenant: null })).toBeNull();
  });

  test('changes nothing there', async () => {
    await faults();
    expect(testApp.tenant.users.list).toEqual([]);
  });

  test('a tenant that is down is one fault, not fifteen', async () => {
    testApp.tenant.faults.set('/', 'cut');
    const { found } = await faults();
    expect(found).toHaveLength(1);
    expect(found[0]).toContain('It does not answer.');
  });

  test.each([
    ['another issuer', { issuer: 'https://other.example/' }, /^FAULT: It answers and names/],
    ['an unknown application', { clientId: 'nobody' }, /^FAULT: It knows the application/],
    ['another connection', { realm: 'nowhere' }, /^FAULT: It has the connection nowhere/],
  ] as const)('%s is named', async (_, change, expected) => {
    const { found, count } = await faults(change);
    expect(found.join('\n')).toMatch(expected);
    expect(count).toBeGreaterThan(0);
  });

  test('a wrong secret of the backend is named, and not shown', async () => {
    const own = testApp.config.tenant as TenantConfig;
    const { found, lines } = await faults({
      backend: { ...own.backend, clientSecret: 'not the secret of it' },
    });
    expect(found.join('\n')).toContain('FAULT: It gives the backend a token');
    expect(lines.join('\n')).not.toContain('not the secret of it');
  });

  test('a portal on another address is told which lists it has to be on', async () => {
    const { found } = await faults({}, 'https://portal.example.org');
    const text = found.join('\n');
    expect(text).toContain(
      'Put https://portal.example.org/account/Redirect on the Allowed Callback URLs.',
    );
    expect(text).toContain('Put https://portal.example.org on the Allowed Origins (CORS)');
    expect(text).toContain(
      'Put https://portal.example.org/account/Signout?hosted=done on the Allowed Logout URLs.',
    );
    expect(text).toContain('Note: It is on the portal’s own site');
  });
});
