/** What providers report, who may report it, and what the visitor who waits is told. */

import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { startHttpReceiver, startMailReceiver } from '../testing/receivers.ts';
import type { Config } from '../config/config.ts';
import { createAudit } from '../audit/audit.ts';
import { createSecretBox } from '../crypto/secret-box.ts';
import { createTestApp, SECRET, type TestApp } from '../testing/test-app.ts';
import { createDeliveryReports } from './delivery-reports.ts';
import { twilioSignature } from './drivers/twilio.ts';
import { webhookSignature } from './drivers/webhook.ts';

const TOKEN = 'the token of the account';
const KEY = 'the key of the receipts';
const PATH = '/api/Messaging/Receipts';

let testApp: TestApp;

async function open(more: Partial<Config> = {}): Promise<TestApp> {
  return createTestApp({
    deliveryReportsKey: KEY,
    mail: { url: mail.url, from: 'a@example.test', envelopeFrom: null, dkim: null },
    twilio: {
      apiUrl: twilio.url,
      accountSid: `AC${'0'.repeat(32)}`,
      authToken: TOKEN,
      from: '+15550100199',
      whatsAppFrom: null,
      whatsAppContentSid: null,
      deliveryReportsUrl: 'https://login.example.org/never-called',
    },
    // People are many here; limits are other tests'.
    limitFactor: 50,
    ...more,
  });
}

const twilio = await startHttpReceiver();
const mail = await startMailReceiver();
beforeAll(async () => {
  testApp = await open();
});
afterAll(async () => {
  await testApp.close();
  await twilio.close();
  await mail.close();
});
afterEach(async () => {
  mail.refuseRecipients(null);
  twilio.answer(() => ({ sid: nextSid() }));
  await twilio.setMood('ok');
});

/** With a test app of its own. */
async function inWorld(more: Partial<Config>, act: () => Promise<void>): Promise<void> {
  const usual = testApp;
  testApp = await open(more);
  try {
    await act();
  } finally {
    await testApp.close();
    testApp = usual;
  }
}

let sids = 0;
const nextSid = () => `SM${(sids += 1)}`;

let people = 0;
/** Waits for a code by mail and text. */
async function waiting() {
  people += 1;
  const sid = nextSid();
  twilio.answer(() => ({ sid }));
  const emailAddress = `rosa-${people}@example.test`;
  const visitor = testApp.visitor();
  const created = (await visitor.signUp({ emailAddress })).data;
  const userId = created?.userId ?? 0;
  const sent = (await visitor.sendCode(userId, 'USER_ACTIVATION')).data;
  await testApp.app.outbox.settle();
  const messages = await messagesOf(sent?.id);
  const [email, sms] = messages;
  const delivery = async () => {
    const { delivery: data } = await visitor.ok('getVisit', {});
    const told = data?.messages.map(({ channel, state, reason }) => [channel, state, reason]);
    return { data, told };
  };
  return {
    visitor,
    userId,
    sid,
    emailAddress,
    sent,
    emailId: email?.id ?? '',
    smsId: sms?.id ?? '',
    delivery,
  };
}

const messagesOf = (otpId = '') =>
  testApp.db
    .selectFrom('messages')
    .selectAll()
    .where('otp_id', '=', otpId)
    .orderBy('channel')
    .execute();
const jobsOf = (otpId = '') =>
  testApp.db
    .selectFrom('outbox')
    .select(['idempotency_key', 'payload', 'attempts', 'last_error', 'dead_at'])
    .where('idempotency_key', 'like', `otp:${otpId}:%`)
    .where('dead_at', 'is not', null)
    .execute();

type Given = { readonly token?: string; readonly url?: string };

function reportTwilio(
  id: string,
  form: string,
  { token = TOKEN, url, sid = 'SM-none' }: Given & { readonly sid?: string } = {},
) {
  const path = `${PATH}/Twilio?message=${id}`;
  const body = `MessageSid=${sid}&To=%2B15550142290&${form}`;
  return fetch(new URL(path, testApp.url), {
    method: 'POST',
    body,
    headers: {
      'content-type': 'application/x-www-form-urlencoded',
      'x-twilio-signature': twilioSignature(
        token,
        url ?? `${testApp.url}${path}`,
        new URLSearchParams(body),
      ),
    },
  });
}

