/** [OPS-05] The JSON of `porchlight check-tenant`. */

import { afterAll, afterEach, expect, test } from 'vitest';
import { operate } from '#server/testing/operate.ts';
import { createTenantTestApp } from '#server/testing/tenant-test-app.ts';
import { createTestContext } from '#server/testing/test-app.ts';

type Row = { readonly check: string; readonly state: string; readonly mend: string };

const testApp = await createTenantTestApp();
const context = await createTestContext();
afterEach(() => testApp.tenant.faults.clear());
afterAll(async () => {
  await testApp.close();
  await context.database.close();
});

async function look(change: Partial<typeof testApp.config> = {}) {
  const config = { ...testApp.config, ...change };
  const { data, hasFailed } = await operate({ ...context, config }, 'check-tenant');
  return { rows: data as readonly Row[], hasFailed };
}

test('[OPS-05] [API-04] each check of the tenant is a row with its name, its state and its mend', async () => {
  const { rows, hasFailed } = await look();
  expect(hasFailed).toBe(false);
  const names = rows.map(({ check }) => check);
  expect(names).toContain('callback');
  expect(new Set(names).size).toBe(names.length);
  for (const row of rows) expect(row).toMatchObject({ state: 'ok', mend: '' });

  const elsewhere = await look({ publicUrl: 'https://portal.example.org' });
  expect(elsewhere.hasFailed).toBe(true);
  const stateOf = (name: string) => elsewhere.rows.find(({ check }) => check === name);
  expect(stateOf('callback')).toMatchObject({
    state: 'fault',
    mend: expect.stringContaining('https://portal.example.org/account/Redirect'),
  });
  expect(stateOf('site')).toMatchObject({ state: 'warning' });

  testApp.tenant.faults.set('/', 'cut');
  const away = await look();
  expect(away).toMatchObject({ hasFailed: true, rows: [{ check: 'metadata', state: 'fault' }] });
});

test('[OPS-05] without a tenant there is one row, which says so', async () => {
  const { rows, hasFailed } = await look({ tenant: null });
  expect(hasFailed).toBe(false);
  expect(rows).toMatchObject([{ check: 'tenant', state: 'ok' }]);
});
