import { globSync, readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createTestApp, type TestApp } from '../testing/test-app.ts';
import { type HttpReceiver, startHttpReceiver } from '../testing/receivers.ts';
import { countJobs } from './counts.ts';
import { createMetrics } from './metrics.ts';

const SERVER = new URL('../', import.meta.url);
const TOKEN = 'a-metrics-token-of-these-tests-0123456789';
let testApp: TestApp;
let texts: HttpReceiver;
beforeAll(async () => {
  texts = await startHttpReceiver();
  testApp = await createTestApp({
    metricsToken: TOKEN,
    smsWebhook: { url: texts.url, key: 'a webhook key of the tests' },
  });
});
afterAll(async () => {
  await testApp.close();
  await texts.close();
});

const ask = (headers: Record<string, string> = {}, method = 'GET') =>
  fetch(new URL('/metrics', testApp.url), { method, headers });
const read = async (token = TOKEN) => (await ask({ authorization: `Bearer ${token}` })).text();

/** The value of a line, by its name and labels as they stand there; `undefined`: no such line. */
const valueOf = (text: string, name: string, labels: Record<string, string> = {}) => {
  const line = text
    .split('\n')
    .find(
      (each) =>
        (each.startsWith(`${name}{`) || each.startsWith(`${name} `)) &&
        Object.entries(labels).every(([key, value]) => each.includes(`${key}="${value}"`)),
    );
  return line === undefined ? undefined : Number(line.slice(line.lastIndexOf(' ') + 1));
};

describe('who may read', () => {
  test('who knows the token; for everybody else there is nothing', async () => {
    const nothing = await (await fetch(new URL('/nothing-here', testApp.url))).text();
    for (const headers of [
      {},
      { authorization: `Bearer ${TOKEN}x` },
      { authorization: 'Bearer' },
      { authorization: 'Bearer ' },
      { authorization: `Basic ${TOKEN}` },
      { authorization: TOKEN },
    ] as Record<string, string>[]) {
      const answer = await ask(headers);
      expect([headers, answer.status]).toEqual([headers, 404]);
      const text = await answer.text();
      const plain = (each: string) => each.replace(/"reference":"[^"]*"/, '');
      expect(plain(text)).toBe(plain(nothing));
    }
    const answer = await ask({ authorization: `Bearer ${TOKEN}` });
    expect(answer.status).toBe(200);
    expect(answer.headers.get('content-type')).toMatch(/^text\/plain; version=0\.0\.4/);
    expect(answer.headers.get('cache-control')).toBe('no-store');
  });

  test('without a token nobody', async () => {
    const closed = await createTestApp();
    for (const authorization of ['Bearer ', 'Bearer null', `Bearer ${TOKEN}`]) {
      const answer = await fetch(new URL('/metrics', closed.url), { headers: { authorization } });
      expect(answer.status).toBe(404);
    }
    await closed.close();
  });
});

describe('what an operator sees', () => {
  test('the process, and answers by route template and status', async () => {
    const visitor = testApp.visitor();
    await visitor.call('checkUser', { params: { email: 'somebody@example.test' } });
    const text = await read();
    expect(valueOf(text, 'process_resident_memory_bytes')).toBeGreaterThan(0);
    expect(valueOf(text, 'nodejs_eventloop_lag_seconds')).toBeDefined();
    const name = 'porchlight_http_request_duration_seconds_count';
    const routes = [...text.matchAll(/_count\{[^}]*route="([^"]*)"/g)].map(([, route]) => route);
    const template = routes.find((route) => route?.includes(':email')) ?? '';
    expect(valueOf(text, name, { route: template, method: 'GET', status: '200' })).toBe(1);
    await fetch(new URL('/somewhere/else/4711-of-nobody', testApp.url));
    expect(valueOf(await read(), name, { route: 'none', status: '404' })).toBeGreaterThan(0);
    expect(await read()).not.toContain('4711-of-nobody');
  });

  test('what waits, what came of messages, who is left alone, and what happened', async () => {
    await texts.setMood(500);
    for (let n = 0; n < 5; n += 1) {
      const visitor = testApp.visitor();
      const created = (await visitor.signUp({ emailAddress: `metric-${n}@example.test` })).data;
      await visitor.sendCode(created?.userId ?? 0, 'USER_ACTIVATION');
    }
    await testApp.app.outbox.settle();
    const text = await read();
    expect(valueOf(text, 'porchlight_database_up')).toBe(1);
    expect(valueOf(text, 'porchlight_outbox_jobs', { kind: 'message', state: 'waiting' })).toBe(5);
    expect(
      valueOf(text, 'porchlight_outbox_oldest_seconds', { kind: 'message' }),
    ).toBeGreaterThanOrEqual(0);
    const messages = 'porchlight_messages_last_hour';
    expect(valueOf(text, messages, { channel: 'email', state: 'delivered' })).toBe(5);
    expect(valueOf(text, messages, { channel: 'sms', state: 'queued' })).toBe(5);
    const breaker = (state: string) =>
      valueOf(text, 'porchlight_provider_breaker', { provider: 'webhook', state });
    expect([breaker('open'), breaker('closed')]).toEqual([1, 0]);
    expect(valueOf(text, 'porchlight_events_total', { kind: 'otp.sent' })).toBe(5);
    testApp.clock.advance(60 * 60 + 1);
    await testApp.app.outbox.settle();
    const later = await read();
    // Codes that ended are no dead letters: nobody has to look at them.
    expect(valueOf(later, 'porchlight_outbox_jobs', { kind: 'message' })).toBeUndefined();
    expect(valueOf(later, messages)).toBeUndefined();
  });

  test('dead letters, by kind', async () => {
    const now = testApp.clock.now();
    const job = (n: number, payload: string) => ({
      id: crypto.randomUUID(),
      kind: 'lead',
      payload,
      idempotency_key: `dead:${n}`,
      created_at: now,
      run_at: now,
      locked_until: null,
      expires_at: null,
      give_up_at: null,
      done_at: null,
      dead_at: now,
      last_error: 'x',
    });
    await testApp.db
      .insertInto('outbox')
      .values([job(1, '{"sealed":"x"}'), job(2, '{}')])
      .execute();
    expect(await countJobs(testApp.db, now)).toEqual([
      { kind: 'lead', state: 'dead', count: 1, oldestMs: 0 },
    ]);
  });

  test('the process still, when the database is away', async () => {
    const away = await createTestApp();
    const metrics = createMetrics({ db: away.db, clock: away.clock });
    await away.close();
    const text = await metrics.text({});
    expect(valueOf(text, 'porchlight_database_up')).toBe(0);
    expect(valueOf(text, 'process_cpu_seconds_total')).toBeDefined();
    metrics.close();
  });
});