const codeOf = (emailAddress: string) => {
  const found = mail.mails.findLast((each) => each.includes(`\nTo: ${emailAddress}\n`)) ?? '';
  return /^Subject: (\d{6})/m.exec(found)?.[1] ?? '';
};

/** What Twilio took of a message. */
const takenOf = (id: string) =>
  twilio.received.filter(({ isTaken, body }) => isTaken && body.includes(id));

const seconds = () => String(Math.floor(testApp.clock.now().getTime() / 1000));

function report(body: object, given: { key?: string; timestamp?: string } = {}) {
  const text = JSON.stringify(body);
  const timestamp = given.timestamp ?? seconds();
  return fetch(new URL(PATH, testApp.url), {
    method: 'POST',
    body: text,
    headers: {
      'content-type': 'application/json',
      'x-porchlight-timestamp': timestamp,
      'x-porchlight-signature': webhookSignature(given.key ?? KEY, timestamp, text),
    },
  });
}

describe('Twilio reports', () => {
  test('sent, then delivered: the visitor who waits sees it, nobody else does', async () => {
    const { smsId, delivery } = await waiting();
    expect((await delivery()).told).toEqual([
      ['email', 'sent', null],
      ['sms', 'sent', null],
    ]);
    expect((await delivery()).data?.messages[1]).toMatchObject({ waitsForReceipt: true });
    testApp.clock.advance(7);
    expect((await reportTwilio(smsId, 'MessageStatus=delivered')).status).toBe(204);
    testApp.clock.advance(5);
    const { data, told } = await delivery();
    expect(told?.[1]).toEqual(['sms', 'delivered', null]);
    expect(data?.messages[1]).toMatchObject({ waitsForReceipt: false });
    const ago = data?.messages[1]?.agoMs ?? 0;
    expect(ago).toBeGreaterThanOrEqual(5000);
    expect(ago).toBeLessThan(7000);
    const stranger = testApp.visitor();
    expect((await stranger.ok('getVisit', {})).delivery).toBeNull();
  });

  test('again, late and out of order: what has arrived stays arrived', async () => {
    const { smsId, delivery } = await waiting();
    await reportTwilio(smsId, 'MessageStatus=delivered');
    const row = () =>
      testApp.db.selectFrom('messages').selectAll().where('id', '=', smsId).executeTakeFirst();
    const first = await row();
    testApp.clock.advance(10);
    for (const form of [
      'MessageStatus=delivered',
      'MessageStatus=sent',
      'MessageStatus=queued',
      'MessageStatus=undelivered&ErrorCode=30003',
    ]) {
      expect((await reportTwilio(smsId, form)).status).toBe(204);
    }
    expect(await row()).toEqual(first);
    expect((await delivery()).told?.[1]).toEqual(['sms', 'delivered', null]);
  });

  test('faster than the answer to our request: what has arrived is not called sent again', async () => {
    twilio.watch(async (stage) => {
      if (stage !== 'whole') return;
      const form = new URLSearchParams(twilio.received.at(-1)?.body);
      const [, id = ''] = /message=(.*)$/.exec(form.get('StatusCallback') ?? '') ?? [];
      await reportTwilio(id, 'MessageStatus=delivered');
    });
    const { delivery } = await waiting();
    twilio.watch(() => undefined);
    expect((await delivery()).told?.[1]).toEqual(['sms', 'delivered', null]);
  });

  test('not delivered, and by a later try delivered after all', async () => {
    const { smsId, delivery } = await waiting();
    await reportTwilio(smsId, 'MessageStatus=undelivered&ErrorCode=30005');
    const { data, told } = await delivery();
    expect(told?.[1]).toEqual(['sms', 'failed', 'invalid']);
    // The mail is on its way: no new code before the time is up, and then by mail alone.
    expect(data).toMatchObject({ canAskNow: false, otherWays: [3] });
    await reportTwilio(smsId, 'MessageStatus=delivered');
    expect((await delivery()).told?.[1]).toEqual(['sms', 'delivered', null]);
  });

  test.each<[string, (id: string) => Promise<Response>]>([
    ['another key', (id) => reportTwilio(id, 'MessageStatus=delivered', { token: 'x' })],
    [
      'another address',
      (id) =>
        reportTwilio(id, 'MessageStatus=delivered', {
          url: `https://evil.example${PATH}/Twilio?message=${id}`,
        }),
    ],
    [
      'no signature',
      (id) =>
        fetch(new URL(`${PATH}/Twilio?message=${id}`, testApp.url), {
          method: 'POST',
          body: 'MessageStatus=delivered',
          headers: { 'content-type': 'application/x-www-form-urlencoded' },
        }),
    ],
  ])('%s: refused, and nothing changes', async (_, forge) => {
    const { smsId, delivery } = await waiting();
    expect((await forge(smsId)).status).toBe(403);
    expect((await delivery()).told?.[1]).toEqual(['sms', 'sent', null]);
  });

  test('about a message that is not ours: taken and forgotten', async () => {
    const { delivery, sid } = await waiting();
    for (const id of ['', 'x', 'x or 1=1', '00000000-0000-4000-8000-000000000000']) {
      const answer = await reportTwilio(encodeURIComponent(id), 'MessageStatus=failed', { sid });
      expect([id, answer.status]).toEqual([id, 204]);
    }
    // Without our id, Twilio's own finds it; it is kept as a keyed hash.
    expect((await delivery()).told?.[1]?.[1]).toBe('failed');
    expect(await testApp.dump()).not.toContain(`"${sid}"`);
  });

  test('the door is shut where there is no Twilio', async () => {
    await inWorld({ twilio: null, deliveryReportsKey: null }, async () => {
      const id = '00000000-0000-4000-8000-000000000000';
      expect((await reportTwilio(id, 'MessageStatus=sent')).status).toBe(404);
      expect((await report({ id, state: 'sent' })).status).toBe(404);
    });
  });
});

