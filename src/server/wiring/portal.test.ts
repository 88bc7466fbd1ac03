import { rmSync } from 'node:fs';
import Fastify from 'fastify';
import { afterAll, expect, test } from 'vitest';
import { writeStubBuild } from '../testing/stub-build.ts';
import { createTestApp } from '../testing/test-app.ts';
import { installPortal } from './portal.ts';

const build = writeStubBuild();
afterAll(() => rmSync(build, { recursive: true, force: true }));

const subtenant = { id: 742, name: 'Rosewood Senior Living', accent: null };

test('[B3] HEAD answers as GET does, without the page', async () => {
  const app = Fastify();
  await installPortal(
    app,
    { build, findLogo: () => null },
    {
      settings: { help: { phone: '', email: '' } } as never,
      canonicalHost: null,
      origin: 'http://localhost',
      surveyOptions: [],
      isOwnXsrf: () => false,
      findVisit: async () => null,
      stateOf: async () => Promise.reject(new Error('There is no visit.')),
      rememberSubtenant: async () => undefined,
      subtenantFor: async () => subtenant as never,
      providerOrigins: [],
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
});

test('[R32] no text of a page becomes markup or code by way of script', async () => {
  const testApp = await createTestApp({}, build);
  const { headers } = await fetch(`${testApp.url}/account/signin`);
  const policy = headers.get('content-security-policy')?.split('; ');
  expect(policy).toContain("require-trusted-types-for 'script'");
  expect(policy).toContain("trusted-types 'none'");
  await testApp.close();
});
