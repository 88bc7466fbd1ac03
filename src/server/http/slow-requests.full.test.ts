/** [R34] Whoever sends drop by drop is not waited for, on every path, also below the provider's; and where a message ends. */

import { connect } from 'node:net';
import { beforeAll, describe, expect, test } from 'vitest';
import { createTestApp } from '../testing/test-app.ts';
import { closeAtEnd } from '../testing/close-at-end.ts';

const testApp = closeAtEnd(await createTestApp());

/** What a socket hears until the server closes it. */
function send(text: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const { hostname, port } = new URL(testApp.url);
    const socket = connect(Number(port), hostname);
    let heard = '';
    socket.on('data', (chunk) => (heard += String(chunk)));
    socket.on('error', reject);
    socket.on('close', () => resolve(heard));
    socket.write(text);
  });
}
const head = (path: string, type: string) =>
  `POST ${path} HTTP/1.1\r\nHost: localhost\r\nContent-Type: ${type}\r\nContent-Length: 100\r\n\r\n`;

test('ten seconds for headers, fifteen for a request, and a look at both every second', () => {
  // The last one is not in the types.
  const server: object = testApp.app.fastify.server;
  expect(server).toMatchObject({
    headersTimeout: 10_000,
    requestTimeout: 15_000,
    connectionsCheckingInterval: 1000,
  });
});

test('[ASR-06] a message that ends in two places is refused, and what follows it is not read', async () => {
  const second = 'GET /api/health/live HTTP/1.1\r\nHost: localhost\r\n\r\n';
  const lengths = `Content-Length: ${second.length + 5}\r\nTransfer-Encoding: chunked`;
  const heard = await send(
    `POST /api/User/CreateUser HTTP/1.1\r\nHost: localhost\r\n${lengths}\r\n\r\n0\r\n\r\n${second}`,
  );
  expect(heard.match(/HTTP\/1\.1 \d+/g)).toEqual(['HTTP/1.1 400']);
});

describe('past its time a request is 408 and its socket is closed', () => {
  // The server reads its limits at each look: a test need not wait for the real ones.
  beforeAll(() => {
    Object.assign(testApp.app.fastify.server, { headersTimeout: 50, requestTimeout: 100 });
  });

  test.each([
    ['headers without an end', 'GET /account/signin HTTP/1.1\r\nHost: localhost\r\n'],
    ['half a JSON body', `${head('/api/User/CreateUser', 'application/json')}{"a":`],
    ['half a body of the provider', `${head('/idp/oauth/token', 'application/json')}{"a":`],
    ['half a form', `${head('/idp/oauth/token', 'application/x-www-form-urlencoded')}grant_type=`],
  ])('%s', async (_what, text) => {
    expect(await send(text)).toContain('HTTP/1.1 408 Request Timeout');
  });
});
