import { ENDS_SOON_MS } from '#domain/helpers.ts';
import { later } from '../clock.ts';
import type { ServerContext } from '../context.ts';
import type { Db } from '../db/database.ts';
import { type Account, findAccount } from './account-store.ts';
import { type HelperRow, helpersById } from './helper-store.ts';

const BATCH = 100;

type Remind = (db: Db, help: HelperRow, member: Account) => Promise<void>;

/**
 * Creates the reminders of a helper's last 30 days, each once. Marking the rows and queueing the mails are one
 * transaction: two instances never send the same reminder.
 */
export function createHelpReminders(
  { db, clock, outbox }: Pick<ServerContext, 'db' | 'clock' | 'outbox'>,
  remind: Remind,
) {
  async function sendBatch(): Promise<number> {
    const now = clock.now();
    return db.transaction().execute(async (transaction) => {
      const due = await transaction
        .updateTable('helpers')
        .set({ end_told_at: now })
        .where('id', 'in', (query) =>
          query
            .selectFrom('helpers')
            .select('id')
            .where('added_at', 'is not', null)
            .where('removed_at', 'is', null)
            .where('end_told_at', 'is', null)
            .where('ends_at', '>', now)
            .where('ends_at', '<=', later(now, ENDS_SOON_MS))
            .limit(BATCH)
            .forUpdate()
            .skipLocked(),
        )
        .returning('id')
        .execute();
      const rows = await helpersById(
        transaction,
        due.map(({ id }) => id),
      );
      for (const row of rows) {
        const member = await findAccount(transaction, row.member_id);
        if (member) await remind(transaction, row, member);
      }
      return due.length;
    });
  }

  return {
    /** Sends what is due. */
    async sendDue(signal?: AbortSignal): Promise<void> {
      while (!signal?.aborted && (await sendBatch()) === BATCH);
      outbox.wake();
    },
  };
}
