import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Fastify from 'fastify';
import { afterAll, describe, expect, test } from 'vitest';
import { installStaticFiles } from './static-files.ts';

const client = mkdtempSync(join(tmpdir(), 'porchlight-static-'));
mkdirSync(join(client, 'assets'));
const FILES = {
  'secret.txt': 'beside the files',
  'assets/entry-a1.js': 'plain',
  'assets/entry-a1.js.br': 'br',
  'assets/entry-a1.js.gz': 'gzip',
  'assets/style-b2.css': 'tiny',
  'assets/letters-c3.woff2': 'letters',
  'assets/.hidden.js': 'hidden',
  'assets/notes.txt': 'notes',
};
for (const [file, text] of Object.entries(FILES)) writeFileSync(join(client, file), text);
afterAll(() => rmSync(client, { recursive: true, force: true }));

test('[D21] a logo has the type of its file, may be shown by mail programs, and runs nothing', async () => {
  const app = Fastify();
  const bytes = Buffer.from([1, 2, 3]);
  const types: Record<string, string> = { 'a.png': 'image/png', 'a.svg': 'image/svg+xml' };
  const findLogo = (file: string) => {
    const type = types[file];
    return type ? { bytes, type } : null;
  };
  installStaticFiles(app, { client, findLogo });
  for (const [file, type] of Object.entries(types)) {
    const { statusCode, headers, rawPayload } = await app.inject(`/logos/${file}`);
    expect([statusCode, headers['content-type']]).toEqual([200, type]);
    expect(headers['cross-origin-resource-policy']).toBe('cross-origin');
    expect(headers['content-security-policy']).toContain("default-src 'none'");
    expect(rawPayload).toEqual(bytes);
  }
  expect((await app.inject('/logos/b.png')).statusCode).toBe(404);
  await app.close();
});

describe('[ASR-04] built files', () => {
  const app = Fastify();
  installStaticFiles(app, { client, findLogo: () => null });
  afterAll(() => app.close());

  test.each([
    ['entry-a1.js', 'gzip, br', 'br', 'br'],
    ['entry-a1.js', 'gzip', 'gzip', 'gzip'],
    ['entry-a1.js', 'br;q=0', 'plain', undefined],
    ['style-b2.css', 'br', 'tiny', undefined],
  ])('%s for who takes %s', async (file, accepted, text, encoding) => {
    const headers = { 'accept-encoding': accepted };
    const answer = await app.inject({ url: `/assets/${file}`, headers });
    expect(answer.body).toBe(text);
    expect(answer.headers['content-encoding']).toBe(encoding);
    expect(answer.headers.vary).toBe('accept-encoding');
    expect(answer.headers['cache-control']).toBe('public, max-age=31536000, immutable');
  });

  test.each([
    ['entry-a1.js', 'text/javascript; charset=utf-8'],
    ['style-b2.css', 'text/css; charset=utf-8'],
    ['letters-c3.woff2', 'font/woff2'],
  ])('%s is %s, by HEAD too', async (file, type) => {
    for (const method of ['GET', 'HEAD'] as const) {
      const answer = await app.inject({ method, url: `/assets/${file}` });
      expect([answer.statusCode, answer.headers['content-type']]).toEqual([200, type]);
      expect(answer.body === '').toBe(method === 'HEAD');
    }
  });

  test('are not sent again to who has them, each packing by itself', async () => {
    const ask = (headers: Record<string, string>) =>
      app.inject({ url: '/assets/entry-a1.js', headers });
    const { etag = '' } = (await ask({ 'accept-encoding': 'br' })).headers;
    const known = { 'if-none-match': String(etag) };
    const again = await ask({ 'accept-encoding': 'br', ...known });
    expect([again.statusCode, again.body]).toEqual([304, '']);
    expect((await ask(known)).body).toBe('plain');
  });

  test.each([
    '../secret.txt',
    '..%2fsecret.txt',
    '%2e%2e/secret.txt',
    '..%5csecret.txt',
    '.hidden.js',
    'notes.txt',
    'entry-a1.js.br',
    'entry-a1.js%00',
    '',
  ])('nothing else is served: %s', async (path) => {
    expect((await app.inject(`/assets/${path}`)).statusCode).toBe(404);
  });
});
