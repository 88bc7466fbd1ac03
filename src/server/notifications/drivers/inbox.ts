import { randomUUID } from 'node:crypto';
import type { Kit } from '../../context.ts';
import type { Driver } from './driver.ts';

/** The demo's own inbox: what is in it has arrived. */
export function createInboxDriver({ db, clock }: Pick<Kit, 'db' | 'clock'>): Driver {
  return {
    provider: 'inbox',
    hasReceipts: false,
    async send({ message, idempotencyKey }) {
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
      return { providerId: null, isDelivered: true };
    },
  };
}