describe('[R55] after the secret was changed', () => {
  const NEW = 'the second secret of the tests, long enough';
  /** A receipt that names only Twilio's own id, taken in by a server with these secrets. */
  const take = (sid: string, secret: string, previous: readonly string[]) => {
    const { db, clock } = testApp;
    const secretBox = createSecretBox(secret, previous);
    const { take: takeIn } = createDeliveryReports({
      db,
      clock,
      secretBox,
      audit: createAudit({ db, clock }),
    });
    return takeIn({ messageId: null, providerId: sid, state: 'delivered', reason: null });
  };

  test('messages of before are found as long as the old one is still read', async () => {
    const { sid, delivery } = await waiting();
    await take(sid, NEW, []);
    expect((await delivery()).told?.[1]).toEqual(['sms', 'sent', null]);
    await take(sid, NEW, ['another secret, from before that one', SECRET]);
    expect((await delivery()).told?.[1]).toEqual(['sms', 'delivered', null]);
  });
});

const failuresOf = (userId: number) =>
  testApp.db
    .selectFrom('audit_events')
    .select(['actor', 'reason'])
    .where('user_id', '=', userId)
    .where('kind', '=', 'message.failed')
    .where('visit_id', 'is not', null)
    .execute();

describe('signed receipts', () => {
  test('[CON-31] a mail that came back later says so, and its event names person and visit', async () => {
    const { emailId, delivery, userId } = await waiting();
    const sent = await report({ id: emailId, state: 'failed', reason: 'suppressed' });
    expect(sent.status).toBe(204);
    expect((await delivery()).told?.[0]).toEqual(['email', 'failed', 'suppressed']);
    expect(await failuresOf(userId)).toEqual([{ actor: 'provider', reason: 'suppressed' }]);
  });

  test('an old one cannot be played again, one from the future neither', async () => {
    const { emailId, delivery } = await waiting();
    const old = String(Number(seconds()) - 301);
    // Its five minutes and more: seconds go by before it is judged.
    const early = String(Number(seconds()) + 360);
    const body = { id: emailId, state: 'failed' };
    for (const timestamp of [old, early, '', 'soon', 'NaN']) {
      expect([timestamp, (await report(body, { timestamp })).status]).toEqual([timestamp, 403]);
    }
    expect((await report(body, { key: 'another key of the tests' })).status).toBe(403);
    expect((await delivery()).told?.[0]).toEqual(['email', 'sent', null]);
    expect((await report(body, { timestamp: String(Number(seconds()) - 290) })).status).toBe(204);
  });

  test.each([[{}], [[]], ['text'], [{ id: 1, state: 'sent' }], [{ id: 'x', state: 'queued' }]])(
    '%j is unreadable',
    async (body) => {
      expect((await report(body as object)).status).toBe(400);
    },
  );
});

