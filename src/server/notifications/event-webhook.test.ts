import { createHmac, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { sql } from 'kysely';
import { afterAll, beforeEach, describe, expect, test } from 'vitest';
import { createAudit } from '../audit/audit.ts';
import { createSecretBox } from '../crypto/secret-box.ts';
import { demoEmail } from '../demo/seed.ts';
import { operate as run } from '../testing/operate.ts';
import { startHttpReceiver } from '../testing/receivers.ts';
import { createTestApp, createTestContext, type TestApp } from '../testing/test-app.ts';
import { createEventWebhook } from './event-webhook.ts';

const SECRET = `whsec_${randomBytes(32).toString('base64')}`;
const KEY = Buffer.from(SECRET.slice('whsec_'.length), 'base64');
const PAGE = new URL('../../../docs/operations/events.md', import.meta.url);

type Event = {
  readonly type: string;
  readonly timestamp: string;
  readonly data: { readonly userId: number; readonly subtenantId: number };
};
type Genuine = (headers: object, body: string, secret: string, now?: number) => boolean;

const receiver = await startHttpReceiver();
const testApp = await createTestApp({ events: { url: `${receiver.url}/hook`, secret: SECRET } });
afterAll(async () => {
  await testApp.close();
  await receiver.close();
});
beforeEach(async () => {
  await receiver.setMood('ok');
  await drain();
  receiver.received.length = 0;
});

/** Until nothing waits; after an outage one try goes first and the others wait for it. */
async function drain(): Promise<void> {
  testApp.clock.advance(2 * 60 * 60);
  for (let n = 0; n < 3; n += 1) {
    await testApp.app.outbox.settle();
    testApp.clock.advance(5);
  }
}

const eventsOf = (userId: number) =>
  receiver.received
    .map(({ body }) => JSON.parse(body) as Event)
    .filter(({ data }) => data.userId === userId)
    .map(({ type }) => type);

/** The command, as an operator's process runs it beside the server. */
async function operate(...words: string[]) {
  const { db, clock, config } = testApp;
  const { outbox } = await contextOf(testApp);
  const { tell } = createEventWebhook({ clock, config, outbox });
  const audit = createAudit({ db, clock, actor: 'operator:test', tell });
  const secretBox = createSecretBox(config.secret);
  const answer = await run({ db, clock, config, secretBox, audit }, ...words);
  await testApp.app.outbox.settle();
  return answer;
}
const contextOf = async ({ app: { outbox } }: TestApp) => ({ outbox });
const idOf = async (email: string) => {
  const { id } = await testApp.db
    .selectFrom('users')
    .select('id')
    .where('email_canonical', '=', email)
    .executeTakeFirstOrThrow();
  return id;
};

describe('[OPS-60] events of an account', () => {
  test('made, activated, signed in, suspended, resumed, erased: in this order when all is well', async () => {
    const visitor = testApp.visitor('203.0.113.60');
    const emailAddress = 'events.of@example.test';
    await visitor.register({ emailAddress, firstName: 'Eventina' });
    const userId = await idOf(emailAddress);
    await testApp.app.outbox.settle();
    await visitor.signIn(emailAddress, 'Sunny-Porch-7');
    await testApp.app.outbox.settle();
    for (const verb of ['suspend', 'resume']) await operate('user', verb, emailAddress);
    await operate('user', 'erase', emailAddress, '--yes');
    const types = eventsOf(userId);
    expect(types.at(-1)).toBe('account.erased');
    expect(types.filter((type) => type === 'signIn.complete').length).toBeGreaterThan(0);
    expect(types.filter((type) => type !== 'signIn.complete')).toEqual([
      'account.made',
      'account.activated',
      'account.suspended',
      'account.resumed',
      'account.erased',
    ]);
    for (const { body, path } of receiver.received) {
      expect(path).toBe('/hook');
      const { type, timestamp, data, ...more } = JSON.parse(body) as Event;
      expect([type, more, data]).toEqual([type, {}, { userId, subtenantId: 742 }]);
      expect(new Date(timestamp).toISOString()).toBe(timestamp);
      expect(body).not.toMatch(/Eventina|example\.test|203\.0\.113/);
    }
  });

  test('by an operator; a form for an address that is known makes none', async () => {
    await operate('user', 'add', 'by.hand@example.test', 'By', 'Hand', '--role', '4');
    expect(eventsOf(await idOf('by.hand@example.test'))).toEqual(['account.made']);
    receiver.received.length = 0;
    await testApp.visitor().signUp({ emailAddress: demoEmail('member') });
    await testApp.app.outbox.settle();
    expect(receiver.received).toEqual([]);
  });

  test(
    'are written by the transaction of their fact: neither is there without the other',
    { tags: 'long' },
    async () => {
      await receiver.setMood(503);
      const visitor = testApp.visitor();
      const emailAddress = 'one.write@example.test';
      await visitor.register({ emailAddress });
      await visitor.signIn(emailAddress, 'Sunny-Porch-7');
      const userId = await idOf(emailAddress);
      await operate('user', 'suspend', emailAddress);
      const { db } = testApp;
      const waiting = async () => {
        const { n } = await db
          .selectFrom('outbox')
          .select((eb) => eb.fn.countAll<number>().as('n'))
          .where('kind', '=', 'event')
          .executeTakeFirstOrThrow();
        return Number(n);
      };
      // The table of events is away: nothing else of the step stays either.
      const member = testApp.visitor();
      const { userId: memberId, otpId } = await member.reachCode(demoEmail('member'));
      await member.verify(otpId, memberId, await testApp.codeFor(demoEmail('member')));
      const before = await waiting();
      await sql`alter table outbox add constraint no_events check (kind != 'event') not valid`.execute(
        db,
      );
      try {
        await expect(operate('user', 'resume', emailAddress)).rejects.toThrow('no_events');
        await expect(operate('user', 'erase', emailAddress, '--yes')).rejects.toThrow('no_events');
        const other = testApp.visitor();
        const refused = await other.signUp({ emailAddress: 'never.made@example.test' });
        expect(refused.status).toBe(500);
        await expect(member.complete()).rejects.toThrow('UNEXPECTED');
      } finally {
        await sql`alter table outbox drop constraint no_events`.execute(db);
      }
      const found = await db
        .selectFrom('users')
        .select('status')
        .where((eb) =>
          eb.or([eb('id', '=', userId), eb('email_canonical', '=', 'never.made@example.test')]),
        )
        .execute();
      expect(found).toEqual([{ status: 'inactive' }]);
      const signedIn = await db
        .selectFrom('sign_ins')
        .select('id')
        .where('user_id', '=', memberId)
        .where('stage', '=', 'complete')
        .execute();
      expect(signedIn).toEqual([]);
      expect(await waiting()).toBe(before);
    },
  );

  test(
    'what waits goes with an erased person, and no event of anybody else',
    { tags: 'long' },
    async () => {
      await receiver.setMood(503);
      const [email, other] = ['gone@example.test', 'stays@example.test'];
      for (const each of [email, other]) await testApp.visitor().register({ emailAddress: each });
      const [id, otherId] = [await idOf(email), await idOf(other)];
      await testApp.app.outbox.settle();
      await operate('user', 'erase', email, '--yes');
      receiver.received.length = 0;
      await receiver.setMood('ok');
      await drain();
      expect(eventsOf(id)).toEqual(['account.erased']);
      expect(new Set(eventsOf(otherId))).toEqual(new Set(['account.made', 'account.activated']));
    },
  );
});

describe('[OPS-60] one event', () => {
  test('is signed as Standard Webhooks say, and the code of the page knows it', async () => {
    await testApp.visitor().register({ emailAddress: 'signed@example.test' });
    await testApp.app.outbox.settle();
    const [, source = ''] = /```js\n(.*?)```/s.exec(readFileSync(PAGE, 'utf8')) ?? [];
    const page = `data:text/javascript,${encodeURIComponent(source)}`;
    const { isGenuine } = (await import(page)) as { readonly isGenuine: Genuine };
    const [request] = receiver.received;
    const { headers = {}, body = '' } = request ?? {};
    const [id, at] = [String(headers['webhook-id']), String(headers['webhook-timestamp'])];
    const mac = createHmac('sha256', KEY).update(`${id}.${at}.${body}`).digest('base64');
    expect(headers['webhook-signature']).toBe(`v1,${mac}`);
    expect(headers['content-type']).toBe('application/json');
    expect(id).toMatch(/^[\w-]+$/);
    const now = testApp.clock.now().getTime() / 1000;
    expect(Math.abs(now - Number(at))).toBeLessThan(30);
    expect(isGenuine(headers, body, SECRET, now)).toBe(true);
    expect(isGenuine(headers, `${body} `, SECRET, now)).toBe(false);
    expect(isGenuine({ ...headers, 'webhook-id': 'x' }, body, SECRET, now)).toBe(false);
    expect(isGenuine(headers, body, `whsec_${'A'.repeat(32)}`, now)).toBe(false);
    expect(isGenuine(headers, body, SECRET, now + 400)).toBe(false);
  });

  test.each([500, 404, 'drop'] as const)(
    'comes again after %s, under the same id',
    async (mood) => {
      await receiver.setMood(mood);
      await operate('user', 'add', `again-${mood}@example.test`, 'A', 'B', '--role', '4');
      expect(receiver.received).toHaveLength(1);
      await receiver.setMood('ok');
      testApp.clock.advance(5);
      await testApp.app.outbox.settle();
      expect(receiver.received).toHaveLength(2);
      const [first, second] = receiver.received;
      expect(second?.headers['webhook-id']).toBe(first?.headers['webhook-id']);
      expect(second?.body).toBe(first?.body);
      expect(second?.headers['webhook-timestamp']).not.toBe(first?.headers['webhook-timestamp']);
    },
  );

  test('is a dead letter where nobody wants it, and an operator can send it again', async () => {
    await receiver.setMood(410);
    await operate('user', 'add', 'dead@example.test', 'Dead', 'Letter', '--role', '4');
    const { data, text } = await operate('outbox', 'list');
    expect(data).toMatchObject([{ kind: 'event', reason: 'The events endpoint answered 410' }]);
    expect(text).not.toContain(SECRET);
    const id = receiver.received[0]?.headers['webhook-id'];
    await receiver.setMood('ok');
    await operate('outbox', 'retry', 'all');
    expect(receiver.received.map(({ headers }) => headers['webhook-id'])).toEqual([id, id]);
  });
});

test('[OPS-60] without the setting there is none', { tags: 'long' }, async () => {
  const quiet = await createTestApp();
  await quiet.visitor().register({ emailAddress: 'quiet@example.test' });
  const rows = await quiet.db.selectFrom('outbox').select('kind').distinct().execute();
  expect(rows.map(({ kind }) => kind)).not.toContain('event');
  await quiet.close();
});

test('[OPS-60] the key is in no error, no row and no answer', { tags: 'long' }, async () => {
  const away = { url: 'http://127.0.0.1:1/hook?key=in-the-address', secret: SECRET };
  const context = await createTestContext({}, { events: away });
  const events = createEventWebhook(context);
  context.outbox.define(events.job);
  await events.tell(
    { kind: 'account.erased', erased: { userId: 1, subtenantId: 742 } },
    context.db,
  );
  await context.outbox.runDue();
  expect(context.errors).toHaveLength(1);
  const said = context.errors.map((error) => String((error as Error).stack)).join(' ');
  const rows = JSON.stringify(await context.db.selectFrom('outbox').selectAll().execute());
  for (const text of [said, rows, await testApp.dump()]) {
    expect(text).not.toContain(SECRET.slice('whsec_'.length));
    expect(text).not.toContain('in-the-address');
  }
  await context.database.close();
});

describe('[OPS-60] the endpoint', () => {
  /** Queues events for an endpoint, without a server around. */
  async function startEvents(url: string, { count = 1, providerTimeoutMs = 5000 } = {}) {
    const overrides = { events: { url, secret: SECRET }, providerTimeoutMs };
    const context = await createTestContext({}, overrides);
    const events = createEventWebhook(context);
    context.outbox.define(events.job);
    for (let userId = 1; userId <= count; userId += 1) {
      const event = { kind: 'account.erased', erased: { userId, subtenantId: 742 } } as const;
      await events.tell(event, context.db);
    }
    const said = () => context.errors.map((error) => (error as Error).message);
    return { ...context, events, said };
  }

  test('is not followed to another address', async () => {
    const elsewhere = createServer((_request, response) =>
      response.writeHead(307, { location: `${receiver.url}/hook` }).end(),
    ).listen(0, '127.0.0.1');
    await once(elsewhere, 'listening');
    const { port } = elsewhere.address() as AddressInfo;
    const { outbox, said, database } = await startEvents(`http://127.0.0.1:${port}/`);
    await outbox.runDue();
    expect(said()).toEqual(['The events endpoint answered 307']);
    expect(receiver.received).toEqual([]);
    elsewhere.close();
    await database.close();
  });

  test('is given up when it says nothing', { tags: 'long' }, async () => {
    await receiver.setMood('hang');
    const given = { providerTimeoutMs: 100 };
    const { outbox, said, database } = await startEvents(receiver.url, given);
    await outbox.runDue();
    expect(said()).toEqual(['timeout: no whole answer in time']);
    await database.close();
  });

  test('is left alone for a while after it failed again and again', { tags: 'long' }, async () => {
    await receiver.setMood(503);
    const { outbox, events, clock, database } = await startEvents(receiver.url, { count: 10 });
    // A second that passes meanwhile is a try more.
    clock.pin(clock.now());
    await outbox.runDue();
    expect(events.states()).toEqual({ events: 'open' });
    const { length } = receiver.received;
    clock.advance(2);
    await outbox.runDue();
    expect(receiver.received).toHaveLength(length);
    await database.close();
  });
});
