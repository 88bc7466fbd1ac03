import { afterAll, describe, expect, test } from 'vitest';
import * as z from 'zod/mini';
import type { Config } from '../config/config.ts';
import { createFastify } from './fastify.ts';

describe('what a row of the contract says of an answer', async () => {
  const app = await createFastify(
    { logLevel: 'silent', trustedProxies: [] } as never as Config,
    false,
  );
  const schema = { response: { 200: z.object({ name: z.string() }) } };
  app.get('/more', { schema }, async () => ({ name: 'Rosa', passwordHash: 'secret' }));
  app.get('/less', { schema }, async () => ({ nam: 'Rosa' }));
  afterAll(() => app.close());

  test('[R54] what it does not name stays here', async () => {
    expect((await app.inject('/more')).json()).toEqual({ name: 'Rosa' });
  });

  test('[R54] an answer without what it names is our fault, and tells nothing', async () => {
    const answer = await app.inject('/less');
    expect(answer.statusCode).toBe(500);
    expect(answer.json()).toMatchObject({ errorFlag: 'UNEXPECTED', data: null });
    expect(answer.body).not.toMatch(/Rosa|nam/);
  });
});

test('[R37] who comes while the doors close is answered, in our own words', async () => {
  const app = await createFastify(
    { logLevel: 'silent', trustedProxies: [] } as never as Config,
    false,
  );
  const gate = Promise.withResolvers<void>();
  const closes = Promise.withResolvers<void>();
  app.get('/here', async () => ({ name: 'Rosa' }));
  app.addHook('preClose', async () => {
    closes.resolve();
    await gate.promise;
  });
  const url = await app.listen({ host: '127.0.0.1', port: 0 });
  const closed = app.close();
  await closes.promise;
  const late = await fetch(`${url}/here`);
  expect([late.status, await late.json()]).toEqual([200, { name: 'Rosa' }]);
  expect(late.headers.get('connection')).toBe('close');
  gate.resolve();
  await closed;
});