describe('[R17] a code by mail and text', () => {
  test('[CON-31] the server of the mail refuses the address: the text counts, the visitor is told', async () => {
    mail.refuseRecipients({ code: 550, text: '5.1.1 no such user rosa@example.test' });
    const { delivery, visitor, sent, userId } = await waiting();
    const { data, told } = await delivery();
    expect(told).toEqual([
      ['email', 'failed', 'invalid'],
      ['sms', 'sent', null],
    ]);
    expect(data).toMatchObject({ canAskNow: false, otherWays: [1] });
    const early = await visitor.call('resendOtp', {
      body: {
        id: sent?.id ?? '',
        createdBy: userId,
        otpSendMedium: 1,
        otpType: 'USER_ACTIVATION',
      },
    });
    expect(early.errorFlag).toBe('TOO_SOON');
    // Dead at once, not tried again, and the operator can see it.
    testApp.clock.advance(60);
    await testApp.app.outbox.settle();
    const dead = await jobsOf(sent?.id);
    expect(dead).toMatchObject([{ attempts: 1, last_error: 'The mail server answered 550 5.1.1' }]);
    expect(await failuresOf(userId)).toEqual([{ actor: 'server', reason: 'invalid' }]);
  });

  test('both refuse: a new code may be asked for at once, within the same limits', () =>
    inWorld({ limitFactor: 1 }, async () => {
      mail.refuseRecipients({ code: 550, text: '5.1.1 no' });
      await twilio.setMood(400);
      twilio.answer(() => ({ code: 21211 }));
      const { delivery, visitor, sent, userId } = await waiting();
      twilio.answer(() => ({ code: 21211 }));
      const { data } = await delivery();
      expect(data).toMatchObject({ canAskNow: true, otherWays: [] });
      const again = () =>
        visitor.call('resendOtp', {
          body: {
            id: sent?.id ?? '',
            createdBy: userId,
            otpSendMedium: 4,
            otpType: 'USER_ACTIVATION',
          },
        });
      for (let n = 1; n <= 5; n += 1) {
        expect([n, (await again()).status]).toEqual([n, 200]);
        await testApp.app.outbox.settle();
      }
      expect((await again()).errorFlag).toBe('TOO_MANY');
    }));

  test('a code that was replaced, used or is over is not sent any more', async () => {
    await twilio.setMood(503);
    const { visitor, userId, sent } = await waiting();
    const code = /^Subject: (\d{6})/m.exec(mail.mails.at(-1) ?? '')?.[1] ?? '';
    const tries = twilio.received.length;
    await visitor.verify(sent?.id ?? '', userId, code);
    await twilio.setMood('ok');
    testApp.clock.advance(30);
    await testApp.app.outbox.settle();
    expect(twilio.received).toHaveLength(tries);
    const [, row] = await messagesOf(sent?.id);
    expect(row).toMatchObject({ state: 'failed', reason: 'expired' });
  });

  test('a code that was replaced is not sent any more', async () => {
    await twilio.setMood(503);
    const { visitor, userId, sent, smsId, emailAddress } = await waiting();
    const code = codeOf(emailAddress);
    // Five wrong ones: it is dead, and there may be a new one at once.
    const wrong = (Number(code) + 1) % 1_000_000;
    for (let n = 0; n < 5; n += 1) await visitor.verify(sent?.id ?? '', userId, wrong);
    const again = await visitor.sendCode(userId, 'USER_ACTIVATION');
    expect(again.data?.id).not.toBe(sent?.id);
    await testApp.app.outbox.settle();
    await twilio.setMood('ok');
    testApp.clock.advance(15);
    await testApp.app.outbox.settle();
    expect(takenOf(smsId)).toEqual([]);
    const [, replaced] = await messagesOf(sent?.id);
    expect(replaced).toMatchObject({ state: 'failed', reason: 'expired' });
    const [, present] = await messagesOf(again.data?.id);
    expect(present).toMatchObject({ state: 'sent' });
  });

  test('what has arrived stays arrived, also when the job never heard of it and was given up', async () => {
    twilio.watch(async (stage) => {
      if (stage !== 'whole') return;
      const form = new URLSearchParams(twilio.received.at(-1)?.body);
      const [, id = ''] = /message=(.*)$/.exec(form.get('StatusCallback') ?? '') ?? [];
      await reportTwilio(id, 'MessageStatus=delivered');
    });
    await twilio.setMood('drop');
    const { sent } = await waiting();
    twilio.watch(() => undefined);
    testApp.clock.advance(121);
    await testApp.app.outbox.settle();
    expect(await jobsOf(sent?.id)).toMatchObject([{ last_error: 'expired' }]);
    const [, sms] = await messagesOf(sent?.id);
    expect(sms).toMatchObject({ state: 'delivered', reason: null });
  });

  test('a code that was given more time is sent until its present end, and never after it', async () => {
    await twilio.setMood(503);
    const { visitor, userId, sent, smsId } = await waiting();
    const moreTime = { body: { id: sent?.id ?? '', createdBy: userId } };
    testApp.clock.advance(100);
    await visitor.ok('extendOtp', moreTime);
    // A try that is under way while the clock moves would be taken for one that was lost.
    await testApp.app.outbox.settle();
    await twilio.setMood('ok');
    // The first end is over, the present one is not.
    testApp.clock.advance(60);
    await testApp.app.outbox.settle();
    expect(takenOf(smsId)).toHaveLength(1);
    expect(await messagesOf(sent?.id)).toMatchObject([{}, { channel: 'sms', state: 'sent' }]);
  });

  test('more time that is over as well: nothing is sent, and nothing is kept', async () => {
    await twilio.setMood(503);
    const { visitor, userId, sent, smsId } = await waiting();
    testApp.clock.advance(100);
    await visitor.ok('extendOtp', { body: { id: sent?.id ?? '', createdBy: userId } });
    await testApp.app.outbox.settle();
    await twilio.setMood('ok');
    testApp.clock.advance(141);
    await testApp.app.outbox.settle();
    expect(takenOf(smsId)).toEqual([]);
    const [over, ...others] = await jobsOf(sent?.id);
    expect([over?.payload, over?.last_error, others]).toEqual([{}, 'expired', []]);
  });

  test('the provider is told how long the code is good for, also when it was given more time', async () => {
    await twilio.setMood(503);
    const { visitor, userId, sent } = await waiting();
    testApp.clock.advance(60);
    await visitor.ok('extendOtp', { body: { id: sent?.id ?? '', createdBy: userId } });
    await twilio.setMood('ok');
    // The worker may have tried, and been refused, a moment ago.
    testApp.clock.advance(5);
    await testApp.app.outbox.settle();
    const form = new URLSearchParams(twilio.received.at(-1)?.body);
    const validity = Number(form.get('ValidityPeriod'));
    expect(validity).toBeGreaterThan(120);
    expect(validity).toBeLessThanOrEqual(175);
  });
});

