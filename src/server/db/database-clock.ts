import { sql } from 'kysely';
import { MINUTE_MS } from '#domain/text/duration.ts';
import type { DevClock } from '../core/clock.ts';
import type { Task } from '../core/task.ts';
import type { Database, Db } from './database.ts';

type DatabaseClock = ReturnType<typeof createDatabaseClock>;

/** Milliseconds; a slower answer is too inaccurate. */
const SLOWEST_MS = 1000;
/** Tokens of the hosted login are dated by the machine's clock. */
const TOLERATED_MS = 5000;

/** Follows the database's clock from now on. The embedded database has the machine's own clock. */
export async function followDatabaseClock(
  { db, engine }: Database,
  clock: Pick<DevClock, 'follow'>,
): Promise<DatabaseClock> {
  if (engine !== 'postgres') return { sync: async () => undefined, isMachineRight: () => true };
  const databaseClock = createDatabaseClock(db, clock);
  await databaseClock.sync();
  return databaseClock;
}

/** Creates one clock for all instances: an expiry is the same on each of them (R44, decision 092). */
export function createDatabaseClock(db: Db, clock: Pick<DevClock, 'follow'>) {
  let machineOffMs = 0;
  let hasLooked = false;
  return {
    /** Reads the database's clock, and adjusts ours to it. */
    async sync(): Promise<void> {
      const asked = performance.now();
      const { rows } = await sql<{
        ms: string;
      }>`select extract(epoch from clock_timestamp()) * 1000 as ms`.execute(db);
      const tookMs = performance.now() - asked;
      if (hasLooked && tookMs > SLOWEST_MS) return;
      hasLooked = true;
      const now = Number(rows[0]?.ms) + tookMs / 2;
      machineOffMs = Date.now() - now;
      clock.follow(new Date(now));
    },
    /** Returns whether the machine's clock is accurate enough for the libraries that use it. */
    isMachineRight: () => Math.abs(machineOffMs) <= TOLERATED_MS,
  };
}

/** Follows the database's clock. */
export const clockSyncs = ({ sync }: DatabaseClock): Task => ({
  everyMs: MINUTE_MS,
  firstAfterMs: MINUTE_MS,
  run: sync,
  failed: "the database's clock will be looked at again",
});
