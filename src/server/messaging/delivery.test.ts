/** The drivers against real servers that refuse, hang, fail and heal. */

import { createHmac } from 'node:crypto';
import { afterEach, describe, expect, test } from 'vitest';
import { startHttpReceiver, startMailReceiver } from '../testing/receivers.ts';
import { createDeadLetters } from '../jobs/dead-letters.ts';
import {
  activation,
  createWorld,
  signUpBody,
  type World,
  type WorldOptions,
} from '../testing/world.ts';

const cleanUps: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const cleanUp of cleanUps.splice(0).toReversed()) await cleanUp();
});

async function open(options: WorldOptions): Promise<World> {
  const world = await createWorld(options);
  cleanUps.push(() => world.close());
  return world;
}

async function startEndpoint() {
  const receiver = await startHttpReceiver();
  cleanUps.push(receiver.close);
  return receiver;
}

async function startSmtp() {
  const receiver = await startMailReceiver();
  cleanUps.push(receiver.close);
  return receiver;
}

const mailBy = ({ url }: { readonly url: string }): WorldOptions => ({
  mail: { url, from: 'Porchlight <no-reply@example.test>', envelopeFrom: null, dkim: null },
});

/** Signed up in the academy and waiting for a code. */
async function waiting(world: World, emailAddress: string) {
  const visitor = world.visitor();
  const created = (await visitor.signUp({ emailAddress, subtenantId: 3 })).data;
  const sent = await visitor.sendCode(created?.userId ?? 0, 'USER_ACTIVATION');
  await world.app.outbox.settle();
  return { visitor, created, sent };
}

const errorsOf = async (world: World) =>
  await world.db
    .selectFrom('outbox')
    .select(['kind', 'last_error', 'done_at', 'dead_at'])
    .execute();

describe('text messages', () => {
  const KEY = 'a webhook key of the tests';

  test.each([500, 'drop'] as const)(
    'an endpoint that answers "%s" and heals has each message once, by its key',
    async (mode) => {
      const endpoint = await startEndpoint();
      const world = await open({ smsWebhook: { url: endpoint.url, key: KEY } });
      await endpoint.setMood(mode);
      const { sent } = await waiting(world, 'sms@example.test');
      expect(sent.status).toBe(200);
      world.clock.advance(2);
      await world.app.outbox.settle();
      await endpoint.setMood('ok');
      world.clock.advance(4);
      await world.app.outbox.settle();
      world.clock.advance(60);
      await world.app.outbox.settle();

      const { received } = endpoint;
      expect(received).toHaveLength(3);
      expect(new Set(received.map(({ headers }) => headers['idempotency-key']))).toEqual(
        new Set([`otp:${sent.data?.id}:sms`]),
      );
      const { headers, body = '' } = received[2] ?? {};
      const code = await world.codeFor('sms@example.test');
      expect(JSON.parse(body)).toMatchObject({
        channel: 'sms',
        to: '+15550142290',
        text: expect.stringContaining(code),
      });
      const signature = createHmac('sha256', KEY)
        .update(`${String(headers?.['x-porchlight-timestamp'])}.${body}`)
        .digest('hex');
      expect(headers?.['x-porchlight-signature']).toBe(`sha256=${signature}`);
    },
  );

  test('[R41] a code is never delivered after it has ended', async () => {
    const endpoint = await startEndpoint();
    const world = await open({ smsWebhook: { url: endpoint.url, key: KEY } });
    await endpoint.setMood(500);
    await waiting(world, 'late@example.test');
    expect(endpoint.received).toHaveLength(1);
    await endpoint.setMood('ok');
    world.clock.advance(121);
    await world.app.outbox.settle();
    expect(endpoint.received).toHaveLength(1);
    expect(await errorsOf(world)).toContainEqual(
      expect.objectContaining({ last_error: 'expired' }),
    );
  });

  test('an endpoint that hangs holds up nobody', async () => {
    const endpoint = await startEndpoint();
    const world = await open({ smsWebhook: { url: endpoint.url, key: KEY } });
    await endpoint.setMood('hang');
    const visitor = world.visitor();
    const created = (await visitor.signUp({ emailAddress: 'hang@example.test' })).data;
    const sent = await visitor.sendCode(created?.userId ?? 0, 'USER_ACTIVATION');
    expect(sent.status).toBe(200);
    // The mail went the other way and is there; the worker gives up on the message after five seconds.
    await world.app.outbox.settle();
    expect(await world.codeFor('hang@example.test')).toMatch(/^\d{6}$/);
    expect(await errorsOf(world)).toContainEqual(
      expect.objectContaining({ done_at: null, last_error: expect.stringMatching(/timeout/i) }),
    );
  });
});

