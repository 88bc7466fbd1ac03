/** [WIR-02] What a browser gets when its page fails: a page with a way on, on every address that gives pages. */

import type { KyselyPlugin } from 'kysely';
import { afterEach, describe, expect, test } from 'vitest';
import { AppError } from '../http/app-error.ts';
import { openDesk } from '../testing/desk.ts';
import { createTestAppWithPages } from '../testing/test-app.ts';
import { closeAtEnd } from '../testing/close-at-end.ts';

let fault: Error | null = null;
const failing: KyselyPlugin = {
  transformQuery({ node }) {
    if (fault) throw fault;
    return node;
  },
  transformResult: async ({ result }) => result,
};

const testApp = closeAtEnd(
  await createTestAppWithPages({ limitFactor: 100 }, { plugins: [failing] }),
);
const desk = await openDesk(testApp, 'admin');
afterEach(() => {
  fault = null;
});

const FAULTS = {
  'the database is away': {
    error: Object.assign(new Error('gone'), { code: 'ECONNRESET' }),
    status: 503,
    text: 'We will be back in a moment',
  },
  'too many passwords wait': {
    error: new AppError('UNAVAILABLE', { retryAfterMs: 1000 }),
    status: 503,
    text: 'We will be back in a moment',
  },
  'a fault of ours': { error: new Error('as it may'), status: 500, text: 'this reference: ' },
};
const REQUESTS = [
  ['GET', '/account/me'],
  ['POST', '/account/me/password'],
  ['GET', '/account/me/data.html'],
  ['GET', '/console'],
  ['POST', '/console/invite'],
] as const;

describe.each(Object.entries(FAULTS))('[WIR-02] %s:', (_, { error, status, text }) => {
  async function ask(method: 'GET' | 'POST', path: string) {
    fault = error;
    const body = method === 'GET' ? null : new URLSearchParams({ action: 'form' });
    const headers = { accept: 'text/html,*/*;q=0.8' };
    const answer = await desk.visitor.request(path, { method, body, headers });
    const hasRetry = answer.headers.get('retry-after') !== null;
    return { status: answer.status, hasRetry, text: await answer.text() };
  }

  test.each(REQUESTS)('%s %s: a page', async (method, path) => {
    const answer = await ask(method, path);
    expect(answer.status).toBe(status);
    expect(answer.hasRetry).toBe(status === 503);
    expect(answer.text).toContain('<!doctype html>');
    expect(answer.text).toContain(text);
  });

  test('a call gets the envelope', async () => {
    const answer = await ask('GET', '/api/Visit/State');
    expect(answer.status).toBe(status);
    expect(JSON.parse(answer.text)).toMatchObject({ succeeded: false, data: null });
  });
});
