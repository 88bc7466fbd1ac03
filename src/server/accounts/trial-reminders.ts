import { later } from '../clock.ts';
import type { Db } from '../db/database.ts';
import type { ServerContext } from '../context.ts';
import type { Account } from './account-store.ts';

export type TrialReminders = {
  /** Reminds people whose trial ends within a week, or a day. Any number of instances may run it at once. */
  sendDue(signal?: AbortSignal): Promise<void>;
};

type Remind = (
  db: Db,
  account: Account,
  trial: { readonly days: 7 | 1; readonly endsAt: Date },
) => Promise<void>;

const DAY_MS = 24 * 60 * 60 * 1000;
const BATCH = 100;

/**
 * Creates the reminders of a trial's end, seven days and one day before, each once. If the portal was down in between,
 * only the second is sent; after the end there is none.
 */
export function createTrialReminders(
  { db, clock, outbox }: ServerContext,
  remind: Remind,
): TrialReminders {
  /** Marking the accounts and queueing their mails are one transaction: two instances never send the same reminder. */
  async function sendBatch(days: 7 | 1): Promise<number> {
    const now = clock.now();
    const from = days === 7 ? later(now, DAY_MS) : now;
    return db.transaction().execute(async (transaction) => {
      const due = await transaction
        .updateTable('users')
        .set({ trial_told: days })
        .where('id', 'in', (query) =>
          query
            .selectFrom('users')
            .select('id')
            .where('status', '=', 'active')
            .where('trial_ends_at', '>', from)
            .where('trial_ends_at', '<=', later(now, days * DAY_MS))
            .where((eb) => eb.or([eb('trial_told', 'is', null), eb('trial_told', '>', days)]))
            .limit(BATCH)
            .forUpdate()
            .skipLocked(),
        )
        .returningAll()
        .execute();
      for (const account of due) {
        if (account.trial_ends_at) {
          await remind(transaction, account, { days, endsAt: account.trial_ends_at });
        }
      }
      return due.length;
    });
  }

  return {
    async sendDue(signal) {
      for (const days of [7, 1] as const) {
        while (!signal?.aborted && (await sendBatch(days)) === BATCH);
      }
      outbox.wake();
    },
  };
}
