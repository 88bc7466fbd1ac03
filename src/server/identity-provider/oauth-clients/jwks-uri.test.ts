/** Clients whose keys are at an address of theirs (`jwksUri`, RFC 7517): fetched, kept a while, never from elsewhere. */

import { randomUUID } from 'node:crypto';
import { createServer, type Server } from 'node:http';
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest';
import { honestToken, type Key, makeKey, publicPart } from '../../testing/forged-tokens.ts';
import { freePort } from '../../testing/free-port.ts';
import { clientEntry } from '../../testing/relying-party.ts';
import { createTestApp, type TestApp } from '../../testing/test-app.ts';

const LONG_SECONDS = 61;

let testApp: TestApp;
let keeper: Server;
const keys: Key[] = [];
/** What the address publishes, and how it answers. */
let published: readonly Key[] = [];
let mode: 'fine' | 'moved' | 'fails' | 'garbage' | 'private' | 'big' = 'fine';
const asked: string[] = [];

beforeAll(async () => {
  for (const kid of ['k0', 'k1', 'k2']) keys.push(await makeKey('ES256', kid));
  const port = await freePort();
  keeper = createServer((request, response) => {
    asked.push(request.url ?? '');
    const set = { keys: published.map((key) => publicPart(key, 'ES256')) };
    response.setHeader('content-type', 'application/json');
    if (mode === 'moved' && request.url !== '/elsewhere')
      return response.writeHead(307, { location: '/elsewhere' }).end();
    if (mode === 'fails') return response.writeHead(500).end(JSON.stringify(set));
    if (mode === 'garbage') return response.end('<html>');
    if (mode === 'private') return response.end(JSON.stringify({ keys: published }));
    if (mode === 'big') return response.end(JSON.stringify({ ...set, x: 'x'.repeat(2_000_000) }));
    return response.end(JSON.stringify(set));
  });
  await new Promise<void>((ready) => keeper.listen(port, '127.0.0.1', ready));
  // A client each: the provider remembers keys by client.
  const client = (id: string) =>
    clientEntry({
      id,
      firstParty: true,
      auth: { method: 'private_key_jwt', jwksUri: `http://127.0.0.1:${port}/${id}` },
    });
  const ids = ['first', 'second', 'third', 'moved', 'fails', 'garbage', 'private', 'big'];
  testApp = await createTestApp({ clients: ids.map(client) });
});
afterAll(async () => {
  await testApp.close();
  keeper.closeAllConnections();
  keeper.close();
});
afterEach(() => {
  vi.useRealTimers();
  mode = 'fine';
  asked.length = 0;
});

/** Moves the machine's clock alone, which the provider goes by. */
function advance(seconds: number): void {
  const to = Date.now() + seconds * 1000;
  vi.useFakeTimers({ toFake: ['Date'] });
  vi.setSystemTime(to);
}

async function prove(client: string, key = keys[0] as Key, changes: object = {}): Promise<number> {
  const now = Math.floor(Date.now() / 1000);
  const assertion = honestToken({
    alg: 'ES256',
    typ: 'JWT',
    key,
    retired: key,
    now,
    leeway: 0,
    otherTypes: [],
    claims: {
      iss: client,
      sub: client,
      aud: `${testApp.url}/idp/`,
      iat: now,
      exp: now + 60,
      jti: randomUUID(),
      ...changes,
    },
  });
  const response = await fetch(`${testApp.url}/idp/oauth/introspect`, {
    method: 'POST',
    body: new URLSearchParams({
      token: 'made-up',
      client_assertion: assertion,
      client_assertion_type: 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer',
    }),
  });
  await response.body?.cancel();
  return response.status;
}

test('the keys are fetched once for many assertions, and not for one that is wrong anyway', async () => {
  published = [keys[0] as Key];
  expect(await prove('first', keys[0], { exp: undefined })).toBe(401);
  expect(await prove('first', keys[0], { aud: 'https://other.example/' })).toBe(401);
  expect(asked).toEqual([]);
  for (let n = 0; n < 3; n += 1) expect(await prove('first')).toBe(200);
  expect(asked).toEqual(['/first']);
});

test('an unknown key does not make us ask again and again; a new key counts after a minute, the old one no more', async () => {
  published = [keys[0] as Key];
  expect(await prove('second')).toBe(200);
  published = [keys[1] as Key];
  for (let n = 0; n < 5; n += 1) expect(await prove('second', keys[1])).toBe(401);
  expect(asked).toHaveLength(1);
  advance(LONG_SECONDS);
  expect(await prove('second', keys[1])).toBe(200);
  expect(await prove('second', keys[0])).toBe(401);
  expect(asked).toHaveLength(2);
});

test("a stranger's key, and the key of another client, prove nothing", async () => {
  published = [keys[0] as Key];
  expect(await prove('third', { ...(keys[2] as Key), kid: 'k0' })).toBe(401);
  expect(await prove('third', keys[0], { iss: 'first' })).toBe(401);
  expect(await prove('third', keys[0], { sub: 'first' })).toBe(401);
  expect(await prove('third')).toBe(200);
});

test.each(['moved', 'fails', 'garbage', 'private', 'big'] as const)(
  'an address that is not well (%s) proves nobody, and is asked again later',
  async (kind) => {
    published = [keys[0] as Key];
    mode = kind;
    expect(await prove(kind)).toBeGreaterThanOrEqual(400);
    // Where it points to is not where we go.
    expect(asked).not.toContain('/elsewhere');
    mode = 'fine';
    advance(LONG_SECONDS);
    expect(await prove(kind)).toBe(200);
  },
);
