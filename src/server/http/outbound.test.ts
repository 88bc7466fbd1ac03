import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, test } from 'vitest';
import { TransientError } from '../jobs/errors.ts';
import { isFinalRefusal, postOut } from './outbound.ts';

let server: Server;
afterEach(() => {
  server.closeAllConnections();
  server.close();
});

const seen: string[] = [];
async function start(listener: RequestListener): Promise<string> {
  seen.length = 0;
  server = createServer((request, response) => {
    seen.push(request.url ?? '');
    listener(request, response);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/key-in-the-path`;
}
const post = (url: string, timeoutMs = 60_000) =>
  postOut({ url, headers: { authorization: 'Bearer secret' }, body: '{}', timeoutMs });

describe('[R34] a request to a provider', () => {
  test('does not follow a redirect: the key would go along', async () => {
    const url = await start((request, response) => {
      response.writeHead(request.url === '/elsewhere' ? 200 : 307, { location: '/elsewhere' });
      response.end();
    });
    expect((await post(url)).status).toBe(307);
    expect(seen).toEqual(['/key-in-the-path']);
  });

  test.each<[string, RequestListener]>([
    ['says nothing', () => undefined],
    ['begins and never ends', (_request, response) => void response.writeHead(200).write('{')],
  ])('is given up when the provider %s; no address in the reason', async (_, listener) => {
    const error = await post(await start(listener), 300).catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(TransientError);
    expect((error as Error).message).toBe('timeout: no whole answer in time');
  });

  test('reads no answer without an end', async () => {
    const url = await start((_request, response) => {
      response.writeHead(200);
      const more = () => void response.write('x'.repeat(16_384), (error) => error ?? more());
      more();
    });
    expect((await post(url)).text.length).toBeLessThan(512 * 1024);
  });

  test('that nobody takes says why, and not whom it was for', async () => {
    const url = await start(() => undefined);
    await new Promise((resolve) => server.close(resolve));
    await expect(post(url)).rejects.toThrow(/^no answer: ECONNREFUSED$/);
  });
});

test.each([
  [300, true],
  [307, true],
  [400, true],
  [422, true],
  [408, false],
  [425, false],
  [429, false],
  [500, false],
  [503, false],
])('%s is for good: %s', (status, isFinal) => {
  server = createServer();
  expect(isFinalRefusal(status)).toBe(isFinal);
});
