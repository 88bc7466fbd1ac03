import { createHmac } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { TransientError, PermanentError } from '../../jobs/errors.ts';
import { type HttpReceiver, startHttpReceiver } from '../../testing/receivers.ts';
import { createTestClock } from '../../testing/test-clock.ts';
import { createWebhookDriver, webhookSignature } from './webhook.ts';

const KEY = 'the key of the webhook';
const AT = new Date('2026-11-21T16:30:00.900Z');

let receiver: HttpReceiver;
beforeEach(async () => {
  receiver = await startHttpReceiver();
});
afterEach(() => receiver.close());

async function send(validForMs: number | null = 119_900) {
  const clock = createTestClock();
  clock.pin(AT);
  const driver = createWebhookDriver(
    { url: receiver.url, key: KEY },
    { clock, hasDeliveryReports: true, timeoutMs: 60_000 },
  );
  return driver.send({
    message: {
      channel: 'sms',
      to: '+15550142290',
      subject: '',
      text: '123456 is your code.',
      html: null,
      code: '123456',
      link: null,
    },
    id: 'the-id',
    idempotencyKey: 'otp:1:sms',
    validForMs,
  });
}

describe('a text by the webhook', () => {
  test('says what, to whom and for how long, under one key, signed with its moment', async () => {
    expect(await send()).toEqual({ providerId: null });
    const [request] = receiver.received;
    const { headers = {}, body = '' } = request ?? {};
    expect(JSON.parse(body)).toEqual({
      id: 'the-id',
      channel: 'sms',
      to: '+15550142290',
      text: '123456 is your code.',
      validForSeconds: 119,
    });
    expect(headers['idempotency-key']).toBe('otp:1:sms');
    const timestamp = String(Math.floor(AT.getTime() / 1000));
    expect(headers['x-porchlight-timestamp']).toBe(timestamp);
    const expected = createHmac('sha256', KEY).update(`${timestamp}.${body}`).digest('hex');
    expect(headers['x-porchlight-signature']).toBe(`sha256=${expected}`);
    expect(webhookSignature(KEY, '1', body)).not.toBe(webhookSignature(KEY, '2', body));
  });

  test('without an end says so', async () => {
    await send(null);
    expect(JSON.parse(receiver.received[0]?.body ?? '')).toMatchObject({ validForSeconds: null });
  });

  test.each([
    [410, 'blocked'],
    [404, 'invalid'],
    [422, 'invalid'],
    [400, 'unavailable'],
    [302, 'unavailable'],
  ])('%s is for good: %s', async (status, reason) => {
    await receiver.setMood(status);
    const error = await send().catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(PermanentError);
    expect(error).toMatchObject({ reason, message: `The message endpoint answered ${status}` });
  });

  test.each([401, 403, 408, 425, 429, 500, 503])('%s is worth another try', async (status) => {
    await receiver.setMood(status);
    await expect(send()).rejects.toBeInstanceOf(TransientError);
  });
});
