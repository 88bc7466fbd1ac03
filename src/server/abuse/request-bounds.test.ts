/** What is bounded (decision 141), on a server as it is built, with small numbers. */

import { request as httpRequest } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import type { FastifyInstance } from 'fastify';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { RATE_LIMITS } from '../config/limits.ts';
import { createFastify } from '../http/fastify.ts';
import { installHealth } from '../http/health.ts';
import { createInProcessFetch } from '../http/loopback.ts';
import { lastResort } from '../ssr/last-resort.ts';
import { testConfig } from '../testing/test-app.ts';
import { until } from '../testing/until.ts';
import { boundRequests } from './request-bounds.ts';

const HELP = { phone: '+1 555 010 0199', email: 'help@example.test' };
/** More than the machine takes for a client that reads nothing. */
const BIG = 40_000_000;
const [A, B, C] = ['203.0.113.1', '203.0.113.2', '203.0.113.3'];

let app: FastifyInstance;
let url: string;
let port: number;
/** Requests that were begun, in their order. */
const begun: string[] = [];
let held = new Map<string, () => void>();
let sockets: Socket[] = [];
let onQuick: () => unknown;

/** At most `max` of everybody, `share` of one network past that. */
async function start(
  max: number,
  share: number,
  waits: { readonly waitMs?: number; readonly takingMs?: number } = {},
): Promise<void> {
  app = await createFastify(testConfig('http://localhost:1'), false, {
    errorPage: (request, reply, error) => lastResort(request, reply, error, HELP),
  });
  const atOnce = (most: number) => ({ max: most, windowMs: 0 });
  boundRequests(app, {
    settings: { requestsAtOnce: atOnce(max), requestsAtOncePerIp: atOnce(share) },
    ...waits,
  });
  const inProcess = createInProcessFetch(app, 'http://here.test');
  app.get('/hold/:name', async ({ params }) => {
    const { name } = params as { name: string };
    begun.push(name);
    await new Promise<void>((resolve) => held.set(name, resolve));
    return name;
  });
  app.get('/quick', async () => {
    onQuick();
    return 'quick';
  });
  app.get('/big', async () => {
    begun.push('big');
    return Buffer.alloc(BIG);
  });
  app.get('/fails', async () => Promise.reject(new Error('as it may')));
  app.get('/hijacked', (_request, reply) => {
    reply.hijack();
    reply.raw.end('hijacked');
  });
  app.get('/asks-itself', async () => (await inProcess('http://here.test/quick')).text());
  app.post('/body', async () => 'body');
  app.get('/api/quick', async () => 'quick');
  installHealth(app, { db: {}, engine: 'pglite' } as never, {
    isDraining: () => true,
    isClockRight: () => true,
    providers: () => ({}),
  });
  await app.listen({ port: 0, host: '127.0.0.1' });
  ({ port } = app.server.address() as AddressInfo);
  url = `http://127.0.0.1:${port}`;
}

beforeEach(() => {
  begun.length = 0;
  held = new Map();
  sockets = [];
  onQuick = () => undefined;
});
afterEach(async () => {
  for (const socket of sockets) socket.destroy();
  for (const finish of held.values()) finish();
  app?.server.closeAllConnections();
  await app?.close();
});

const ask = (path: string, ip: string = A, headers: Record<string, string> = {}) =>
  fetch(url + path, { headers: { 'x-forwarded-for': ip, ...headers } });
const textOf = async (path: string, ip?: string) => (await ask(path, ip)).text();
const hold = (name: string, ip?: string) => textOf(`/hold/${name}`, ip);
const finish = (name: string) => held.get(name)?.();

/** As long as many answers of the server take: what was to begin has begun by then. */
async function aWhile(): Promise<void> {
  for (let n = 0; n < 50; n += 1) await ask('/api/health/live', C);
}

const get = (path: string) =>
  `GET ${path} HTTP/1.1\r\nHost: localhost\r\nX-Forwarded-For: ${A}\r\n\r\n`;

/** A connection that reads nothing until it is told to. */
function connection(): Socket & { heard: () => string } {
  const socket = connect(port, '127.0.0.1');
  let heard = '';
  socket.on('data', (chunk) => (heard += String(chunk))).on('error', () => undefined);
  socket.pause();
  sockets.push(socket);
  return Object.assign(socket, { heard: () => heard });
}

