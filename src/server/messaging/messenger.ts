import { createHmac, randomUUID } from 'node:crypto';
import { createTransport } from 'nodemailer';
import type { Channel } from '#domain/otp.ts';
import type { Db } from '../db/database.ts';
import type { Handler } from '../jobs/outbox.ts';
import type { Kit } from '../kit.ts';
import type { Message } from './messages.ts';

/** Brings one message to one channel's provider. @throws when the provider does not accept it. */
type Driver = (message: Message, idempotencyKey: string) => Promise<void>;

export type Messenger = {
  /** Queues a message in the transaction of its cause. */
  queue(db: Db, message: Message, idempotencyKey: string, expiresAt?: Date): Promise<void>;
  readonly deliver: Handler;
};

const TIMEOUT_MS = 5000;

/** Email by SMTP, SMS and WhatsApp by a signed webhook; without a provider a demo keeps everything in its inbox. */
export function createMessenger(kit: Kit): Messenger {
  const inbox = inboxDriver(kit);
  const { smtpUrl, smsWebhook } = kit.config;
  const text = smsWebhook ? webhookDriver(smsWebhook) : inbox;
  const drivers: Record<Channel, Driver> = {
    email: smtpUrl ? smtpDriver(smtpUrl, kit.config.mailFrom) : inbox,
    sms: text,
    whatsapp: text,
  };
  return {
    async queue(db, message, idempotencyKey, expiresAt) {
      await kit.outbox.add(db, {
        kind: 'message',
        payload: message,
        idempotencyKey,
        ...(expiresAt && { expiresAt }),
      });
    },
    async deliver(payload, idempotencyKey) {
      const message = payload as unknown as Message;
      await drivers[message.channel](message, idempotencyKey);
    },
  };
}

function inboxDriver({ db, clock, config }: Kit): Driver {
  return async (message, idempotencyKey) => {
    // Without a text-message provider a production portal reaches people by mail alone; nothing piles up here.
    if (config.mode === 'production') throw new Error(`No provider for ${message.channel}`);
    await db
      .insertInto('inbox_messages')
      .values({
        id: randomUUID(),
        idempotency_key: idempotencyKey,
        channel: message.channel,
        recipient: message.to,
        subject: message.subject,
        text: message.text,
        html: message.html,
        code: message.code,
        link: message.link,
        sent_at: clock.now(),
      })
      .onConflict((conflict) => conflict.column('idempotency_key').doNothing())
      .execute();
  };
}

function smtpDriver(url: string, from: string): Driver {
  const transport = createTransport(url, { from });
  return async (message, idempotencyKey) => {
    await transport.sendMail({
      to: message.to,
      subject: message.subject,
      text: message.text,
      ...(message.html && { html: message.html }),
      // A mailbox that got the same message twice shows it once.
      messageId: `<${Buffer.from(idempotencyKey).toString('base64url')}@porchlight>`,
    });
  };
}

function webhookDriver(webhook: { readonly url: string; readonly key: string }): Driver {
  return async ({ channel, to, text }, idempotencyKey) => {
    const body = JSON.stringify({ channel, to, text });
    const signature = createHmac('sha256', webhook.key).update(body).digest('hex');
    const response = await fetch(webhook.url, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        'idempotency-key': idempotencyKey,
        'x-porchlight-signature': `sha256=${signature}`,
      },
      body,
      signal: AbortSignal.timeout(TIMEOUT_MS),
    });
    if (!response.ok) throw new Error(`The message endpoint answered ${response.status}`);
  };
}
