import { request as httpRequest } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setImmediate as nextLoop } from 'node:timers/promises';
import Fastify, { type FastifyInstance } from 'fastify';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { until } from '../testing/until.ts';
import { createBinder } from './bind.ts';
import { installHealth } from './health.ts';
import { createInProcessFetch } from './loopback.ts';
import { installRequestContext } from './request-id.ts';
import { besideTurns, installTurns, PROMPT } from './turns.ts';

let app: FastifyInstance;
let url: string;
/** Requests whose handler runs, and what lets them end. */
const served: string[] = [];
let finish = Promise.withResolvers<void>();

beforeEach(async () => {
  served.length = 0;
  finish = Promise.withResolvers();
  app = Fastify({ forceCloseConnections: true });
  installRequestContext(app, null);
  installTurns(app);
  const inProcess = createInProcessFetch(app, 'http://here.test');
  const serve = async (name: string, work: () => Promise<unknown> = () => finish.promise) => {
    served.push(name);
    await work();
    return name;
  };
  app.get('/prompt', PROMPT, () => serve('prompt', async () => undefined));
  app.get('/step/:name', ({ params }) => serve((params as { name: string }).name));
  app.get('/hash', () => serve('hash', () => besideTurns(() => finish.promise)));
  app.get('/asks-itself', () => serve('asker', () => inProcess('http://here.test/short')));
  app.get('/short', () => serve('own', async () => undefined));
  await app.listen({ port: 0, host: '127.0.0.1' });
  url = `http://127.0.0.1:${(app.server.address() as AddressInfo).port}`;
});
afterEach(async () => {
  finish.resolve();
  await app.close();
});

const get = async (path: string) => (await fetch(url + path)).text();

/** Keeps the thread busy all the time, and the loop turning, while `work` goes on. */
async function whileBusy<T>(work: () => Promise<T>): Promise<T> {
  let isOver = false;
  const spin = (async () => {
    while (!isOver) {
      const end = performance.now() + 3;
      while (performance.now() < end);
      await nextLoop();
    }
  })();
  try {
    return await work();
  } finally {
    isOver = true;
    await spin;
  }
}

/** As long as a hundred prompt answers take. */
async function aWhile(): Promise<void> {
  for (let n = 0; n < 100; n += 1) await get('/prompt');
  while (served.includes('prompt')) served.splice(served.indexOf('prompt'), 1);
}

test('[PRF-23] a busy thread serves one after another, in their order, and what is prompt past them', async () => {
  await whileBusy(async () => {
    const answers = [get('/step/a')];
    await until(() => served.length === 1);
    for (const name of ['b', 'c', 'd']) {
      answers.push(get(`/step/${name}`));
      await aWhile();
    }
    expect(served).toEqual(['a']);
    finish.resolve();
    expect(await Promise.all(answers)).toEqual(['a', 'b', 'c', 'd']);
    expect(served).toEqual(['a', 'b', 'c', 'd']);
  });
});

test('[PRF-23] an idle thread keeps nobody waiting, whatever the others wait for', async () => {
  const names = Array.from({ length: 40 }, (_, n) => `n${n}`);
  const answers = names.map((name) => get(`/step/${name}`));
  await until(() => served.length === names.length);
  finish.resolve();
  expect(await Promise.all(answers)).toEqual(names);
});

test('[PRF-23] while a hash is made the next one is served', async () => {
  await whileBusy(async () => {
    const hash = get('/hash');
    await until(() => served.length === 1);
    const next = get('/step/next');
    await until(() => served.length === 2);
    const third = get('/step/third');
    await aWhile();
    expect(served).toEqual(['hash', 'next']);
    finish.resolve();
    expect(await Promise.all([hash, next, third])).toEqual(['hash', 'next', 'third']);
  });
});

test('[PRF-23] who leaves, served or in line, leaves no place empty', async () => {
  await whileBusy(async () => {
    const leaving = ['served', 'waiting'].map((name) => {
      const call = httpRequest(`${url}/step/${name}`);
      call.on('error', () => undefined);
      call.end();
      return call;
    });
    await until(() => served.length === 1);
    await aWhile();
    for (const call of leaving) call.destroy();
    const next = get('/step/next');
    await until(() => served.includes('next'));
    finish.resolve();
    expect(await next).toBe('next');
  });
});

test('[PRF-23] what a request asks of its own process is part of its turn', async () => {
  expect(await whileBusy(() => get('/asks-itself'))).toBe('asker');
  expect(served).toEqual(['asker', 'own']);
});

test('[PRF-23] prompt are health and the public calls of the API, and none that belongs to a visit', async () => {
  const routes = Fastify();
  const prompt: string[] = [];
  routes.addHook('onRoute', ({ url, config }) => {
    if (config && 'isPrompt' in config && !prompt.includes(url)) prompt.push(url);
  });
  installHealth(routes, {} as never, {} as never);
  const bind = createBinder(routes, {} as never);
  for (const name of ['getSettings', 'getVisit', 'recordLogin', 'getConsents'] as const) {
    bind(name, async () => ({}) as never);
  }
  expect(prompt).toEqual(['/api/health/live', '/api/health/ready', '/api/Settings/authSettings']);
});
