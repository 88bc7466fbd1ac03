import { DAY_MS } from '#domain/text/duration.ts';
import { later } from '../core/clock.ts';
import type { Db } from '../db/database.ts';
import type { ServerContext } from '../core/context.ts';
import { forEachRow } from '../db/each-row.ts';
import type { Account } from './account-store.ts';

type Remind = (
  db: Db,
  account: Account,
  trial: { readonly days: 7 | 1; readonly endsAt: Date },
) => Promise<void>;

/**
 * Reminds people of their trial's end, seven days and one day before, each once. If the portal was down in between,
 * only the second is sent; after the end there is none. Any number of instances may run it at once.
 * @throws RowsFailed
 */
export async function sendTrialReminders(
  { db, clock, outbox }: Pick<ServerContext, 'db' | 'clock' | 'outbox'>,
  remind: Remind,
  signal?: AbortSignal,
): Promise<void> {
  type Due = { readonly id: number; readonly days: 7 | 1 };

  async function listDue(days: 7 | 1): Promise<Due[]> {
    const now = clock.now();
    const from = days === 7 ? later(now, DAY_MS) : now;
    const rows = await db
      .selectFrom('users')
      .select('id')
      .where('status', '=', 'active')
      .where('trial_ends_at', '>', from)
      .where('trial_ends_at', '<=', later(now, days * DAY_MS))
      .where((eb) => eb.or([eb('trial_told', 'is', null), eb('trial_told', '>', days)]))
      .execute();
    return rows.map(({ id }) => ({ id, days }));
  }

  /** Marking the account and queueing its mail are one transaction: two instances never send the same reminder. */
  async function send({ id, days }: Due): Promise<void> {
    await db.transaction().execute(async (transaction) => {
      const account = await transaction
        .updateTable('users')
        .set({ trial_told: days })
        .where('id', '=', id)
        .where((eb) => eb.or([eb('trial_told', 'is', null), eb('trial_told', '>', days)]))
        .returningAll()
        .executeTakeFirst();
      if (!account?.trial_ends_at) return;
      await remind(transaction, account, { days, endsAt: account.trial_ends_at });
    });
  }

  const due = [...(await listDue(7)), ...(await listDue(1))];
  await forEachRow(due, send, signal).finally(outbox.wake);
}
