/** Code by voice: who is called, what is said and when, and what toll fraud gets. */

import { afterAll, afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { Config } from '../config/config.ts';
import { DEMO_PASSWORD, demoEmail } from '../demo/seed.ts';
import { startHttpReceiver } from '../testing/receivers.ts';
import { createTestApp, type TestApp, type Visitor } from '../testing/test-app.ts';
import { twilioSignature } from './drivers/twilio.ts';
import { webhookSignature } from './drivers/webhook.ts';

const TOKEN = 'the token of the account';
const KEY = 'the key of the receipts';
const PATH = '/api/Messaging/Voice/Twilio';
const SECOND = 1000;

let testApp: TestApp;

const twilio = () => ({
  apiUrl: provider.url,
  accountSid: `AC${'0'.repeat(32)}`,
  authToken: TOKEN,
  from: '+15550100199',
  whatsAppFrom: null,
  whatsAppContentSid: null,
  deliveryReportsUrl: null,
});
const byTwilio = (url: string): Partial<Config> => ({
  twilio: twilio(),
  voice: { by: 'twilio', from: '+12025550100', callbackUrl: `${url}${PATH}` },
  voiceCountries: ['US'],
});

const provider = await startHttpReceiver();
afterAll(() => provider.close());
afterEach(() => testApp.close());

async function open(more: Partial<Config> | ((url: string) => Partial<Config>) = {}) {
  provider.received.length = 0;
  provider.answer(() => ({ sid: 'CA1' }));
  await provider.setMood('ok');
  testApp = await createTestApp(more);
}

/** Gives a demo account another number, or takes a proof away. */
async function change(name: string, set: object): Promise<void> {
  await testApp.db
    .updateTable('users')
    .set(set as never)
    .where('email', '=', demoEmail(name))
    .execute();
}

/** Signs in up to the code. */
async function atCode(name = 'member', visitor: Visitor = testApp.visitor()) {
  const { userId, otpId } = await visitor.reachCode(demoEmail(name), DEMO_PASSWORD);
  const call = async () => {
    const answer = await visitor.call('callOtp', { body: { id: otpId, createdBy: userId } });
    await testApp.app.outbox.settle();
    return answer;
  };
  const offer = async () => (await visitor.ok('getVisit', {})).delivery?.call ?? null;
  const enter = (otp: string) => visitor.verify(otpId, userId, otp);
  return { visitor, userId, otpId, call, offer, enter };
}

const callsOf = (otpId: string) =>
  testApp.db.selectFrom('messages').selectAll().where('called_otp_id', '=', otpId).execute();
const rings = () => provider.received.filter(({ path }) => path.endsWith('/Calls.json'));
const digitsIn = (text: string) => [...text.matchAll(/(?<!\d)\d(?!\d)/g)].map(([digit]) => digit);

describe('in a demo', () => {
  beforeEach(() => open());

  test('[VOI-03] nothing of the code is said before the key; then the digits of the text, twice', async () => {
    const { otpId, call, offer, enter } = await atCode();
    expect(await offer()).toEqual({ state: null, agoMs: 0, againMs: 0 });
    expect((await call()).succeeded).toBe(true);
    const [ring, text] = await testApp.inbox('5550100100');
    expect([ring?.channel, ring?.code, text?.channel]).toEqual(['voice', null, 'sms']);
    expect(ring?.text).toContain('This is Rosewood Senior Living.');
    expect(digitsIn(ring?.text ?? '').join('')).toBe('11');
    expect((await offer())?.state).toBe('calling');
    await fetch(new URL(ring?.press ?? '', testApp.url), { method: 'POST', redirect: 'manual' });
    const [said] = await testApp.inbox('5550100100');
    expect(said?.code).toBe(text?.code);
    expect(said?.text).toContain(`Your code is: ${[...(text?.code ?? '')].join(' ')} Once more:`);
    expect((await offer())?.state).toBe('said');
    expect((await enter(said?.code ?? '')).succeeded).toBe(true);
    const [row] = await callsOf(otpId);
    expect([row?.state, row?.destination]).toEqual(['delivered', '••• ••00']);
  });

  test('[VOI-04] a call gives 120 seconds more, ten minutes at most, and a double click rings once', async () => {
    const { otpId, call, visitor, userId } = await atCode();
    const [first, second] = await Promise.all([call(), call()]);
    for (const answer of [first, second]) {
      expect(answer?.data?.remainingMs).toBeGreaterThan(230 * SECOND);
      expect(answer?.data?.remainingMs).toBeLessThanOrEqual(240 * SECOND);
    }
    expect(await callsOf(otpId)).toHaveLength(1);
    const extend = () => visitor.call('extendOtp', { body: { id: otpId, createdBy: userId } });
    for (const _ of [1, 2, 3]) await extend();
    testApp.clock.advance(61);
    const again = await call();
    expect(again.data?.canExtend).toBe(false);
    expect(again.data?.remainingMs).toBeLessThanOrEqual((600 - 61) * SECOND);
    expect(await callsOf(otpId)).toHaveLength(2);
  });

  test('[VOI-07] a call that nobody answers is told as that, and another may be asked for', async () => {
    const { call, offer } = await atCode();
    await call();
    expect((await offer())?.againMs).toBeGreaterThan(55 * SECOND);
    testApp.clock.advance(121);
    expect(await offer()).toMatchObject({ state: 'noAnswer', againMs: 0 });
  });

  test('[VOI-03] a used, replaced or expired code is not said', async () => {
    const { call, otpId } = await atCode();
    await call();
    const [ring] = await testApp.inbox('5550100100');
    await testApp.db
      .updateTable('otp_codes')
      .set({ closed_at: testApp.clock.now() })
      .where('id', '=', otpId)
      .execute();
    await fetch(new URL(ring?.press ?? '', testApp.url), { method: 'POST', redirect: 'manual' });
    const [said] = await testApp.inbox('5550100100');
    expect(said?.code).toBeNull();
    expect(said?.text).toContain('This code no longer works.');
  });

  test('[VOI-02] never in a sign-up, and never before the mailbox is proven', async () => {
    const stranger = testApp.visitor();
    const created = (await stranger.signUp({ emailAddress: 'new@voice.test' })).data;
    const sent = (await stranger.sendCode(created?.userId ?? 0, 'USER_ACTIVATION')).data;
    expect((await stranger.ok('getVisit', {})).delivery?.call).toBeNull();
    const body = { id: sent?.id ?? '', createdBy: created?.userId ?? 0 };
    expect((await stranger.call('callOtp', { body })).status).toBe(403);

    await change('special', { email_proven_at: null });
    const { call, offer, otpId } = await atCode('special');
    expect(await offer()).toBeNull();
    expect((await call()).errorFlag).toBe('CALL_REFUSED');
    expect(await callsOf(otpId)).toEqual([]);
  });

  test('[VOI-02] never to a phone that codes are not sent to', async () => {
    await change('legal', { mail_codes_only: true });
    const { call, offer } = await atCode('legal');
    expect(await offer()).toBeNull();
    expect((await call()).errorFlag).toBe('CALL_REFUSED');
  });

  test('[VOI-02] another visit calls nobody, and no id from a browser names a phone', async () => {
    const { otpId, userId } = await atCode();
    const thief = testApp.visitor();
    await thief.givePassword(demoEmail('top'));
    for (const visitor of [testApp.visitor(), thief]) {
      const answer = await visitor.call('callOtp', { body: { id: otpId, createdBy: userId } });
      expect(answer.status).toBe(403);
    }
    const own = await atCode('top', thief);
    const body = { id: otpId, createdBy: own.userId };
    expect((await thief.call('callOtp', { body })).status).toBe(403);
    expect(await callsOf(otpId)).toEqual([]);
  });

  test('[VOI-01] a code by mail alone is said only where the phone gets no texts', async () => {
    const offered = async (mobile: string, dial_code = '+44') => {
      await change('intake', { dial_code, mobile });
      const visitor = testApp.visitor();
      await visitor.givePassword(demoEmail('intake'));
      const user = await visitor.ok('getLoginUser', { query: { emailId: demoEmail('intake') } });
      const sent = await visitor.sendCode(user?.userId ?? 0, 'TWOFACTORAUTHENTICATION', 3);
      const body = { id: sent.data?.id ?? '', createdBy: user?.userId ?? 0 };
      const offer = (await visitor.ok('getVisit', {})).delivery?.call;
      return { isOffered: offer !== null, body, visitor };
    };
    expect((await offered('7400123456')).isOffered).toBe(false);
    const { isOffered, body, visitor } = await offered('2079460000');
    expect(isOffered).toBe(true);
    expect((await visitor.call('callOtp', { body })).succeeded).toBe(true);
    const [ring] = await testApp.inbox('2079460000');
    await fetch(new URL(ring?.press ?? '', testApp.url), { method: 'POST', redirect: 'manual' });
    const [said] = await testApp.inbox('2079460000');
    const right = await visitor.verify(body.id, body.createdBy, said?.code ?? '');
    expect(right.succeeded).toBe(true);
  });
});

describe('toll fraud', () => {
  const regions = [
    ['premium', '+1', '9005551234'],
    ['toll-free', '+1', '8005551234'],
    ['Jamaica, which is +1 as well', '+1', '8765551234'],
    ['Canada, which is +1 as well', '+1', '4165550123'],
    ['a satellite', '+881', '612345678'],
    ['the United Kingdom', '+44', '2079460000'],
    ['no number of any region', '+1', '5550100100'],
  ] as const;
  test.each(regions)('[VOI-05] %s: no call', async (_, dial_code, mobile) => {
    await open(byTwilio);
    await change('member', { dial_code, mobile });
    const { call, offer, otpId } = await atCode();
    expect(await offer()).toBeNull();
    expect((await call()).errorFlag).toBe('CALL_REFUSED');
    expect(await callsOf(otpId)).toEqual([]);
    expect(rings()).toEqual([]);
  });

  const LIMITS = {
    codePerAccount: 1000,
    codePerAccountADay: 1000,
    codePerVisit: 1000,
    textPerNumber: 1000,
    textPerNumberADay: 1000,
    callPerNumber: 1000,
    callPerNumberADay: 1000,
    callPerRange: 1000,
    callPerAccountADay: 1000,
    callPerIp: 1000,
    callPerIpADay: 1000,
  };
  const within = (limits: Partial<Record<keyof typeof LIMITS, number>>) =>
    Object.fromEntries(
      Object.entries({ ...LIMITS, ...limits }).map(([name, max]) => [
        name,
        { max, windowMs: 24 * 3600 * SECOND },
      ]),
    );

  /** Calls again and again, each time in a visit of its own, with another number. */
  async function callMany(count: number, numberOf: (index: number) => string, ip?: string) {
    const flags: (string | null)[] = [];
    for (let index = 0; index < count; index += 1) {
      await change('member', { dial_code: '+1', mobile: numberOf(index) });
      const { call, enter } = await atCode('member', testApp.visitor(ip));
      flags.push((await call()).errorFlag);
      // Whoever earns from calls types the code as well: it gives no call back.
      await enter(await testApp.codeFor(demoEmail('member')));
    }
    return flags;
  }

  test.each([
    ['callPerNumber', () => '2025550143', undefined],
    ['callPerNumberADay', () => '2025550143', undefined],
    ['callPerRange', (index: number) => `202555010${index}`, undefined],
    ['callPerAccountADay', (index: number) => `2025${index}50100`, undefined],
    ['callPerIp', (index: number) => `2025${index}50100`, '10.9.9.9'],
    ['callPerIpADay', (index: number) => `2025${index}50100`, '10.9.9.9'],
  ] as const)('[VOI-06] %s holds, and used codes give nothing back', async (name, numberOf, ip) => {
    await open((url) => ({ ...byTwilio(url), limits: within({ [name]: 3 }) }));
    expect(await callMany(5, numberOf, ip)).toEqual([null, null, null, 'TOO_MANY', 'TOO_MANY']);
    expect(rings()).toHaveLength(3);
  });

  test('[VOI-06] the budget of a day holds against many numbers from many networks', async () => {
    await open((url) => ({ ...byTwilio(url), limits: within({}), voiceDailyLimit: 3 }));
    const flags = await callMany(5, (index) => `2025${index}50100`);
    expect(flags).toEqual([null, null, null, 'TOO_MANY', 'TOO_MANY']);
    const events = await testApp.db
      .selectFrom('audit_events')
      .select('kind')
      .where('kind', '=', 'calls.nearLimit')
      .execute();
    expect(events).toHaveLength(1);
  });

  test('[VOI-06] a counted call rings once at most, whatever the provider answers', async () => {
    await open(byTwilio);
    await change('member', { mobile: '2025550143' });
    await provider.setMood(503);
    const { call, offer, otpId } = await atCode();
    await call();
    testApp.clock.advance(30);
    await testApp.app.outbox.settle();
    expect(rings()).toHaveLength(1);
    expect((await offer())?.state).toBe('failed');
    expect((await callsOf(otpId))[0]).toMatchObject({ state: 'failed', reason: 'unavailable' });
  });
});

describe('Twilio asks what to say', () => {
  async function ringing() {
    await open(byTwilio);
    await change('member', { mobile: '2025550143' });
    const at = await atCode();
    await at.call();
    const [row] = await callsOf(at.otpId);
    return { ...at, id: row?.id ?? '' };
  }

  type Forged = { readonly token?: string; readonly sid?: string; readonly step?: string };
  async function ask(id: string, more: Record<string, string>, forged: Forged = {}) {
    const { token = TOKEN, sid = 'CA1', step } = forged;
    const path = `${PATH}?call=${id}${step ? `&step=${step}` : ''}`;
    const body = new URLSearchParams({ CallSid: sid, ...more });
    const response = await fetch(new URL(path, testApp.url), {
      method: 'POST',
      body,
      headers: {
        'content-type': 'application/x-www-form-urlencoded',
        'x-twilio-signature': twilioSignature(token, `${testApp.url}${path}`, body),
      },
    });
    return { status: response.status, text: await response.text() };
  }
  const press = (id: string, forged?: Forged) => ask(id, { Digits: '1' }, forged);

  test('[VOI-03] first the key, then the code, in what Twilio reads', async () => {
    const { id, enter } = await ringing();
    const [ring] = rings();
    const form = new URLSearchParams(ring?.body);
    expect(Object.fromEntries(form)).toEqual({
      To: '+12025550143',
      From: '+12025550100',
      Url: `${testApp.url}${PATH}?call=${id}`,
      StatusCallback: `${testApp.url}${PATH}?call=${id}&step=over`,
      Timeout: '30',
      TimeLimit: '120',
    });
    const first = await ask(id, {});
    expect(first.text).toContain('<Gather numDigits="1"');
    expect(digitsIn(first.text.replaceAll(/"[^"]*"/g, '')).join('')).toBe('11');
    // Another key hears the question again.
    expect((await ask(id, { Digits: '5' })).text).toBe(first.text);
    const { text } = await press(id);
    expect(text).not.toContain('<Gather');
    const said = [...text.matchAll(/<Say language="en-US">(\d)<\/Say>/g)].map(([, digit]) => digit);
    expect(said).toHaveLength(12);
    expect(said.slice(0, 6)).toEqual(said.slice(6));
    expect((await enter(said.slice(0, 6).join(''))).succeeded).toBe(true);
  });

  test('[VOI-08] the same callback that comes again hears nothing', async () => {
    const { id } = await ringing();
    expect((await press(id)).text).toContain('Your code is:');
    for (const again of [await press(id), await ask(id, {})]) {
      expect(again.text).toMatch(/<Response><Hangup\/><\/Response>$/);
    }
  });

  test.each<[string, Forged, number]>([
    ['a forged signature', { token: 'x' }, 403],
    ['the signature of another call', { sid: 'CA2' }, 200],
  ])('[VOI-08] %s hears nothing', async (_, forged, status) => {
    const { id, offer } = await ringing();
    const answer = await press(id, forged);
    expect(answer.status).toBe(status);
    expect(digitsIn(answer.text)).not.toHaveLength(12);
    expect(answer.text).not.toContain('Your code is:');
    expect((await offer())?.state).toBe('calling');
  });

  test.each([
    ['no-answer', 'noAnswer'],
    ['busy', 'noAnswer'],
    ['completed', 'noAnswer'],
    ['failed', 'failed'],
  ])('[VOI-07] %s without a key: %s', async (CallStatus, state) => {
    const { id, offer } = await ringing();
    expect((await ask(id, { CallStatus }, { step: 'over' })).status).toBe(204);
    expect((await offer())?.state).toBe(state);
  });

  test('[VOI-07] completed after the code was said stays said', async () => {
    const { id, offer } = await ringing();
    await press(id);
    await ask(id, { CallStatus: 'completed' }, { step: 'over' });
    expect((await offer())?.state).toBe('said');
  });
});

describe('a webhook asks what to say', () => {
  async function ringing() {
    await open({
      voice: { by: 'webhook', url: provider.url, key: 'the key of the webhook' },
      deliveryReportsKey: KEY,
      voiceCountries: ['US'],
    });
    await change('member', { mobile: '2025550143' });
    const at = await atCode();
    await at.call();
    const request = JSON.parse(provider.received.at(-1)?.body ?? '{}') as Record<string, string>;
    return { ...at, request };
  }

  async function press(id: string, { key = KEY, late = 0 } = {}) {
    const body = JSON.stringify({ id });
    const timestamp = String(Math.floor(testApp.clock.now().getTime() / 1000) - late);
    const response = await fetch(new URL('/api/Messaging/Voice', testApp.url), {
      method: 'POST',
      body,
      headers: {
        'content-type': 'application/json',
        'x-porchlight-timestamp': timestamp,
        'x-porchlight-signature': webhookSignature(key, timestamp, body),
      },
    });
    return { status: response.status, text: await response.text() };
  }

  test('[VOI-03] [VOI-08] it gets the code after the key, once, and only with a fresh signature', async () => {
    const { request, enter } = await ringing();
    const { id = '' } = request;
    expect(request).toMatchObject({ channel: 'voice', to: '+12025550143', key: '1' });
    expect(digitsIn(request.text ?? '').join('')).toBe('11');
    expect((await press(id, { key: 'x' })).status).toBe(403);
    expect((await press(id, { late: 301 })).status).toBe(403);
    const { text } = await press(id);
    const { say } = JSON.parse(text) as { say: readonly string[] };
    expect((await press(id)).status).toBe(409);
    expect((await enter(say.slice(1, 7).join(''))).succeeded).toBe(true);
  });
});
