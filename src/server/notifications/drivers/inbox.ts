import { randomUUID } from 'node:crypto';
import type { ServerContext } from '../../core/context.ts';
import type { Driver } from './driver.ts';

/** Creates the driver of the demo's inbox, which delivers at once; a call waits there for its key. */
export function createInboxDriver({ db, clock }: Pick<ServerContext, 'db' | 'clock'>): Driver {
  return {
    provider: 'inbox',
    hasDeliveryReports: false,
    async send({ message, id, idempotencyKey }) {
      await db
        .insertInto('inbox_messages')
        .values({
          id: message.channel === 'voice' ? id : randomUUID(),
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
      return { providerId: null, isDelivered: message.channel !== 'voice' };
    },
  };
}
