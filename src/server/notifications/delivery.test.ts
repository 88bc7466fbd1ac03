/** The drivers against real servers that refuse, hang, fail and heal. */

import { createHmac } from 'node:crypto';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import {
  type HttpReceiver,
  type MailReceiver,
  startHttpReceiver,
  startMailReceiver,
} from '../testing/receivers.ts';
import { createDeadLetters } from '../jobs/dead-letters.ts';
import { activation, createTestApp, signUpBody, type TestApp } from '../testing/test-app.ts';

const KEY = 'a webhook key of the tests';
const CRM_KEY = 'crm-key-canary';

let testApp: TestApp;
let endpoint: HttpReceiver;
let smtp: MailReceiver;
let crm: HttpReceiver;
beforeAll(async () => {
  [endpoint, smtp, crm] = await Promise.all([
    startHttpReceiver(),
    startMailReceiver(),
    startHttpReceiver(),
  ]);
  testApp = await createTestApp({
    smsWebhook: { url: endpoint.url, key: KEY },
    mail: {
      url: smtp.url,
      from: 'Porchlight <no-reply@example.test>',
      envelopeFrom: null,
      dkim: null,
    },
    crm: { url: crm.url, key: CRM_KEY, tag: 'spring trial' },
    // A provider that hangs is given up sooner; limits are other tests'.
    providerTimeoutMs: 2000,
    limitFactor: 50,
  });
});
afterAll(async () => {
  await testApp.close();
  for (const receiver of [endpoint, smtp, crm]) await receiver.close();
});
/** Everybody is well again, and the next test finds nothing that still waits. */
afterEach(async () => {
  for (const receiver of [endpoint, smtp, crm]) await receiver.setMood('ok');
  for (let n = 0; n < 3; n += 1) {
    testApp.clock.advance(60);
    await testApp.app.outbox.settle();
  }
  for (const list of [endpoint.received, crm.received, smtp.mails, smtp.tries]) list.length = 0;
});

/** The code as the mail has it. */
const codeFor = (email: string) => {
  const mail = smtp.mails.findLast((each) => each.includes(`\nTo: ${email}\n`)) ?? '';
  return /^Subject: (\d{6})/m.exec(mail)?.[1] ?? '';
};

/** Signs up in the academy and activates: a lead. */
async function activated(emailAddress: string, subtenantId = 3) {
  const { visitor, created, sent } = await waiting(emailAddress, subtenantId);
  if (!created) throw new Error(emailAddress);
  const otpId = sent.data?.id ?? '';
  await visitor.verify(otpId, created.userId, codeFor(emailAddress));
  await visitor.ok('activateUser', { body: activation(created, otpId) });
  await testApp.app.outbox.settle();
  return created;
}

/** Signed up in the academy and waiting for a code. */
async function waiting(emailAddress: string, subtenantId = 3) {
  const visitor = testApp.visitor();
  const created = (await visitor.signUp({ emailAddress, subtenantId })).data;
  const sent = await visitor.sendCode(created?.userId ?? 0, 'USER_ACTIVATION');
  await testApp.app.outbox.settle();
  return { visitor, created, sent };
}

const jobsOf = (otpId = '') =>
  testApp.db
    .selectFrom('outbox')
    .select(['kind', 'last_error', 'done_at', 'dead_at'])
    .where('idempotency_key', '=', `otp:${otpId}:sms`)
    .execute();