describe('mail', () => {
  test('a server that refuses and heals has each mail once, by its Message-ID', async () => {
    const smtp = await startSmtp();
    const world = await open(mailBy(smtp));
    await smtp.setMood(451);
    await waiting(world, 'mail@example.test');
    await smtp.setMood('ok');
    world.clock.advance(2);
    await world.app.outbox.settle();
    world.clock.advance(60);
    await world.app.outbox.settle();
    expect(smtp.mails).toHaveLength(1);
    expect(smtp.tries).toHaveLength(2);
    expect(new Set(smtp.tries).size).toBe(1);
    const [mail = ''] = smtp.mails;
    expect(mail).toMatch(/^To: mail@example\.test$/m);
    expect(mail).toMatch(/^From: Porchlight <no-reply@example\.test>$/m);
    expect(mail).toMatch(/^Subject: \d{6} is your Porchlight Academy code$/m);
    expect(mail).toContain('multipart/alternative');
  });

  test('nobody writes headers or addresses of his own into a mail', async () => {
    const smtp = await startSmtp();
    const world = await open(mailBy(smtp));
    const visitor = world.visitor();
    for (const emailAddress of [
      'a@x.test\r\nBcc: b@x.test',
      'a@x.test, b@x.test',
      'a@x.test>',
      '"a b"@x.test',
    ]) {
      expect((await visitor.signUp({ emailAddress })).status).toBe(400);
    }
    const emailAddress = 'names@example.test';
    const lines = 'Eve\r\nBcc: thief@example.test';
    expect((await visitor.signUp({ emailAddress, firstName: lines })).status).toBe(400);
    const firstName = 'Eve <script>alert(1)</script>';
    // From elsewhere: the first network has tried so often that it is asked for a proof of work.
    const other = world.visitor();
    const created = (await other.signUp({ emailAddress, firstName })).data;
    await other.sendCode(created?.userId ?? 0, 'USER_ACTIVATION', 3);
    await world.app.outbox.settle();
    const [mail = ''] = smtp.mails;
    expect(mail.split('\n\n')[0]).not.toMatch(/^Bcc/im);
    // Quoted-printable breaks its lines anywhere.
    const [, html = ''] = mail.replace(/=\r?\n/g, '').split('Content-Type: text/html');
    expect(html).toContain('Hello Eve');
    expect(html).not.toContain('<script');
  });
});

