import { sql } from 'kysely';
import type { DevClock } from '../clock.ts';
import type { Db } from './database.ts';

export type DatabaseClock = {
  /** Looks at the database's clock, and lets ours follow it. */
  look(): Promise<void>;
  /** Whether the machine's own clock is close enough for the libraries that live by it. */
  isMachineRight(): boolean;
};

/** A slower answer says too little about the moment that it tells. */
const SLOWEST_MS = 1000;
/** Tokens of the hosted login are dated by the machine's clock. */
const TOLERATED_MS = 5000;

/** One clock for all instances: what has expired on one has expired on every other (R44, decision 092). */
export function createDatabaseClock(db: Db, clock: Pick<DevClock, 'follow'>): DatabaseClock {
  let machineOffMs = 0;
  let hasLooked = false;
  return {
    async look() {
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
    isMachineRight: () => Math.abs(machineOffMs) <= TOLERATED_MS,
  };
}
