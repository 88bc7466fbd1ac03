import { rmSync } from 'node:fs';
import { IncomingMessage } from 'node:http';
import { Socket } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { demoEmail } from '../../demo/seed.ts';
import { startHttpReceiver, type HttpReceiver } from '../../testing/receivers.ts';
import { createTestApp, PASSWORD } from '../../testing/test-app.ts';
import { makeDataDirectory } from '../../testing/database-copies.ts';
import { endProcess, startProcess } from '../../testing/server-process.ts';
import { openProcessDatabase, openTestDatabase } from '../../testing/test-database.ts';
import { MOST_WAITING, startExporter } from './exporter.ts';
import { logsOf } from './logs.ts';
import { asCall, below, currentSpan, recordStatement } from './span.ts';
import { createTracer, readTraceparent } from './tracer.ts';
import { untilHolds } from '../../testing/until.ts';

type Value = { readonly stringValue?: string; readonly intValue?: string };
type Span = {
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId?: string;
  readonly name: string;
  readonly kind: number;
  readonly startTimeUnixNano: string;
  readonly endTimeUnixNano: string;
  readonly attributes: readonly { readonly key: string; readonly value: Value }[];
  readonly status?: { readonly code: number };
};
type Request = {
  readonly resourceSpans: readonly {
    readonly resource: { readonly attributes: Span['attributes'] };
    readonly scopeSpans: readonly { readonly spans: readonly Span[] }[];
  }[];
};

const KEY = 'the key of the collector';
const TRACE = '4bf92f3577b34da6a3ce929d0e0e4736';
const PARENT = '00f067aa0ba902b7';
const EMAIL = 'traced.person@example.test';
const IP = '203.0.113.65';

const QUIET = { onCount: () => undefined, onChange: () => undefined };

const receivers: HttpReceiver[] = [];
const start = async () => {
  const receiver = await startHttpReceiver();
  receivers.push(receiver);
  return receiver;
};
afterAll(async () => {
  for (const receiver of receivers) await receiver.close();
});

const tracesTo = (receiver: HttpReceiver, share = 1) => ({
  url: `${receiver.url}/v1/traces`,
  headers: { authorization: KEY },
  serviceName: 'porch',
  share,
});
const startApp = async (receiver: HttpReceiver, more: Parameters<typeof createTestApp>[0] = {}) =>
  createTestApp({ traces: tracesTo(receiver), ...more }, null, {
    database: await openTestDatabase('keyed', recordStatement),
  });

const spansOf = ({ received }: HttpReceiver): readonly Span[] =>
  received.flatMap(({ body }) =>
    (JSON.parse(body) as Request).resourceSpans.flatMap(({ scopeSpans }) =>
      scopeSpans.flatMap(({ spans }) => spans),
    ),
  );
const valueOf = ({ attributes }: Span, key: string) => {
  const { value } = attributes.find((each) => each.key === key) ?? {};
  return value?.stringValue ?? (value?.intValue === undefined ? undefined : Number(value.intValue));
};