describe('text messages', () => {
  test.each([500, 'drop'] as const)(
    'an endpoint that answers "%s" and heals has each message once, by its key',
    async (mode) => {
      // On a busy machine a second or two pass meanwhile, and each is a try more.
      testApp.clock.pin(testApp.clock.now());
      await endpoint.setMood(mode);
      const { sent } = await waiting(`sms-${mode}@example.test`);
      expect(sent.status).toBe(200);
      testApp.clock.advance(2);
      await testApp.app.outbox.settle();
      await endpoint.setMood('ok');
      testApp.clock.advance(4);
      await testApp.app.outbox.settle();
      testApp.clock.advance(60);
      await testApp.app.outbox.settle();

      const { received } = endpoint;
      expect(received).toHaveLength(3);
      expect(new Set(received.map(({ headers }) => headers['idempotency-key']))).toEqual(
        new Set([`otp:${sent.data?.id}:sms`]),
      );
      const { headers, body = '' } = received[2] ?? {};
      expect(JSON.parse(body)).toMatchObject({
        channel: 'sms',
        to: '+15550142290',
        text: expect.stringMatching(/^\d{6} is your/),
      });
      const texts = received.map((each) => (JSON.parse(each.body) as { text: string }).text);
      expect(new Set(texts).size).toBe(1);
      const signature = createHmac('sha256', KEY)
        .update(`${String(headers?.['x-porchlight-timestamp'])}.${body}`)
        .digest('hex');
      expect(headers?.['x-porchlight-signature']).toBe(`sha256=${signature}`);
    },
  );

  test('[R41] a code is never delivered after it has ended', async () => {
    await endpoint.setMood(500);
    const { sent } = await waiting('late@example.test');
    expect(endpoint.received).toHaveLength(1);
    await endpoint.setMood('ok');
    testApp.clock.advance(121);
    await testApp.app.outbox.settle();
    expect(endpoint.received).toHaveLength(1);
    expect(await jobsOf(sent.data?.id)).toMatchObject([{ last_error: 'expired' }]);
  });

  test('an endpoint that hangs holds up nobody', { tags: 'long' }, async () => {
    await endpoint.setMood('hang');
    const visitor = testApp.visitor();
    const created = (await visitor.signUp({ emailAddress: 'hang@example.test' })).data;
    const sent = await visitor.sendCode(created?.userId ?? 0, 'USER_ACTIVATION');
    expect(sent.status).toBe(200);
    // The mail went the other way and is there; the worker gives up on the message in time.
    await testApp.app.outbox.settle();
    expect(codeFor('hang@example.test')).toMatch(/^\d{6}$/);
    expect(await jobsOf(sent.data?.id)).toMatchObject([
      { done_at: null, last_error: expect.stringMatching(/timeout/i) },
    ]);
  });
});

describe('mail', () => {
  test('a server that refuses and heals has each mail once, by its Message-ID', async () => {
    await smtp.setMood(451);
    await waiting('mail@example.test');
    await smtp.setMood('ok');
    testApp.clock.advance(2);
    await testApp.app.outbox.settle();
    testApp.clock.advance(60);
    await testApp.app.outbox.settle();
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
    const visitor = testApp.visitor();
    for (const emailAddress of [
      'a@x.test\r\nBcc: b@x.test',
      'a@x.test, b@x.test',
      'a@x.test> b@x.test',
      'Eve <a@x.test>, Bob <b@x.test>',
      '"a b"@x.test',
    ]) {
      expect((await visitor.signUp({ emailAddress })).status).toBe(400);
    }
    const emailAddress = 'names@example.test';
    const lines = 'Eve\r\nBcc: thief@example.test';
    expect((await visitor.signUp({ emailAddress, firstName: lines })).status).toBe(400);
    const firstName = 'Eve <script>alert(1)</script>';
    // From elsewhere: the first network has tried so often that it is asked for a proof of work.
    const other = testApp.visitor();
    const created = (await other.signUp({ emailAddress, firstName })).data;
    await other.sendCode(created?.userId ?? 0, 'USER_ACTIVATION', 3);
    await testApp.app.outbox.settle();
    const mail = smtp.mails.at(-1) ?? '';
    expect(mail.split('\n\n')[0]).not.toMatch(/^Bcc/im);
    // Quoted-printable breaks its lines anywhere.
    const [, html = ''] = mail.replace(/=\r?\n/g, '').split('Content-Type: text/html');
    expect(html).toContain('Hello Eve');
    expect(html).not.toContain('<script');
  });
});

