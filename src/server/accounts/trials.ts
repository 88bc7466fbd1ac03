import { later } from '../clock.ts';
import type { Db } from '../db/database.ts';
import type { ServerContext } from '../context.ts';
import type { User } from './users.ts';

export type Trials = {
  /** Tells whose trial ends in a week, and in a day. Any number of instances may do it at once. */
  tellDue(): Promise<void>;
};

type Tell = (
  db: Db,
  person: User,
  trial: { readonly days: 7 | 1; readonly endsAt: Date },
) => Promise<void>;

const DAY_MS = 24 * 60 * 60 * 1000;
const BATCH = 100;

/**
 * The end of the 30 days comes announced: seven days and one day before, each once. Who comes late to the first (the
 * portal stood still) gets the second alone; a trial that is over is not announced any more.
 */
export function createTrials({ db, clock, outbox }: ServerContext, tell: Tell): Trials {
  /** Taking the account and queueing its mail are one transaction: two instances never send one notice twice. */
  async function tellBatch(days: 7 | 1): Promise<number> {
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
      for (const person of due) {
        if (person.trial_ends_at) {
          await tell(transaction, person, { days, endsAt: person.trial_ends_at });
        }
      }
      return due.length;
    });
  }

  return {
    async tellDue() {
      for (const days of [7, 1] as const) while ((await tellBatch(days)) === BATCH);
      outbox.wake();
    },
  };
}
