import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import Fastify from 'fastify';
import { afterAll, expect, test } from 'vitest';
import { installPortal } from './portal.ts';

/** As little of a built portal as the server asks for. */
const FILES = {
  'client/assets/style.css': '',
  'client/.vite/manifest.json': '{"style.css":{"file":"assets/style.css"}}',
  'server/entry-server.js': `
    export const render = async () => ({ html: 'drawn', title: 'Drawn', status: 200, module: '' });
    export const themeCss = () => '';
    export const earlySource = '', sprite = '', fontUrl = '';
  `,
};
const build = mkdtempSync(join(tmpdir(), 'porchlight-portal-'));
for (const [name, text] of Object.entries(FILES)) {
  mkdirSync(dirname(join(build, name)), { recursive: true });
  writeFileSync(join(build, name), text);
}
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