test('[R51] nobody can be found in it', async () => {
  const visitor = testApp.visitor('203.0.113.77');
  const emailAddress = 'canary-metrics@example.test';
  const person = { emailAddress, firstName: 'Canaria', mobileNumber: '2025550177' };
  await texts.setMood('ok');
  const { userId, id, otpId } = await visitor.register(person);
  await visitor.signIn(emailAddress, 'Sunny-Porch-7');
  await visitor.authenticate(emailAddress, 'Canary-Wrong-1');
  await visitor.call('checkUser', { params: { email: emailAddress } });
  await visitor.call('forgotPassword', { body: { userName: emailAddress, emailID: emailAddress } });
  await fetch(new URL(`/account/${emailAddress}?email=${emailAddress}`, testApp.url));
  await testApp.app.outbox.settle();
  const text = await read();
  expect(text).toContain('porchlight_events_total{kind="otp.verified"}');
  const secrets = ['canary', 'Canaria', '2025550177', '203.0.113.77', 'example.test', TOKEN];
  for (const word of [...secrets, String(userId), id, otpId, ...visitor.cookies.values()]) {
    expect(text).not.toContain(word);
  }
  const labels = new Set([...text.matchAll(/[{,](\w+)="/g)].map(([, name]) => name));
  const ours = ['method', 'route', 'status', 'kind', 'state', 'channel', 'provider'];
  const ofProcess = ['le', 'type', 'version', 'major', 'minor', 'patch', 'space'];
  expect([...labels].filter((name) => ![...ours, ...ofProcess].includes(name ?? ''))).toEqual([]);
});

test.each(['deploy/prometheus/alerts.yaml', 'deploy/grafana/porchlight.json'])(
  '[OPS-41] %s asks for what there is',
  async (file) => {
    const text = readFileSync(new URL(`../../../${file}`, import.meta.url), 'utf8');
    const scraped = await read();
    const names = new Set(text.match(/\b(?:porchlight|nodejs|process)_[a-z0-9_]+/g));
    const base = (name: string) => name.replace(/_(?:bucket|count|sum)$/, '');
    expect([...names].filter((name) => !scraped.includes(`# TYPE ${base(name)} `))).toEqual([]);

    const groups = [...text.matchAll(/kind=~?\\?"([^"\\]+)/g)].map(([, kinds = '']) => kinds);
    const kinds = new Set(groups.flatMap((group) => group.split('|')));
    expect(kinds.size).toBeGreaterThan(0);
    expect([...kinds].filter((kind) => kind.includes('.') && !isAudited(kind))).toEqual([]);
  },
);

/** Where something makes events of this kind. */
function isAudited(kind: string): boolean {
  const sources = globSync('**/*.ts', { cwd: SERVER }).filter((file) => !file.includes('.test.'));
  return sources.some((file) => readFileSync(new URL(file, SERVER), 'utf8').includes(`'${kind}'`));
}