describe('[PRF-23] S32: the requests of one connection', () => {
  test('the second begins when the first is answered', async () => {
    await start(10, 10);
    const socket = connection();
    socket.resume().write(get('/hold/one') + get('/hold/two') + get('/quick'));
    await until(() => begun.includes('one'));
    await aWhile();
    expect(begun).toEqual(['one']);
    finish('one');
    await until(() => begun.includes('two'));
    finish('two');
    await until(() => socket.heard().endsWith('quick'));
    expect(socket.heard().match(/HTTP\/1\.1 200/g)).toHaveLength(3);
  });

  test('and not before the client takes its answer', { tags: 'long' }, async () => {
    await start(10, 10);
    const socket = connection();
    socket.write(get('/big') + get('/hold/next'));
    await until(() => begun.includes('big'));
    await aWhile();
    expect(begun).toEqual(['big']);
    socket.removeAllListeners('data').resume();
    await until(() => begun.includes('next'));
  });

  test('many of them behind one that is not answered end the connection', async () => {
    await start(10, 10);
    const socket = connection();
    const closed = new Promise((resolve) => socket.once('close', resolve));
    socket.resume().write(get('/hold/one'));
    await until(() => begun.length === 1);
    socket.write(get('/hold/other').repeat(20));
    await closed;
    finish('one');
    await aWhile();
    expect(begun).toEqual(['one']);
  });
});

describe('[PRF-23] [LIM-12] S32: the requests of one network', () => {
  test('it has a share only where all slots are taken; then the network with the fewest goes first', async () => {
    await start(4, 2);
    const answers = ['a1', 'a2', 'a3', 'a4'].map((name) => hold(name, A));
    await until(() => begun.length === 4);
    answers.push(hold('a5', A), hold('a6', A));
    await aWhile();
    expect(begun).not.toContain('a5');
    // Others still get in, each up to its share.
    answers.push(hold('b1', B), hold('b2', B));
    await until(() => begun.length === 6);
    answers.push(hold('b3', B));
    await aWhile();
    expect(begun.slice(4).toSorted()).toEqual(['b1', 'b2']);
    // Six are under way, four may be: three have to end, and then it is not the turn of the network that came first.
    for (const name of ['a1', 'b1', 'a2']) finish(name);
    await until(() => begun.length === 7);
    expect(begun[6]).toBe('b3');
    const all = Promise.all(answers);
    let isOver = false;
    void all.then(() => (isOver = true));
    await until(() => {
      for (const name of begun) finish(name);
      return isOver;
    });
    expect(await all).toEqual(['a1', 'a2', 'a3', 'a4', 'a5', 'a6', 'b1', 'b2', 'b3']);
  });

  test('twice as many are the most, of however many networks', { tags: 'long' }, async () => {
    await start(2, 2);
    const answers = [A, A, B, B].map((ip, n) => hold(`n${n}`, ip));
    await until(() => begun.length === 4);
    const late = hold('late', C);
    await aWhile();
    expect(begun).toHaveLength(4);
    for (const name of begun) finish(name);
    await until(() => begun.includes('late'));
    finish('late');
    expect(await Promise.all([...answers, late])).toHaveLength(5);
  });

  test('an address of IPv6 counts with its /64', async () => {
    await start(1, 1);
    const first = hold('first', '2001:db8:1:7::1');
    await until(() => begun.length === 1);
    const second = hold('second', '2001:db8:1:7::2');
    const other = hold('other', '2001:db8:1:8::1');
    await until(() => begun.includes('other'));
    await aWhile();
    expect(begun).toEqual(['first', 'other']);
    for (const name of ['first', 'other']) finish(name);
    await until(() => begun.includes('second'));
    finish('second');
    expect(await Promise.all([first, second, other])).toHaveLength(3);
  });

  test('past its time in line a request is 503 with Retry-After: an envelope, or a page with a way on', async () => {
    await start(1, 1, { waitMs: 20 });
    const first = hold('first');
    await until(() => begun.length === 1);
    const refused = await ask('/api/quick');
    expect(refused.status).toBe(503);
    expect(refused.headers.get('retry-after')).toBe('1');
    expect(await refused.json()).toMatchObject({ succeeded: false, errorFlag: 'UNAVAILABLE' });
    const page = await ask('/account/signin', A, { accept: 'text/html,*/*;q=0.8' });
    expect(page.status).toBe(503);
    expect(page.headers.get('retry-after')).toBe('1');
    expect(page.headers.get('content-type')).toBe('text/html; charset=utf-8');
    const text = (await page.text()).replaceAll('<wbr>', '').replaceAll('\u00A0', ' ');
    for (const part of ['Many people are here', '<a href="">', HELP.phone, HELP.email]) {
      expect(text).toContain(part);
    }
    finish('first');
    expect(await first).toBe('first');
    expect(await textOf('/quick')).toBe('quick');
  });

  test('S44: answers that wait for nothing share the rounds of the event loop', async () => {
    await start(20, 20);
    const open = Array.from({ length: 20 }, () => connection().resume());
    await until(() => open.every((socket) => !socket.connecting));
    await aWhile();
    let round = 0;
    const next = () => {
      round += 1;
      if (round < 1000) setImmediate(next);
    };
    setImmediate(next);
    onQuick = () => begun.push(String(round));
    for (const socket of open) socket.write(get('/quick'));
    await until(() => begun.length === open.length);
    const most = Math.max(...begun.map((own) => begun.filter((other) => other === own).length));
    expect(most).toBeLessThanOrEqual(4);
  });

  test('S44: connections that wait are taken before requests begin, and the last of them may be first', async () => {
    await start(100, 100, { takingMs: 60_000 });
    const from = (ip: string, name: string) =>
      `GET /hold/${name} HTTP/1.1\r\nHost: localhost\r\nX-Forwarded-For: ${ip}\r\n\r\n`;
    for (let n = 0; n < 60; n += 1) connection().write(from(A, `a${n}`));
    connection().write(from(B, 'b'));
    await until(() => begun.length === 61);
    expect(begun.indexOf('b')).toBeLessThan(4);
  });

  test('S44: connections without an end hold up no request', async () => {
    await start(10, 10, { takingMs: 5 });
    let isOver = false;
    const another = (): void => {
      if (isOver) return;
      connection().once('connect', function next(this: Socket) {
        this.destroy();
        another();
      });
    };
    for (let n = 0; n < 20; n += 1) another();
    expect(await textOf('/quick', B)).toBe('quick');
    isOver = true;
    // The machine has no more of them some time.
    expect(sockets.length).toBeLessThan(5000);
  });

  test('health needs no slot, and what a request asks of its own process has that of the request', async () => {
    await start(1, 1);
    expect(await textOf('/asks-itself', '127.0.0.1')).toBe('quick');
    const first = hold('first');
    await until(() => begun.length === 1);
    expect((await ask('/api/health/live')).status).toBe(200);
    expect((await ask('/api/health/ready')).status).toBe(503);
    finish('first');
    await first;
  });
});

