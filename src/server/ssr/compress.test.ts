import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { compress, encodingFor } from './compress.ts';

test.each([
  ['gzip, deflate, br, zstd', 'br'],
  ['gzip', 'gzip'],
  ['GZIP;q=0.8, br;q=0', 'gzip'],
  ['br;q=0.0, gzip;q=0', null],
  ['identity', null],
  ['', null],
  [undefined, null],
])('a browser that takes %j gets %j', (header, encoding) => {
  expect(encodingFor(header)).toBe(encoding);
});

test('what is packed comes out as it went in', async () => {
  const html = '<p>Zoë’s porch</p>'.repeat(500);
  expect(brotliDecompressSync(await compress(html, 'br')).toString()).toBe(html);
  expect(gunzipSync(await compress(html, 'gzip')).toString()).toBe(html);
  expect((await compress(html, 'br')).length).toBeLessThan(html.length / 10);
});
