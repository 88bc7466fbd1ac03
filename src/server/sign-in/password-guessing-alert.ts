import { DAY_MS, MINUTE_MS } from '#domain/text/duration.ts';
import { lockAccountByEmail, accountRecipient } from '../accounts/account-store.ts';
import { later } from '../core/clock.ts';
import type { Db } from '../db/database.ts';
import type { JobDefinition } from '../jobs/job.ts';
import type { ServerContext } from '../core/context.ts';
import { RATE_LIMITS } from '../config/limits.ts';
import type { Notifications } from '../notifications/notifications.ts';

const PASSWORD_GUESSING_JOB = 'ownerWarning';

const TOLD = 'signIn.ownerWarned';
/** Milliseconds: a day, less the time that the last alert may have waited for its worker. */
const QUIET_MS = DAY_MS - MINUTE_MS;

/**
 * Notifies the owner of an account, once a day, that passwords are being guessed (R19). The worker looks the account
 * up, so that the time of an answer does not disclose it.
 */
export function createPasswordGuessingAlert(
  { db, clock, secretBox, rateLimits, outbox, audit }: ServerContext,
  { passwordTried }: Pick<Notifications, 'passwordTried'>,
) {
  /** Notifies the owner of the account, if there is one. */
  const job: JobDefinition = {
    kind: PASSWORD_GUESSING_JOB,
    async deliver({ email }) {
      const now = clock.now();
      await db.transaction().execute(async (transaction) => {
        const owner = await lockAccountByEmail(transaction, String(email));
        if (owner?.status !== 'active' || (await wasTold(transaction, owner.id, now))) return;
        await passwordTried(transaction, accountRecipient(owner), `${owner.id}:${now.getTime()}`);
        await audit({ kind: TOLD, userId: owner.id }, transaction);
      });
      outbox.wake();
    },
  };

  return {
    job,
    /** Records that the password of an address, with or without an account, was wrong too often. */
    async note(email: string): Promise<void> {
      if (!(await rateLimits.isWithin([RATE_LIMITS.passwordGuessingAlert, email]))) return;
      const key = secretBox.hmac('notice', email);
      await outbox.add(db, {
        kind: PASSWORD_GUESSING_JOB,
        payload: { email },
        idempotencyKey: `${PASSWORD_GUESSING_JOB}:${key}:${clock.now().getTime()}`,
      });
    },
  };

  async function wasTold(source: Db, userId: number, now: Date): Promise<boolean> {
    const told = await source
      .selectFrom('audit_events')
      .select('id')
      .where('user_id', '=', userId)
      .where('kind', '=', TOLD)
      .where('at', '>', later(now, -QUIET_MS))
      .executeTakeFirst();
    return told !== undefined;
  }
}
