import type { DeliveryReason, DeliveryState } from '#domain/proofs/delivery.ts';
import { type MessageNews, NEWS, messageNews, recordFailed } from './courier.ts';
import type { ServerContext } from '../core/context.ts';

/** A provider's report of a message's delivery. */
export type DeliveryReport = {
  /** Our id of the message; `null` when the report has only the provider's. */
  readonly messageId: string | null;
  readonly providerId: string | null;
  readonly state: DeliveryState;
  readonly reason: DeliveryReason | null;
};

export type DeliveryReports = ReturnType<typeof createDeliveryReports>;

/** A state only advances: a delivered message stays delivered, whatever an earlier try reports. */
const BEFORE: Readonly<Record<DeliveryState, readonly DeliveryState[]>> = {
  queued: [],
  sent: ['queued'],
  failed: ['queued', 'sent'],
  delivered: ['queued', 'sent', 'failed'],
};

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** Creates the store of delivery reports. */
export function createDeliveryReports(
  { db, clock, secretBox, audit }: Pick<ServerContext, 'db' | 'clock' | 'secretBox' | 'audit'>,
  onNews: (news: MessageNews) => void = () => undefined,
) {
  return {
    /** Stores a report. A duplicate, or an older one that arrives late, changes nothing. */
    async take({ messageId, providerId, state, reason }: DeliveryReport): Promise<void> {
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
        // A repeated report changes nothing.
        .where('state', '!=', state)
        .returning(['id', 'reason', 'otp_id', ...NEWS])
        .executeTakeFirst();
      if (!changed) return;
      onNews(messageNews(changed, state));
      if (state === 'failed') await recordFailed({ db, audit }, changed, 'provider');
    },
  };
}