describe('[PRF-23] S33: a slot is given back', () => {
  const leave = (path: string) => {
    const call = httpRequest(url + path, { headers: { 'x-forwarded-for': A } });
    call.on('error', () => undefined).end();
    return call;
  };

  test.each(['/quick', '/fails', '/hijacked', '/nowhere'])('after %s', async (path) => {
    await start(1, 1);
    for (let n = 0; n < 5; n += 1) await textOf(path);
    expect(await textOf('/quick')).toBe('quick');
  });

  test('by a client that leaves while it is served, and by one that leaves the line', async () => {
    await start(1, 1);
    const served = leave('/hold/served');
    await until(() => begun.length === 1);
    const waiting = leave('/hold/waiting');
    await aWhile();
    waiting.destroy();
    served.destroy();
    expect(await textOf('/quick')).toBe('quick');
    expect(begun).toEqual(['served']);
  });

  test('while an answer is not read, and while a body comes slowly', async () => {
    await start(1, 1);
    const unread = connection();
    unread.write(get('/big'));
    await until(() => begun.length === 1);
    const slow = connection();
    slow
      .resume()
      .write(
        `POST /body HTTP/1.1\r\nHost: localhost\r\nX-Forwarded-For: ${A}\r\nContent-Type: application/json\r\nContent-Length: 2\r\n\r\n{`,
      );
    await aWhile();
    expect(await textOf('/quick')).toBe('quick');
    slow.write('}');
    await until(() => slow.heard().endsWith('body'));
  });

  test(
    'an answer that is not read is cut, and nothing else of the client is begun',
    { tags: 'long' },
    async () => {
      await start(10, 10);
      expect(app.server.timeout).toBe(15_000);
      app.server.timeout = 50;
      const socket = connection();
      const cut = new Promise((resolve) =>
        app.server.once('connection', (own) => own.once('close', resolve)),
      );
      socket.write(get('/big') + get('/hold/next'));
      await cut;
      await aWhile();
      expect(begun).toEqual(['big']);
    },
  );
});

test('[PRF-04] [LIM-12] three hundred people behind one address at once lose nothing, nor do others', async () => {
  const { requestsAtOnce, requestsAtOncePerIp } = RATE_LIMITS;
  await start(requestsAtOnce.max, requestsAtOncePerIp.max);
  const people = [...Array<string>(300).fill(A), B, C];
  const answers = await Promise.all(people.map((ip) => textOf('/quick', ip)));
  expect(answers.filter((text) => text !== 'quick')).toEqual([]);
});
