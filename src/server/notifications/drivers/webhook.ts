import { createHmac } from 'node:crypto';
import { CALL_KEY } from '#domain/proofs/voice.ts';
import type { Clock } from '../../core/clock.ts';
import type { WebhookConfig } from '../../config/delivery-config.ts';
import { isFinalRefusal, postOut } from '../../http/outbound.ts';
import { TransientError, PermanentError } from '../../jobs/errors.ts';
import type { Driver } from './driver.ts';

type Around = {
  readonly clock: Clock;
  readonly hasDeliveryReports: boolean;
  /** Milliseconds for a whole answer. */
  readonly timeoutMs: number;
};

/**
 * Returns the signature of a webhook, in either direction; it covers the time, so an old request cannot be replayed.
 */
export function webhookSignature(key: string, timestamp: string, body: string): string {
  return `sha256=${createHmac('sha256', key).update(`${timestamp}.${body}`).digest('hex')}`;
}

/** Creates the driver for SMS, WhatsApp and calls by an endpoint of the operator's own. */
export function createWebhookDriver(
  { url, key }: WebhookConfig,
  { clock, hasDeliveryReports, timeoutMs }: Around,
): Driver {
  return {
    provider: 'webhook',
    hasDeliveryReports,
    async send({ message: { channel, to, text }, id, idempotencyKey, validForMs }) {
      const validForSeconds = validForMs === null ? null : Math.floor(validForMs / 1000);
      // A call fetches its code after the key, so that no machine records it.
      const pressed = channel === 'voice' && { key: CALL_KEY };
      const body = JSON.stringify({ id, channel, to, text, ...pressed, validForSeconds });
      const timestamp = String(Math.floor(clock.now().getTime() / 1000));
      const { status } = await postOut({
        url,
        headers: {
          'content-type': 'application/json',
          'idempotency-key': idempotencyKey,
          'x-porchlight-timestamp': timestamp,
          'x-porchlight-signature': webhookSignature(key, timestamp, body),
        },
        body,
        timeoutMs,
      });
      if (status >= 200 && status < 300) return { providerId: null };
      const text_ = `The message endpoint answered ${status}`;
      // Only these concern the message; any other refusal concerns us, and an operator may correct it.
      if (status === 410) throw new PermanentError('blocked', text_);
      if (status === 404 || status === 422) throw new PermanentError('invalid', text_);
      if (isFinalRefusal(status) && status !== 401 && status !== 403) {
        throw new PermanentError('unavailable', text_);
      }
      throw new TransientError(text_);
    },
  };
}
