import { rmSync } from 'node:fs';
import Fastify from 'fastify';
import { afterAll, expect, test } from 'vitest';
import { writeStubBuild } from '../testing/stub-build.ts';
import { createTestApp } from '../testing/test-app.ts';
import { OperatorError } from '../config/operator-error.ts';
import { installPortal } from './install-portal.ts';
import { loadPortalBuild } from './portal-build.ts';

const build = writeStubBuild();
afterAll(() => rmSync(build, { recursive: true, force: true }));

const subtenant = { id: 742, name: 'Rosewood Senior Living', accent: null };

test('[B3] HEAD answers as GET does, without the page', async () => {
  const testApp = await createTestApp();
  const app = Fastify();
  await installPortal(
    app,
    { build, findLogo: () => null },
    {
      ...testApp,
      config: { ...testApp.config, mode: 'production' },
      settings: { help: { phone: '', email: '' } } as never,
      surveyOptions: () => [],
      visits: {} as never,
      signIns: { findVisit: async () => null, currentWithAccount: async () => null },
      stateOf: async () => Promise.reject(new Error('There is no visit.')),
      deliveryOf: async () => null,
      subtenants: { remember: async () => undefined, shownLately: async () => subtenant as never },
      providerOrigins: [],
      myAccount: undefined as never,
      mailLinks: undefined as never,
      organisations: { page: async () => ({}) },
      sharedDevices: { opened: async () => null, screenFor: (screen: string) => screen } as never,
    },
  );
  const url = await app.listen({ host: '127.0.0.1', port: 0 });
  for (const path of ['/account/signin', '/no/such/place', '/api/nothing', '/dev/nothing']) {
    const [get, head] = await Promise.all(
      ['GET', 'HEAD'].map((method) => fetch(url + path, { method })),
    );
    expect([path, head?.status]).toEqual([path, get?.status]);
    expect(head?.headers.get('content-type')).toBe(get?.headers.get('content-type'));
    expect(await head?.text()).toBe('');
  }
  await app.close();
  await testApp.close();
});

test('[R32] no text of a page becomes markup or code by way of script', async () => {
  const testApp = await createTestApp({}, build);
  const { headers } = await fetch(`${testApp.url}/account/signin`);
  const policy = headers.get('content-security-policy')?.split('; ');
  expect(policy).toContain("require-trusted-types-for 'script'");
  expect(policy).toContain("trusted-types 'none'");
  await testApp.close();
});

test('[R32] [SEC-09] a page tells browsers where its policy’s reports go', async () => {
  const testApp = await createTestApp({}, build);
  const { headers } = await fetch(`${testApp.url}/account/signin`);
  const policy = headers.get('content-security-policy')?.split('; ');
  const [, group, path] = /^(\w+)="([^"]+)"$/.exec(headers.get('reporting-endpoints') ?? '') ?? [];
  expect(policy).toContain(`report-uri ${path}`);
  expect(policy).toContain(`report-to ${group}`);
  const sent = await fetch(`${testApp.url}${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/csp-report' },
    body: JSON.stringify({
      'csp-report': { 'violated-directive': 'img-src', 'blocked-uri': 'eval' },
    }),
  });
  expect(sent.status).toBe(204);
  await testApp.close();
});

test('[OPS-61] a start without a built portal says so, in one sentence', async () => {
  const missing = loadPortalBuild('/nowhere/dist');
  await expect(missing).rejects.toThrow(OperatorError);
  await expect(missing).rejects.toThrow(
    'The portal has not been built: there is nothing in /nowhere/dist. Run npm run build.',
  );
});