describe('[API-03] leads', () => {
  const CRM_KEY = 'crm-key-canary';

  test('a CRM that is down delays nobody, loses nothing, and sees one key', async () => {
    const endpoint = await startEndpoint();
    await endpoint.setMood(500);
    const world = await open({ crm: { url: endpoint.url, key: CRM_KEY, tag: 'spring trial' } });
    const { userId } = await world
      .visitor()
      .register({ emailAddress: 'lead@example.test', subtenantId: 3 });
    await world.app.outbox.settle();
    for (let n = 0; n < 5; n += 1) {
      world.clock.advance(60 * 60);
      await world.app.outbox.settle();
    }
    await endpoint.setMood('ok');
    world.clock.advance(60 * 60);
    await world.app.outbox.settle();
    world.clock.advance(60 * 60);
    await world.app.outbox.settle();
    const { received } = endpoint;
    expect(received).toHaveLength(7);
    for (const { headers, body } of received) {
      expect(headers.authorization).toBe(`Bearer ${CRM_KEY}`);
      expect(headers['idempotency-key']).toBe(`lead:${userId}:activated`);
      expect(JSON.parse(body)).toEqual({
        email: 'lead@example.test',
        phone: '+15550142290',
        firstName: 'Rosa',
        lastName: 'Lind',
        name: 'Rosa Lind',
        tags: ['spring trial'],
      });
    }
  });

  const contactOf = ({ body }: { readonly body: string }) => JSON.parse(body) as { email: string };

  test('one each: an academy sign-up, a free trial, and a role added to an account', async () => {
    const endpoint = await startEndpoint();
    const world = await open({ crm: { url: endpoint.url, key: CRM_KEY, tag: 'x' } });
    const leadsOf = (email: string) =>
      endpoint.received.filter((each) => contactOf(each).email === email);

    // An academy sign-up by its own call, activated twice.
    const academy = world.visitor();
    const body = signUpBody({ emailAddress: 'academy-lead@example.test', subtenantId: 3 });
    const created = await academy.ok('createAcademyUser', { body });
    const sent = await academy.sendCode(created.userId, 'USER_ACTIVATION');
    const otpId = sent.data?.id ?? '';
    await world.app.outbox.settle();
    expect(endpoint.received).toEqual([]);
    await academy.verify(otpId, created.userId, await world.codeFor('academy-lead@example.test'));
    const activate = { body: activation(created, otpId) };
    await Promise.all([academy.ok('activateUser', activate), academy.ok('activateUser', activate)]);
    await academy.ok('activateUser', activate);

    // The free trial: the same with the first call.
    await world.visitor().register({ emailAddress: 'trial@example.test', subtenantId: 3 });

    // Somebody of another subtenant gets the academy role, by a form that is sent twice.
    await world.visitor().register({ emailAddress: 'mapped@example.test' });
    await world.app.outbox.settle();
    expect(leadsOf('mapped@example.test')).toEqual([]);
    const again = world.visitor();
    const input = { emailAddress: 'mapped@example.test', subtenantId: 3 };
    const answers = [await again.signUp(input), await again.signUp(input)];
    expect(answers.map(({ data }) => data?.userActivationMode)).toEqual([
      'ROLE_MAPPED',
      'ROLE_MAPPED',
    ]);
    await world.app.outbox.settle();
    for (const email of ['academy-lead', 'trial', 'mapped']) {
      expect([email, leadsOf(`${email}@example.test`).length]).toEqual([email, 1]);
    }
    expect(endpoint.received).toHaveLength(3);
  });

  test.each([400, 401, 404, 422, 302])(
    '%s is a dead letter at once, and an alert',
    async (status) => {
      const endpoint = await startEndpoint();
      await endpoint.setMood(status);
      const world = await open({ crm: { url: endpoint.url, key: CRM_KEY, tag: 'x' } });
      await world.visitor().register({ emailAddress: 'dead@example.test', subtenantId: 3 });
      await world.app.outbox.settle();
      world.clock.advance(60 * 60);
      await world.app.outbox.settle();
      expect(endpoint.received).toHaveLength(1);
      const letters = createDeadLetters(world);
      expect(await letters.list()).toMatchObject([
        { kind: 'lead', attempts: 1, reason: `The lead endpoint answered ${status}` },
      ]);
      const alerts = await world.db
        .selectFrom('audit_events')
        .select('details')
        .where('kind', '=', 'outbox.dead')
        .execute();
      expect(alerts).toMatchObject([{ details: { kind: 'lead' } }]);
      // Mended, and sent after all.
      await endpoint.setMood('ok');
      expect(await letters.retry('all')).toBe(1);
      await world.app.outbox.settle();
      expect(endpoint.received).toHaveLength(2);
      expect(new Set(endpoint.received.map(({ headers }) => headers['idempotency-key'])).size).toBe(
        1,
      );
      expect(await letters.list()).toEqual([]);
    },
  );

  test('[D4] the key is in no answer and in no table', async () => {
    const endpoint = await startEndpoint();
    const world = await open({ crm: { url: endpoint.url, key: CRM_KEY, tag: 'x' } });
    await world.visitor().register({ emailAddress: 'key@example.test', subtenantId: 3 });
    await world.app.outbox.settle();
    const visitor = world.visitor();
    const texts = [await world.dump(), JSON.stringify(await visitor.ok('getSettings', {}))];
    for (const text of texts) {
      expect(text).not.toContain(CRM_KEY);
      expect(text).not.toContain(endpoint.url);
    }
  });
});
