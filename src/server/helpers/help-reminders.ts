import { ENDS_SOON_MS } from '#domain/people/helpers.ts';
import { later } from '../core/clock.ts';
import type { FullContext } from '../access/context.ts';
import { forEachRow } from '../db/each-row.ts';
import { findAccount } from '../accounts/account-store.ts';
import { type HelperRow, helpersById } from '../accounts/helper-store.ts';
import { remindOfEnd } from './helpers.ts';

/**
 * Reminds people of a helper's last 30 days, once each. Marking a row and queueing its mail are one transaction: two
 * instances never send the same reminder.
 * @throws RowsFailed
 */
export async function sendHelpReminders(
  { db, clock, outbox, notifications }: FullContext,
  signal?: AbortSignal,
): Promise<void> {
  const now = clock.now();
  const due = await db
    .selectFrom('helpers')
    .select('id')
    .where('added_at', 'is not', null)
    .where('removed_at', 'is', null)
    .where('end_told_at', 'is', null)
    .where('ends_at', '>', now)
    .where('ends_at', '<=', later(now, ENDS_SOON_MS))
    .execute();
  await forEachRow(due, send, signal).finally(outbox.wake);

  async function send({ id }: Pick<HelperRow, 'id'>): Promise<void> {
    await db.transaction().execute(async (transaction) => {
      const marked = await transaction
        .updateTable('helpers')
        .set({ end_told_at: clock.now() })
        .where('id', '=', id)
        .where('removed_at', 'is', null)
        .where('end_told_at', 'is', null)
        .executeTakeFirst();
      const [row] = marked.numUpdatedRows > 0n ? await helpersById(transaction, [id]) : [];
      const member = row && (await findAccount(transaction, row.member_id));
      if (member) await remindOfEnd(notifications, transaction, row, member);
    });
  }
}
