import type { DeliveryReason, DeliveryState } from '#domain/delivery.ts';
import { type MessageNews, NEWS, newsOf } from './courier.ts';
import type { ServerContext } from '../context.ts';

/** What a provider says became of a message. */
export type DeliveryReport = {
  /** Our id of it; `null` where only the provider's is known. */
  readonly messageId: string | null;
  readonly providerId: string | null;
  readonly state: DeliveryState;
  readonly reason: DeliveryReason | null;
};

export type DeliveryReports = {
  /** Takes a receipt in. A second copy, or an older one that comes late, changes nothing. */
  take(receipt: DeliveryReport): Promise<void>;
};

/** A message only moves on: what has arrived stays arrived, whatever is said of an earlier try of it. */
const BEFORE: Readonly<Record<DeliveryState, readonly DeliveryState[]>> = {
  queued: [],
  sent: ['queued'],
  failed: ['queued', 'sent'],
  delivered: ['queued', 'sent', 'failed'],
};

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

export function createDeliveryReports(
  { db, clock, secretBox, audit }: Pick<ServerContext, 'db' | 'clock' | 'secretBox' | 'audit'>,
  onNews: (news: MessageNews) => void = () => undefined,
): DeliveryReports {
  return {
    async take({ messageId, providerId, state, reason }) {
      const id = messageId !== null && UUID.test(messageId) ? messageId : null;
      if (id === null && providerId === null) return;
      const now = clock.now();
      const changed = await db
        .updateTable('messages')
        .set((eb) => ({
          state,
          reason: state === 'failed' ? reason : null,
          sent_at: eb.fn.coalesce('sent_at', eb.val(now)),
          ...(state === 'delivered' && { delivered_at: now, failed_at: null }),
          ...(state === 'failed' && { failed_at: now }),
        }))
        .$if(id !== null, (query) => query.where('id', '=', id))
        .$if(id === null, (query) =>
          query.where('provider_ref', 'in', secretBox.hmacs('receipts', providerId ?? '')),
        )
        .where('state', 'in', [...BEFORE[state], state])
        // The same again is no news.
        .where('state', '!=', state)
        .returning(['id', ...NEWS])
        .executeTakeFirst();
      if (!changed) return;
      onNews(newsOf(changed, state));
      if (state === 'failed') {
        const { id: failedId, channel } = changed;
        const details = { id: failedId, channel, reason };
        await audit({ kind: 'message.failed', actor: 'provider', details });
      }
    },
  };
}