describe('[D7] where sign-up never tells', () => {
  test('a mailbox that is none, and an address that is taken, look like any other', async () => {
    await inWorld({ enumerationProtection: 'strict' }, async () => {
      const tell = async (emailAddress: string) => {
        const visitor = testApp.visitor();
        const created = (await visitor.signUp({ emailAddress })).data;
        await visitor.sendCode(created?.userId ?? 0, 'USER_ACTIVATION');
        await testApp.app.outbox.settle();
        const { delivery: told } = await visitor.ok('getVisit', {});
        return {
          messages: told?.messages.map(({ channel, state, reason }) => [channel, state, reason]),
          otherWays: told?.otherWays,
          canAskNow: told?.canAskNow,
        };
      };
      const usual = await tell('usual@example.test');
      expect(usual).toMatchObject({ messages: [['email', 'sent', null]] });
      expect(await tell('member@demo.porchlight.test')).toEqual(usual);
      mail.refuseRecipients({ code: 550, text: '5.1.1 no' });
      expect(await tell('nobody@example.test')).toEqual(usual);
    });
  });
});

describe('what is kept of a message', () => {
  test('neither content nor address, and it goes with its code', async () => {
    const { sent } = await waiting();
    const rows = await messagesOf(sent?.id);
    expect(rows).toHaveLength(2);
    const text = JSON.stringify(rows);
    expect(text).not.toMatch(/rosa-|5550142290|"\d{6}"/);
    await testApp.db
      .deleteFrom('otp_codes')
      .where('id', '=', sent?.id ?? '')
      .execute();
    expect(await messagesOf(sent?.id)).toEqual([]);
  });
});
