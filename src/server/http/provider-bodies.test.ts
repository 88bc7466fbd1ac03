/** [R33] S67: bodies below /idp are read up to a limit, and their answer is readable all the same. */

import { connect, type Socket } from 'node:net';
import { expect, test } from 'vitest';
import { createTestApp } from '../testing/test-app.ts';
import { closeAtEnd } from '../testing/close-at-end.ts';

const PIECE = 'x'.repeat(64 * 1024);
const PIECES = 320;
const MOST_BYTES = 4 * 1024 * 1024;

let accepted: Socket | null = null;
const testApp = closeAtEnd(await createTestApp());
testApp.app.fastify.server.on('connection', (socket) => (accepted = socket));

/** Sends 20 MB as fast as they are taken, and returns what was heard until the connection closed. */
async function heardOf(head: string, isChunked: boolean): Promise<string> {
  const { hostname, port } = new URL(testApp.url);
  const socket = connect(Number(port), hostname);
  let heard = '';
  let isOpen = true;
  socket.on('data', (chunk) => (heard += String(chunk)));
  // The server closes before everything was sent.
  socket.on('error', () => undefined);
  const closed = new Promise<void>((resolve) =>
    socket.on('close', () => {
      isOpen = false;
      resolve();
    }),
  );
  const taken = (text: string) =>
    new Promise<void>((resolve) => {
      if (socket.write(text)) resolve();
      else
        void Promise.race([new Promise((drain) => socket.once('drain', drain)), closed]).then(() =>
          resolve(),
        );
    });
  await taken(head);
  for (let n = 0; n < PIECES && isOpen; n += 1) {
    await taken(isChunked ? `${PIECE.length.toString(16)}\r\n${PIECE}\r\n` : PIECE);
    await new Promise(setImmediate);
  }
  if (isOpen && isChunked) await taken('0\r\n\r\n');
  await closed;
  return heard;
}

const JSON_TYPE = 'application/json';
const FORM_TYPE = 'application/x-www-form-urlencoded';
const CASES = (
  [
    ['/idp/oauth/token', JSON_TYPE],
    ['/idp/oauth/token', FORM_TYPE],
    ['/idp/co/authenticate', JSON_TYPE],
    ['/idp/authorize', FORM_TYPE],
    ['/idp/passwordless/start', JSON_TYPE],
    ['/idp/dbconnections/change_password', JSON_TYPE],
    ['/idp/mfa/challenge', JSON_TYPE],
    ['/idp/api/v2/users', JSON_TYPE],
    ['/idp/nothing', JSON_TYPE],
  ] as const
).flatMap(([path, type]) => [
  { path, type, how: 'declared' },
  { path, type, how: 'chunked' },
]);

test.each(CASES)('[R33] S67: $path, $type, $how', async ({ path, type, how }) => {
  const length =
    how === 'chunked' ? 'Transfer-Encoding: chunked' : `Content-Length: ${PIECES * PIECE.length}`;
  const heard = await heardOf(
    `POST ${path} HTTP/1.1\r\nHost: localhost\r\nContent-Type: ${type}\r\n${length}\r\n\r\n`,
    how === 'chunked',
  );
  expect(heard).toMatch(/^HTTP\/1\.1 4\d\d /);
  expect(heard).toMatch(/\r\nconnection: close\r\n/i);
  expect(accepted?.bytesRead).toBeLessThan(MOST_BYTES);
});

test('[R33] S67: a body below the limits is answered on a connection that stays', async () => {
  const answer = await fetch(`${testApp.url}/idp/co/authenticate`, {
    method: 'POST',
    headers: { 'content-type': JSON_TYPE },
    body: JSON.stringify({ client_id: 'x'.repeat(20_000) }),
  });
  expect(answer.status).toBeGreaterThanOrEqual(400);
  expect(answer.headers.get('connection')).not.toBe('close');
});
