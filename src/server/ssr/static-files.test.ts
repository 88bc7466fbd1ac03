import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Fastify from 'fastify';
import { afterAll, expect, test } from 'vitest';
import { installStaticFiles } from './static-files.ts';

const client = mkdtempSync(join(tmpdir(), 'porchlight-static-'));
mkdirSync(join(client, 'assets'));
afterAll(() => rmSync(client, { recursive: true, force: true }));

test('[D21] a logo has the type of its file, may be shown by mail programs, and runs nothing', async () => {
  const app = Fastify();
  const bytes = Buffer.from([1, 2, 3]);
  const types: Record<string, string> = { 'a.png': 'image/png', 'a.svg': 'image/svg+xml' };
  const findLogo = (file: string) => {
    const type = types[file];
    return type ? { bytes, type } : null;
  };
  await installStaticFiles(app, { client, findLogo });
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