describe('[API-03] leads', () => {
  test('a CRM that is down delays nobody, loses nothing, and sees one key', async () => {
    await crm.setMood(500);
    const { userId } = await activated('lead@example.test');
    for (let n = 0; n < 5; n += 1) {
      testApp.clock.advance(60 * 60);
      await testApp.app.outbox.settle();
    }
    await crm.setMood('ok');
    testApp.clock.advance(60 * 60);
    await testApp.app.outbox.settle();
    testApp.clock.advance(60 * 60);
    await testApp.app.outbox.settle();
    const { received } = crm;
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

  test(
    'one each: an academy sign-up, a free trial, and a role added to an account',
    { tags: 'long' },
    async () => {
      const leadsOf = (email: string) =>
        crm.received.filter((each) => contactOf(each).email === email);

      // An academy sign-up by its own call, activated twice.
      const academy = testApp.visitor();
      const body = signUpBody({ emailAddress: 'academy-lead@example.test', subtenantId: 3 });
      const created = await academy.ok('createAcademyUser', { body });
      const sent = await academy.sendCode(created.userId, 'USER_ACTIVATION');
      const otpId = sent.data?.id ?? '';
      await testApp.app.outbox.settle();
      expect(crm.received).toEqual([]);
      await academy.verify(otpId, created.userId, codeFor('academy-lead@example.test'));
      const activate = { body: activation(created, otpId) };
      await Promise.all([
        academy.ok('activateUser', activate),
        academy.ok('activateUser', activate),
      ]);
      await academy.ok('activateUser', activate);

      // The free trial: the same with the first call.
      await activated('trial@example.test');

      // A visitor of another subtenant gets the academy role, by a form that is sent twice.
      await activated('mapped@example.test', 742);
      expect(leadsOf('mapped@example.test')).toEqual([]);
      const again = testApp.visitor();
      const input = { emailAddress: 'mapped@example.test', subtenantId: 3 };
      const answers = [await again.signUp(input), await again.signUp(input)];
      expect(answers.map(({ data }) => data?.userActivationMode)).toEqual([
        'ROLE_MAPPED',
        'ROLE_MAPPED',
      ]);
      await testApp.app.outbox.settle();
      for (const email of ['academy-lead', 'trial', 'mapped']) {
        expect([email, leadsOf(`${email}@example.test`).length]).toEqual([email, 1]);
      }
      expect(crm.received).toHaveLength(3);
    },
  );

  for (const status of [400, 401, 404, 422, 302]) {
    const tags = status === 400 ? [] : ['long'];
    test(`${status} is a dead letter at once, and an alert`, { tags }, async () => {
      await crm.setMood(status);
      await activated(`dead-${status}@example.test`);
      testApp.clock.advance(60 * 60);
      await testApp.app.outbox.settle();
      expect(crm.received).toHaveLength(1);
      const letters = createDeadLetters(testApp);
      const [letter, ...more] = await letters.list();
      expect([letter, ...more]).toMatchObject([
        { kind: 'lead', attempts: 1, reason: `The lead endpoint answered ${status}` },
      ]);
      const alerts = await testApp.db
        .selectFrom('audit_events')
        .select('details')
        .where('kind', '=', 'outbox.dead')
        .orderBy('id')
        .execute();
      expect(alerts.at(-1)).toMatchObject({ details: { kind: 'lead', id: letter?.id } });
      // Mended, and sent after all.
      await crm.setMood('ok');
      expect(await letters.retry('all')).toBe(1);
      await testApp.app.outbox.settle();
      expect(crm.received).toHaveLength(2);
      expect(new Set(crm.received.map(({ headers }) => headers['idempotency-key'])).size).toBe(1);
      expect(await letters.list()).toEqual([]);
    });
  }

  test('[D4] the key is in no answer and in no table', { tags: 'long' }, async () => {
    await activated('key@example.test');
    const visitor = testApp.visitor();
    const texts = [await testApp.dump(), JSON.stringify(await visitor.ok('getSettings', {}))];
    for (const text of texts) {
      expect(text).not.toContain(CRM_KEY);
      expect(text).not.toContain(crm.url);
    }
  });
});
