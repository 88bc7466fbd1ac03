import { type Clock, later } from '../clock.ts';
import type { Db } from '../db/database.ts';
import { createDeadLetters } from './dead-letters.ts';

const HOUR_MS = 60 * 60 * 1000;
const DAY_MS = 24 * HOUR_MS;
/** How long what is over is kept (security R52). */
const KEPT = {
  codes: DAY_MS,
  pendingAccounts: 7 * DAY_MS,
  visits: 30 * DAY_MS,
  jobs: 30 * DAY_MS,
  /** As long as their cookies live. */
  devices: 400 * DAY_MS,
};

export type Cleanup = { run(): Promise<void>; start(): void; stop(): void };

/** Deletes what has expired, once an hour; several instances may do it at once. */
export function createCleanup(deps: {
  readonly db: Db;
  readonly clock: Clock;
  readonly purgeProvider: () => Promise<unknown>;
  /** Told as long as there are any: they are gone after 30 days. */
  readonly onDeadLetters: (count: number) => void;
  readonly onError: (error: unknown) => void;
}): Cleanup {
  const { db, clock, purgeProvider, onDeadLetters, onError } = deps;
  let timer: NodeJS.Timeout | null = null;

  async function run(): Promise<void> {
    const now = clock.now();
    const before = (ms: number) => later(now, -ms);
    await db.deleteFrom('limits').where('expires_at', '<', now).execute();
    // Kept a while longer, so that whoever comes back late is told by which application's name.
    await db.deleteFrom('client_requests').where('expires_at', '<', before(DAY_MS)).execute();
    await db.deleteFrom('authorizations').where('expires_at', '<', now).execute();
    await db.deleteFrom('captcha_solutions').where('expires_at', '<', before(HOUR_MS)).execute();
    await db.deleteFrom('auth_tokens').where('expires_at', '<', before(DAY_MS)).execute();
    await db.deleteFrom('otp_codes').where('sent_at', '<', before(KEPT.codes)).execute();
    await db.deleteFrom('reset_links').where('expires_at', '<', before(DAY_MS)).execute();
    await db.deleteFrom('outbox').where('done_at', '<', before(KEPT.jobs)).execute();
    await db.deleteFrom('outbox').where('dead_at', '<', before(KEPT.jobs)).execute();
    await db.deleteFrom('messages').where('queued_at', '<', before(KEPT.jobs)).execute();
    await db.deleteFrom('visits').where('seen_at', '<', before(KEPT.visits)).execute();
    await db.deleteFrom('known_devices').where('seen_at', '<', before(KEPT.devices)).execute();
    // An address that was never proven is free again after a week.
    await db
      .deleteFrom('users')
      .where('status', '=', 'pending')
      .where('created_at', '<', before(KEPT.pendingAccounts))
      .where((eb) =>
        eb.not(
          eb.exists(
            eb
              .selectFrom('registrations')
              .select('registrations.id')
              .whereRef('registrations.user_id', '=', 'users.id')
              .where('registrations.created_at', '>=', before(KEPT.pendingAccounts)),
          ),
        ),
      )
      .execute();
    await purgeProvider();
    const dead = await createDeadLetters({ db, clock }).list();
    if (dead.length > 0) onDeadLetters(dead.length);
  }

  return {
    run,
    start() {
      timer = setInterval(() => void run().catch(onError), HOUR_MS);
      timer.unref();
    },
    stop() {
      if (timer) clearInterval(timer);
    },
  };
}
