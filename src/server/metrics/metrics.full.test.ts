import { globSync, readFileSync } from 'node:fs';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { RATE_LIMITS } from '../config/limits.ts';
import { demoEmail } from '../demo/seed.ts';
import { defaultTimers } from '../testing/timers.ts';
import { createCleanup } from '../jobs/cleanup.ts';
import { createTestApp, createTestContext, type TestApp } from '../testing/test-app.ts';
import { startHttpReceiver } from '../testing/receivers.ts';
import { createSealing } from '../audit/sealing.ts';
import { countJobs, MOST_COUNTED } from './counts.ts';
import { createMetrics, MOST_SUBTENANTS } from './metrics.ts';
import { untilHolds } from '../testing/until.ts';

const SERVER = new URL('../', import.meta.url);
const TOKEN = 'a-metrics-token-of-these-tests-0123456789';
const texts = await startHttpReceiver();
const testApp = await createTestApp({
  metricsToken: TOKEN,
  smsWebhook: { url: texts.url, key: 'a webhook key of the tests' },
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

describe('[OPS-59] steps of journeys', () => {
  let app: TestApp;
  const text = async () =>
    (await fetch(`${app.url}/metrics`, { headers: { authorization: `Bearer ${TOKEN}` } })).text();
  const steps = async (step: string, outcome: string, more: Record<string, string> = {}) =>
    valueOf(await text(), 'porchlight_steps_total', { step, outcome, ...more }) ?? 0;
  beforeAll(async () => {
    app = await createTestApp({ metricsToken: TOKEN });
  });
  afterAll(() => app.close());

  test('from the form to the module', async () => {
    const visitor = app.visitor();
    const emailAddress = 'steps@example.test';
    await visitor.register({ emailAddress });
    await visitor.authenticate(emailAddress, 'Wrong-Steps-1');
    await visitor.signIn(emailAddress, 'Sunny-Porch-7');
    await visitor.call('issueHandoff', {
      body: { choice: null, entrance: 'portal' },
    });
    await app.app.outbox.settle();
    const of742 = { subtenant: '742' };
    expect(await steps('signUp', 'started', of742)).toBe(1);
    expect(await steps('signUp', 'verified', of742)).toBe(1);
    expect(await steps('activation', 'started', of742)).toBe(1);
    expect(await steps('activation', 'verified', of742)).toBe(1);
    expect(await steps('signIn', 'started', of742)).toBe(1);
    expect(await steps('signIn', 'verified', of742)).toBe(1);
    expect(await steps('code', 'started', { channel: 'email', ...of742 })).toBe(2);
    expect(await steps('code', 'verified', { channel: 'email', ...of742 })).toBe(2);
    const scraped = await text();
    const refused = { step: 'signIn', reason: 'wrongPassword' };
    expect(valueOf(scraped, 'porchlight_refusals_total', refused)).toBe(1);
    const handOff = { module: 'member-intake', outcome: 'issued' };
    expect(valueOf(scraped, 'porchlight_handoffs_total', handOff)).toBe(1);
    expect(valueOf(scraped, 'porchlight_hash_wait_seconds_count')).toBeGreaterThan(2);
  });

  test('a reset, a refusal by its code, and a limit by its name', async () => {
    const visitor = app.visitor();
    const email = demoEmail('member');
    const body = { userName: email, emailID: email };
    await visitor.call('forgotPassword', { body });
    await app.app.outbox.settle();
    expect(await steps('reset', 'started')).toBe(1);
    expect(await steps('reset', 'sent', { channel: 'email' })).toBe(1);
    const wrong = RATE_LIMITS.passwordPerAccountAndIp.max + 1;
    for (let n = 0; n < wrong; n += 1) await visitor.authenticate(email, 'Wrong-Steps-1');
    await visitor.record({ code: 'x', state: 'y' });
    await untilHolds(async () => {
      const scraped = await text();
      const refused = (reason: string) =>
        valueOf(scraped, 'porchlight_refusals_total', { step: 'signIn', reason });
      expect(refused('TOO_MANY')).toBe(1);
      expect(refused('NO_SESSION')).toBe(1);
      const limit = { limit: 'passwordPerAccountAndIp' };
      expect(valueOf(scraped, 'porchlight_limits_full_total', limit)).toBe(1);
    });
  });

  test('what nobody came back to, once', async () => {
    const visitor = app.visitor();
    const created = await visitor.signUp({ emailAddress: 'left@example.test' });
    const userId = created.data?.userId ?? 0;
    await visitor.sendCode(userId, 'USER_ACTIVATION');
    app.clock.advance(200);
    // Replaced: not this one was given up.
    await visitor.sendCode(userId, 'USER_ACTIVATION');
    await app.visitor().reachCode(demoEmail('staff'));
    const left: { readonly table: string; readonly what: string }[] = [];
    const metrics = createMetrics({ db: app.db, clock: app.clock });
    const clean = () =>
      createCleanup({
        db: app.db,
        clock: app.clock,
        auditDays: 365,
        leadDays: 30,
        timers: defaultTimers,
        sealing: { seal: async () => 0, clearBefore: async () => 0 },
        onDone: () => undefined,
        onDeadLetters: () => undefined,
        onError: (error) => expect(error).toBeUndefined(),
        onUnfinished(one, subtenantId) {
          left.push(one);
          metrics.recordUnfinished(one, subtenantId);
        },
      }).run();
    app.clock.advance(8 * 24 * 60 * 60);
    await clean();
    await clean();
    const scraped = await metrics.text({});
    const gaveUp = (step: string, subtenant = '742') =>
      valueOf(scraped, 'porchlight_steps_total', { step, outcome: 'gaveUp', subtenant });
    const codes = left.filter(({ table }) => table === 'otp_codes').map(({ what }) => what);
    expect(codes).toHaveLength(2);
    expect(new Set(codes)).toEqual(new Set(['TWOFACTORAUTHENTICATION', 'USER_ACTIVATION']));
    expect([gaveUp('code'), gaveUp('reset')]).toEqual([1, 1]);
    // A visitor without a subtenant's address counts for none.
    expect([gaveUp('code', 'none'), gaveUp('signIn', 'none')]).toEqual([1, 1]);
    // With it goes the demo's account that never finished its sign-up.
    expect(gaveUp('signUp')).toBe(2);
    expect(gaveUp('activation')).toBeUndefined();
    metrics.close();
  });
});

test('[OPS-59] labels are bounded, whatever the number of subtenants', async () => {
  const metrics = createMetrics(testApp);
  for (let subtenantId = 1; subtenantId <= MOST_SUBTENANTS + 10; subtenantId += 1) {
    metrics.recordEvent({ kind: 'reset.done', subtenantId, details: {} });
  }
  metrics.recordEvent({
    kind: 'handoff.issued',
    subtenantId: null,
    details: { module: 'anybody' },
  });
  const text = await metrics.text({});
  expect(text.match(/^porchlight_steps_total\{/gm)).toHaveLength(MOST_SUBTENANTS + 1);
  expect(valueOf(text, 'porchlight_steps_total', { subtenant: 'other' })).toBe(10);
  expect(text).not.toContain('anybody');
  metrics.close();
});

test('[OPS-59] the queue is counted along its indexes, up to a bound', async () => {
  const full = await createTestApp();
  const now = full.clock.now();
  await sql`insert into outbox (id, kind, payload, idempotency_key, created_at, run_at, dead_at)
    select gen_random_uuid(), 'k' || n % 2, '{"sealed":"x"}', 'many:' || n, ${now}, 'infinity',
      case when n % 4 < 2 then ${now}::timestamptz end
    from generate_series(1, ${sql.lit(4 * MOST_COUNTED + 40)}) n`.execute(full.db);
  await sql`analyze outbox`.execute(full.db);
  const counts = await countJobs(full.db, now);
  expect(counts.map(({ kind, state, count }) => [kind, state, count])).toEqual([
    ['k0', 'waiting', MOST_COUNTED],
    ['k1', 'waiting', MOST_COUNTED],
    ['k0', 'dead', MOST_COUNTED],
    ['k1', 'dead', MOST_COUNTED],
  ]);
  await full.close();
});

test('[OPS-59] docs/operations/metrics.md names every figure, and none that there is not', async () => {
  const file = new URL('../../../docs/operations/metrics.md', import.meta.url);
  const rows = readFileSync(file, 'utf8').matchAll(/^\| `(porchlight_\w+)` \|/gm);
  const told = new Set([...rows].map(([, name]) => name));
  const scraped = (await read()).matchAll(/^# TYPE (porchlight_\w+) /gm);
  expect(told).toEqual(new Set([...scraped].map(([, name]) => name)));
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
    const steps = 'porchlight_steps_total';
    const code = { step: 'code', subtenant: '742' };
    for (const outcome of ['sent', 'delivered']) {
      expect(valueOf(text, steps, { ...code, channel: 'email', outcome })).toBe(5);
      expect(valueOf(text, steps, { ...code, channel: 'sms', outcome })).toBeUndefined();
    }
    expect(valueOf(text, steps, { ...code, channel: 'sms', outcome: 'started' })).toBe(5);
    const breaker = (state: string) =>
      valueOf(text, 'porchlight_provider_breaker', { provider: 'webhook', state });
    expect([breaker('open'), breaker('closed')]).toEqual([1, 0]);
    expect(valueOf(text, 'porchlight_events_total', { kind: 'otp.sent' })).toBe(5);
    testApp.clock.advance(60 * 60 + 1);
    await testApp.app.outbox.settle();
    const later = await read();
    // Expired codes are no dead letters: they need no operator.
    expect(valueOf(later, 'porchlight_outbox_jobs', { kind: 'message' })).toBeUndefined();
    expect(valueOf(later, steps, { ...code, channel: 'sms', outcome: 'failed' })).toBe(5);
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

test('[OPS-101] N35: what a proxy forwards does not get it, in no spelling of the path', async () => {
  for (const path of ['/metrics', '/METRICS/', '/%6detrics', '/metrics?x=1']) {
    const headers = { authorization: `Bearer ${TOKEN}` };
    const get = (more: Record<string, string>) =>
      fetch(new URL(path, testApp.url), { headers: { ...headers, ...more } });
    expect([path, (await get({})).status]).toEqual([path, 200]);
    expect([path, (await get({ 'x-forwarded-for': '203.0.113.7' })).status]).toEqual([path, 404]);
  }
});

test('[OPS-101] N37: the ages of the newest backup and of the oldest event that is not sealed', async () => {
  const { database, db, clock, audit, secretBox } = await createTestContext();
  const metrics = createMetrics({ db, clock });
  const read = async () => {
    const text = await metrics.text({});
    const looks = { kind: 'console.manyLooks' };
    const age = valueOf(text, 'porchlight_backup_age_seconds');
    return [
      Math.floor(valueOf(text, 'porchlight_audit_unsealed_seconds') ?? Number.NaN),
      age && Math.floor(age),
      valueOf(text, 'porchlight_events_total', looks),
    ];
  };
  expect(await read()).toEqual([0, undefined, 0]);
  await audit({ kind: 'backup.made' });
  clock.advance(7200);
  await audit({ kind: 'signOut' });
  expect(await read()).toEqual([7200, 7200, 0]);
  await createSealing({ db, clock, secretBox }).seal();
  expect(await read()).toEqual([0, 7200, 0]);
  metrics.close();
  await database.close();
});

test('[OPS-41] N37: each panel of the dashboard says in a sentence what it shows', () => {
  const file = new URL('../../../deploy/grafana/porchlight.json', import.meta.url);
  const { panels } = JSON.parse(readFileSync(file, 'utf8')) as {
    panels: { title: string; description: string }[];
  };
  const isSentence = (text: string) => /^[A-Z0-9].{20,140}\.$/.test(text);
  expect(panels.filter(({ description }) => !isSentence(description))).toEqual([]);
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
  const ofSteps = ['step', 'outcome', 'channel', 'subtenant', 'reason', 'limit', 'module'];
  const ours = ['method', 'route', 'status', 'kind', 'state', 'provider', 'task', ...ofSteps];
  const ofProcess = ['le', 'type', 'version', 'major', 'minor', 'patch', 'space', 'quantile'];
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
