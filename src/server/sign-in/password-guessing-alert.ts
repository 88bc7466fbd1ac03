import { later } from '../clock.ts';
import type { Db } from '../db/database.ts';
import type { JobDefinition } from '../jobs/outbox.ts';
import type { ServerContext } from '../context.ts';
import { RATE_LIMITS } from '../abuse/rate-limit-rules.ts';

export type PasswordGuessingAlert = {
  /** Notes that the password of an address, of an account or not, was wrong too often. */
  note(email: string): Promise<void>;
  /** Tells the owner of the account, if there is one. */
  readonly job: JobDefinition;
};

const PASSWORD_GUESSING_JOB = 'ownerWarning';

const TOLD = 'signIn.ownerWarned';
/** A day, less what the last warning may have waited for its worker. */
const QUIET_MS = 24 * 60 * 60 * 1000 - 60_000;

type Tell = (db: Db, userId: number, cause: string) => Promise<void>;

/**
 * Somebody tries passwords of an account: its owner is told, once a day (security R19). Whether there is an account at
 * all is asked later, by the worker: so an attacker sees no difference in time.
 */
export function createPasswordGuessingAlert(
  { db, clock, secretBox, rateLimits, outbox, audit }: ServerContext,
  tell: Tell,
): PasswordGuessingAlert {
  return {
    async note(email) {
      if (!(await rateLimits.isWithin([RATE_LIMITS.passwordGuessingAlert, email]))) return;
      const key = secretBox.hmac('notice', email);
      await outbox.add(db, {
        kind: PASSWORD_GUESSING_JOB,
        payload: { email },
        idempotencyKey: `${PASSWORD_GUESSING_JOB}:${key}:${clock.now().getTime()}`,
      });
    },

    job: {
      kind: PASSWORD_GUESSING_JOB,
      async deliver({ email }) {
        const now = clock.now();
        await db.transaction().execute(async (transaction) => {
          const owner = await transaction
            .selectFrom('users')
            .select('id')
            .where('email_canonical', '=', String(email))
            .where('status', '=', 'active')
            .forNoKeyUpdate()
            .executeTakeFirst();
          if (!owner || (await wasTold(transaction, owner.id, now))) return;
          await tell(transaction, owner.id, `${owner.id}:${now.getTime()}`);
          await audit({ kind: TOLD, userId: owner.id }, transaction);
        });
        outbox.wake();
      },
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
