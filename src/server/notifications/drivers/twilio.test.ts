import { createHmac } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { TransientError, PermanentError } from '../../jobs/errors.ts';
import { type HttpReceiver, startHttpReceiver } from '../../testing/receivers.ts';
import type { Message } from '../compose-message.ts';
import { createTwilioDriver, twilioReport, twilioSignature } from './twilio.ts';

const SID = `AC${'1'.repeat(32)}`;
const TOKEN = 'the token of the account';
let receiver: HttpReceiver;
beforeEach(async () => {
  receiver = await startHttpReceiver();
});
afterEach(() => receiver.close());

const config = (more = {}) => ({
  apiUrl: receiver.url,
  accountSid: SID,
  authToken: TOKEN,
  from: '+15550100199',
  whatsAppFrom: '+15550100200',
  whatsAppContentSid: null,
  ...more,
});
const message = (more: Partial<Message> = {}): Message => ({
  channel: 'sms',
  to: '+15550142290',
  subject: '',
  text: '123456 is your code.\n\n@login.example.org #123456',
  html: null,
  code: null,
  link: null,
  ...more,
});
async function send(
  more: Partial<Message> = {},
  settings = {},
  validForMs: number | null = 119_500,
) {
  receiver.answer(() => ({ sid: 'SM1', status: 'queued' }));
  const driver = createTwilioDriver(config(settings), {
    deliveryReportsUrl: 'https://login.example.org/r',
    timeoutMs: 5000,
  });
  const accepted = await driver.send({
    message: message(more),
    id: 'the-id',
    idempotencyKey: 'k',
    validForMs,
  });
  const [request] = receiver.received;
  return { accepted, request, form: Object.fromEntries(new URLSearchParams(request?.body)) };
}

describe('a text', () => {
  test('goes to Messages.json as a form, with the key of the account, the time it is good for and where to report', async () => {
    const { accepted, request, form } = await send();
    expect(accepted).toEqual({ providerId: 'SM1' });
    expect(request?.path).toBe(`/2010-04-01/Accounts/${SID}/Messages.json`);
    expect(request?.headers).toMatchObject({
      authorization: `Basic ${Buffer.from(`${SID}:${TOKEN}`).toString('base64')}`,
      'content-type': 'application/x-www-form-urlencoded',
    });
    expect(form).toEqual({
      To: '+15550142290',
      From: '+15550100199',
      Body: '123456 is your code.\n\n@login.example.org #123456',
      ValidityPeriod: '119',
      StatusCallback: 'https://login.example.org/r?message=the-id',
    });
  });

  test('by a messaging service, which has no number of its own', async () => {
    const service = `MG${'2'.repeat(32)}`;
    const { form } = await send({}, { from: service }, null);
    expect(form).toMatchObject({ MessagingServiceSid: service });
    expect(form).not.toHaveProperty('From');
    expect(form).not.toHaveProperty('ValidityPeriod');
  });

  test.each([
    [300, '1'],
    [999_999_999, '36000'],
  ])('%s ms of validity are told within the bounds of Twilio', async (validForMs, seconds) => {
    expect((await send({}, {}, validForMs)).form.ValidityPeriod).toBe(seconds);
  });
});

describe('[OTP-12] WhatsApp', () => {
  test('both ends are named as WhatsApp numbers', async () => {
    const { form } = await send({ channel: 'whatsapp' });
    expect(form).toMatchObject({ To: 'whatsapp:+15550142290', From: 'whatsapp:+15550100200' });
  });

  test('a code goes as the approved template', async () => {
    const whatsAppContentSid = `HX${'3'.repeat(32)}`;
    const { form } = await send({ channel: 'whatsapp' }, { whatsAppContentSid });
    expect(form).toMatchObject({
      ContentSid: whatsAppContentSid,
      ContentVariables: '{"1":"123456"}',
    });
    expect(form).not.toHaveProperty('Body');
  });

  test('without a sender nothing goes out', async () => {
    await expect(send({ channel: 'whatsapp' }, { whatsAppFrom: null })).rejects.toMatchObject({
      reason: 'unavailable',
    });
    expect(receiver.received).toEqual([]);
  });
});

describe('an answer of Twilio', () => {
  const answered = async (status: number, body: unknown) => {
    await receiver.setMood(status);
    receiver.answer(() => body);
    const driver = createTwilioDriver(config(), { deliveryReportsUrl: null, timeoutMs: 5000 });
    return driver
      .send({ message: message(), id: 'x', idempotencyKey: 'k', validForMs: null })
      .catch((error: unknown) => error);
  };

  test.each([
    [400, 21211, 'invalid'],
    [400, 21614, 'invalid'],
    [400, 21610, 'blocked'],
    [400, 21408, 'notAllowed'],
    [400, 21612, 'unreachable'],
    [400, 99999, 'unavailable'],
    [404, 20404, 'unavailable'],
  ])('%s with error %s is for good: %s', async (status, code, reason) => {
    const error = await answered(status, { code, message: 'to +15550142290' });
    expect(error).toBeInstanceOf(PermanentError);
    expect(error).toMatchObject({ reason });
    // Whom it was for stays out of logs.
    expect((error as Error).message).toBe(`Twilio answered ${status}, error ${code}`);
  });

  test.each([
    [429, { code: 20429 }],
    [401, { code: 20003 }],
    [403, {}],
    [408, {}],
    [500, { code: 20500 }],
    [503, 'busy'],
    [200, 'no json of Twilio'],
    [201, { status: 'queued' }],
  ])('%s %j is worth another try', async (status, body) => {
    expect(await answered(status, body)).toBeInstanceOf(TransientError);
  });

  test('a redirect is not followed: the key would go along', async () => {
    expect(await answered(307, {})).toBeInstanceOf(PermanentError);
    expect(receiver.received).toHaveLength(1);
  });
});

describe('the signature of a callback', () => {
  test('covers the address and every field, sorted, a repeated one once', () => {
    const url = 'https://login.example.org/r?message=1';
    const form = new URLSearchParams('b=2&a=1&c=y&c=x&c=x');
    const expected = createHmac('sha1', TOKEN).update(`${url}a1b2cxcy`).digest('base64');
    expect(twilioSignature(TOKEN, url, form)).toBe(expected);
  });
});

describe('what a callback says', () => {
  test.each([
    ['MessageStatus=queued', null],
    ['MessageStatus=sending', null],
    ['MessageStatus=sent', { state: 'sent', reason: null }],
    ['MessageStatus=delivered', { state: 'delivered', reason: null }],
    ['MessageStatus=read', { state: 'delivered', reason: null }],
    ['SmsStatus=delivered', { state: 'delivered', reason: null }],
    ['MessageStatus=undelivered&ErrorCode=30003', { state: 'failed', reason: 'unreachable' }],
    ['MessageStatus=undelivered&ErrorCode=30005', { state: 'failed', reason: 'invalid' }],
    ['MessageStatus=undelivered&ErrorCode=30007', { state: 'failed', reason: 'blocked' }],
    ['MessageStatus=failed&ErrorCode=30036', { state: 'failed', reason: 'expired' }],
    ['MessageStatus=failed', { state: 'failed', reason: 'unreachable' }],
  ])('%s', (form, news) => {
    expect(twilioReport(new URLSearchParams(form))).toEqual(news);
  });
});