describe('[OPS-65] a sign-up and a sign-in', () => {
  let collector: HttpReceiver;
  let texts: HttpReceiver;
  let crm: HttpReceiver;
  let spans: readonly Span[];
  let byId: ReadonlyMap<string, Span>;
  /** What nobody may read in a span. */
  const canaries = new Map<string, string>();
  const parentOf = (span: Span) => byId.get(span.parentSpanId ?? '');
  const named = (name: string) => spans.filter((span) => span.name === name);
  beforeAll(async () => {
    collector = await start();
    texts = await start();
    crm = await start();
    const app = await startApp(collector, {
      smsWebhook: { url: `${texts.url}/sms`, key: 'a webhook key of the tests' },
      crm: { url: `${crm.url}/contacts`, key: 'a key of the CRM', tag: 'porch' },
    });
    const visitor = app.visitor(IP);
    await visitor.register({ emailAddress: EMAIL, firstName: 'Traceline', subtenantId: 3 });
    await app.app.outbox.settle();
    const login = await visitor.signIn(EMAIL, PASSWORD);
    const { data } = await visitor.call('issueHandoff', {
      body: { choice: null, entrance: 'portal' },
    });
    await visitor.authenticate(EMAIL, 'Wrong-Traces-1');
    await visitor.ok('checkUser', { params: { email: EMAIL } });
    await visitor.request(`/account/verifyOtp?email=${encodeURIComponent(EMAIL)}`);
    await visitor.request(`/idp/${EMAIL}/authorize?login_hint=${encodeURIComponent(EMAIL)}`);
    await visitor.request(`/nowhere/${EMAIL}`, {
      headers: { 'x-request-id': 'traced-request-1', traceparent: `00-${TRACE}-${PARENT}-01` },
    });
    await app.app.outbox.settle();
    const mails = await app.inbox(EMAIL);
    for (const [n, { code }] of mails.entries()) if (code) canaries.set(`code ${n}`, code);
    canaries.set('address', EMAIL);
    canaries.set('address in a query', encodeURIComponent(EMAIL));
    canaries.set('password', PASSWORD);
    canaries.set('wrong password', 'Wrong-Traces-1');
    canaries.set('name', 'Traceline');
    canaries.set('network address', IP);
    canaries.set('bearer', login.authToken);
    canaries.set('state', login.appState);
    canaries.set('visit', visitor.cookies.get('visit') ?? '');
    canaries.set('hand-off', new URL(data?.url ?? '').searchParams.get('token') ?? '');
    canaries.set('key of the collector', KEY);
    await app.close();
    spans = spansOf(collector);
    byId = new Map(spans.map((span) => [span.spanId, span]));
  });

  test('comes as OTLP has it, with the key in a header', () => {
    const [first] = collector.received;
    expect(first?.path).toBe('/v1/traces');
    expect(first?.headers).toMatchObject({
      'content-type': 'application/json',
      authorization: KEY,
    });
    const { resource } = (JSON.parse(first?.body ?? '') as Request).resourceSpans[0] ?? {};
    expect(resource?.attributes).toContainEqual({
      key: 'service.name',
      value: { stringValue: 'porch' },
    });
    for (const span of spans) {
      expect(span.traceId).toMatch(/^[\da-f]{32}$/);
      expect(span.spanId).toMatch(/^[\da-f]{16}$/);
      expect(span.startTimeUnixNano).toMatch(/^\d{19}$/);
      expect(BigInt(span.endTimeUnixNano)).toBeGreaterThanOrEqual(BigInt(span.startTimeUnixNano));
    }
    expect(byId.size).toBe(spans.length);
  });

  test('each span stands below what caused it', () => {
    const [verify] = named('POST /api/OTP/Validate-OTP-For-NewUser');
    expect(verify).toMatchObject({ kind: 2 });
    expect(verify?.parentSpanId).toBeUndefined();
    const statements = spans.filter((span) => valueOf(span, 'db.query.text') !== undefined);
    expect(statements.every((span) => parentOf(span)?.traceId === span.traceId)).toBe(true);
    const own = statements.filter((span) => parentOf(span) === verify).map(({ name }) => name);
    expect(own).toEqual(expect.arrayContaining(['SELECT visits', 'UPDATE otp_codes']));
    // The outbox: below the request that wrote the job, with what it sends below it.
    const [sent] = named('send sms');
    const job = sent && parentOf(sent);
    expect(job).toMatchObject({ name: 'job message', kind: 5 });
    expect(job && parentOf(job)?.name).toMatch(/^POST \/api\/OTP\/Send-OTP-To-User$/);
    const calls = named('POST');
    const call = calls.find((span) => parentOf(span) === sent);
    expect(call).toMatchObject({ kind: 3, traceId: job?.traceId });
    // Whoever is called can go on below the call.
    const told = texts.received.map(({ headers }) => headers.traceparent);
    expect(told).toContain(`00-${call?.traceId}-${call?.spanId}-01`);
    const [lead] = named('job lead');
    const toCrm = calls.find((span) => span.parentSpanId === lead?.spanId);
    expect(crm.received[0]?.headers.traceparent).toBe(`00-${lead?.traceId}-${toCrm?.spanId}-01`);
    // Our own call of the hosted login goes on in the trace of the request that makes it.
    const [exchange] = named('POST /idp/oauth/token');
    const caller = exchange && parentOf(exchange);
    expect(caller).toMatchObject({ name: 'POST', kind: 3 });
    expect(caller && parentOf(caller)?.name).toMatch(/^POST \/api\//);
    expect(exchange && valueOf(exchange, 'http.response.status_code')).toBe(200);
    expect(exchange?.status).toEqual({ code: 0 });
  });

  test('a request says its template, its status, its id and its subtenant', () => {
    const [verify] = named('POST /api/OTP/Validate-OTP-For-NewUser');
    expect(verify && valueOf(verify, 'http.response.status_code')).toBe(200);
    expect(verify && valueOf(verify, 'porchlight.subtenant.id')).toBe(3);
    expect(named('POST /idp/co/authenticate').length).toBeGreaterThan(0);
    expect(named('GET /idp/*/authorize')).toHaveLength(1);
    expect(named('GET /api/user/GetUserStatusByUserName/:email')).toHaveLength(1);
    const lost = spans.find(
      (span) => valueOf(span, 'porchlight.request.id') === 'traced-request-1',
    );
    // Of a trusted proxy, which traces itself.
    expect(lost).toMatchObject({ name: 'GET', traceId: TRACE, parentSpanId: PARENT });
    expect(lost && valueOf(lost, 'http.response.status_code')).toBe(404);
    expect(lost && valueOf(lost, 'porchlight.refusal')).toBe('NOT_FOUND');
    const names = spans.map(({ name }) => name);
    expect(names.filter((name) => /health|\/dev\/inbox.*@/.test(name))).toEqual([]);
  });

  test('no span says anything of the person', () => {
    const text = collector.received.map(({ body }) => body).join('\n');
    expect(canaries.size).toBeGreaterThan(11);
    for (const [what, canary] of canaries) {
      expect([what, canary.length > 5, text.includes(canary)]).toEqual([what, true, false]);
    }
  });
});

test('[OPS-65] switched off, nothing is sent, no header goes out and no job keeps a trace', async () => {
  const crm = await start();
  const app = await createTestApp({ crm: { url: crm.url, key: 'a key of the CRM', tag: 'porch' } });
  await crm.setMood(503);
  await app.visitor().register({ emailAddress: 'off@example.test', subtenantId: 3 });
  await app.app.outbox.settle();
  expect(crm.received.map(({ headers }) => headers.traceparent)).toEqual([undefined]);
  const [job] = await app.db
    .selectFrom('outbox')
    .select('payload')
    .where('kind', '=', 'lead')
    .execute();
  expect(Object.keys(job?.payload ?? {})).toEqual(['sealed']);
  await app.close();
});

test('[OPS-70] our own calls are taken where no address is trusted; one that is over is not', async () => {
  const collector = await start();
  const app = await startApp(collector, { trustedProxies: [] });
  await app.visitor().signIn(demoEmail('member'));
  let late = { traceparent: '' };
  const other = startExporter(tracesTo(await start()), QUIET);
  const own = { tracer: other.tracer, span: other.tracer.startSpan('a test') };
  const { traceId: ownTrace } = own.span.spanContext();
  await below(own, () =>
    asCall('GET', {}, async (headers) => {
      late = { traceparent: headers.traceparent ?? '' };
      await fetch(`${app.url}/api/while-it-waits`, { headers });
    }),
  );
  await fetch(`${app.url}/api/afterwards`, { headers: late });
  await app.close();
  await other.close();
  const spans = spansOf(collector);
  const [exchange] = spans.filter(({ name }) => name === 'POST /idp/oauth/token');
  const caller = spans.find(({ spanId }) => spanId === exchange?.parentSpanId);
  expect(caller).toMatchObject({ name: 'POST', kind: 3, traceId: exchange?.traceId });
  // The one that was asked while the call waited, and not the one afterwards.
  const taken = spans.filter(({ traceId, name }) => traceId === ownTrace && name === 'GET');
  expect(taken).toHaveLength(1);
});

test('[OPS-65] a traceparent of a stranger is not taken, and a share of none sends none', async () => {
  const collector = await start();
  const app = await startApp(collector, { trustedProxies: [] });
  const given = { traceparent: `00-${TRACE}-${PARENT}-01` };
  await fetch(`${app.url}/api/nowhere`, { headers: given });
  await app.close();
  const spans = spansOf(collector).filter(({ name }) => name === 'GET');
  expect(spans).toHaveLength(1);
  expect(spans[0]?.traceId).not.toBe(TRACE);

  const none = await start();
  const quiet = await startApp(none, { traces: tracesTo(none, 0) });
  await quiet.visitor().reachCode(demoEmail('member'));
  await fetch(`${quiet.url}/api/nowhere`, { headers: { traceparent: `00-${TRACE}-${PARENT}-00` } });
  await quiet.close();
  expect(none.received).toEqual([]);
});

test('[OPS-65] a process tells the trace in each line of a request, and sends what is left when it ends', async () => {
  const collector = await start();
  const database = await openProcessDatabase();
  const dir = await makeDataDirectory(database.url);
  const server = await startProcess({
    PORCHLIGHT_DATA_DIR: dir,
    // Lines of probes are written for those who look for faults.
    LOG_LEVEL: 'debug',
    OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
    OTEL_SERVICE_NAME: 'a process',
    ...(database.url && { DATABASE_URL: database.url }),
  });
  try {
    expect(await server.started).toBeNull();
    const { headers } = await fetch(`${server.url}/account/signin`);
    const health = await fetch(`${server.url}/api/health/ready`);
    const lineOf = (id: string | null) => new RegExp(`^.*"reqId":"${id}".*$`, 'gm');
    const id = headers.get('x-request-id');
    await untilHolds(() => expect(server.output().match(lineOf(id))).toHaveLength(1));
    server.kill('SIGTERM');
    await server.exited;
    const spans = spansOf(collector);
    const page = spans.find((span) => valueOf(span, 'porchlight.request.id') === id);
    expect(page?.name).toBe('GET /account/signin');
    expect(
      spans.some(
        ({ parentSpanId, name }) => parentSpanId === page?.spanId && name.startsWith('SELECT'),
      ),
    ).toBe(true);
    for (const line of server.output().match(lineOf(id)) ?? []) {
      expect(JSON.parse(line)).toMatchObject({ trace_id: page?.traceId, span_id: page?.spanId });
      expect(line.match(/trace_id/g)).toHaveLength(1);
    }
    const [unwatched = ''] =
      server.output().match(lineOf(health.headers.get('x-request-id'))) ?? [];
    expect(unwatched).not.toBe('');
    expect(unwatched).not.toContain('trace_id');
  } finally {
    await endProcess(server);
    await database.close();
    rmSync(dir, { recursive: true, force: true });
  }
});

describe('[OPS-65] a collector', () => {
  test.each(['refuse', 'hang'] as const)(
    'that does "%s" holds up no sign-in and no end',
    async (mood) => {
      const collector = await start();
      await collector.setMood(mood);
      const app = await startApp(collector);
      await app.visitor().signIn(demoEmail('member'));
      // The limit of a request to it is longer than a test may take.
      await app.close();
      expect(spansOf(collector).every(({ name }) => name !== '')).toBe(true);
    },
  );

  async function run(mood: Parameters<HttpReceiver['setMood']>[0]) {
    const collector = await start();
    await collector.setMood(mood);
    const counted = { sent: 0, dropped: 0 };
    const problems: (string | null)[] = [];
    const { tracer, close } = startExporter(tracesTo(collector), {
      onCount: (outcome, n) => void (counted[outcome] += n),
      onChange: (problem) => problems.push(problem),
    });
    const add = (count: number) => {
      for (let n = 1; n <= count; n += 1) tracer.startSpan(`span ${n}`).end();
    };
    return { collector, counted, problems, add, close };
  }

  test('that takes all gets all, a full batch at once and the rest at the end', async () => {
    const { collector, counted, add, close } = await run('ok');
    for (let round = 1; round <= 4; round += 1) {
      add(MOST_WAITING);
      // Without waiting for the next interval: at 800 spans a second an interval would lose a third of them.
      await untilHolds(() => expect(counted.sent).toBe(round * MOST_WAITING));
    }
    add(3);
    await close();
    expect(counted).toEqual({ sent: 4 * MOST_WAITING + 3, dropped: 0 });
    expect(spansOf(collector)).toHaveLength(4 * MOST_WAITING + 3);
  });

  test('that hangs costs one bounded queue, and what was lost is counted', async () => {
    const { counted, add, close } = await run('hang');
    add(MOST_WAITING + 50);
    expect(counted).toEqual({ sent: 0, dropped: 50 });
    await close();
    expect(counted).toEqual({ sent: 0, dropped: MOST_WAITING + 50 });
    add(1);
    expect(counted.dropped).toBe(MOST_WAITING + 51);
  });

  test('[OPS-71] that was busy gets the same spans after a pause', async () => {
    const { collector, counted, add, close } = await run(503);
    add(512);
    await untilHolds(() => expect(collector.received).toHaveLength(1));
    await collector.setMood('ok');
    await untilHolds(() => expect(counted).toEqual({ sent: 512, dropped: 0 }));
    await close();
  });

  test('that refuses is told once, and its spans are counted', async () => {
    const { collector, counted, problems, add, close } = await run(400);
    add(600);
    await close();
    expect(counted).toEqual({ sent: 0, dropped: 600 });
    expect(problems).toHaveLength(1);
    expect(collector.received).toHaveLength(2);
  });
});

test('[OPS-65] the share of the settings is sampled', async () => {
  const collector = await start();
  const deps = { isTrusted: () => true, ...QUIET };
  const tracer = createTracer(tracesTo(collector, 0.25), deps);
  for (let n = 0; n < 400; n += 1) await tracer.periodic('work', async () => undefined);
  await tracer.close();
  const spans = spansOf(collector);
  // A quarter of 400, by more than six standard deviations.
  expect(Math.abs(spans.length - 100)).toBeLessThan(55);
});

test('[OPS-72] what a trace began with holds for all of it, whatever the share is', async () => {
  const collector = await start();
  const deps = { isTrusted: () => true, ...QUIET };
  for (const share of [0, 1]) {
    const tracer = createTracer(tracesTo(collector, share), deps);
    for (const flags of ['00', '01']) {
      const parent = `00-${TRACE}-${PARENT}-${flags}`;
      const kind = `share ${share} flags ${flags}`;
      await tracer.job({ kind, attempt: 1, parent }, async () => undefined);
    }
    await tracer.close();
  }
  const names = spansOf(collector).map(({ name }) => name);
  expect(names).toEqual(['job share 0 flags 01', 'job share 1 flags 01']);
});

test('[OPS-72] a line that is written below a span says its trace, one outside of all says none', async () => {
  const deps = { isTrusted: () => true, ...QUIET };
  const tracer = createTracer(tracesTo(await start(), 0), deps);
  const { mixin } = logsOf(tracer);
  expect(mixin({}, 30, {})).toEqual({});
  await tracer.periodic('work', async () => {
    const { traceId, spanId } = currentSpan()?.spanContext() ?? {};
    expect(mixin({}, 30, {})).toEqual({ trace_id: traceId, span_id: spanId });
  });
  await tracer.close();
});

test.each([
  ['/api/health/ready', false],
  ['/metrics', false],
  ['/assets/index.js', false],
  ['/logos/a.svg', false],
  ['/plain.css', false],
  ['/favicon.ico', false],
  ['/account/signin', true],
  ['/api/metrics', true],
  ['/metricsandmore', true],
])('[OPS-72] a request for %s leaves a span: %s', async (url, isTraced) => {
  const deps = { isTrusted: () => true, ...QUIET };
  const tracer = createTracer(tracesTo(await start()), deps);
  const request = Object.assign(new IncomingMessage(new Socket()), { url, method: 'GET' });
  expect(tracer.spanOf(request) !== undefined).toBe(isTraced);
  await tracer.close();
});

test.each([
  [`00-${TRACE}-${PARENT}-01`, true],
  [`00-${TRACE}-${PARENT}-00`, false],
  [`cc-${TRACE}-${PARENT}-01-more`, true],
  [`00-${TRACE}-${PARENT}-01-more`, null],
  [`ff-${TRACE}-${PARENT}-01`, null],
  [`00-${'0'.repeat(32)}-${PARENT}-01`, null],
  [`00-${TRACE}-${'0'.repeat(16)}-01`, null],
  [`00-${TRACE.toUpperCase()}-${PARENT}-01`, null],
  ['x', null],
  [undefined, null],
])('[OPS-65] a traceparent %s: %s', (text, isSampled) => {
  const remote = { traceId: TRACE, spanId: PARENT, traceFlags: Number(isSampled), isRemote: true };
  expect(readTraceparent(text)).toEqual(isSampled === null ? null : remote);
});
