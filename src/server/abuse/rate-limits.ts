import { sql } from 'kysely';
import type { Clock } from '../clock.ts';
import type { Db } from '../db/database.ts';
import type { SecretBox } from '../crypto/secret-box.ts';
import { AppError } from '../http/app-error.ts';
import { toNetwork } from './network.ts';

export type RateLimit = { readonly name: string; readonly max: number; readonly windowMs: number };
/** One thing that is counted: a rule, and whom or what it counts, in one part or several. */
export type Use = readonly [rule: RateLimit, ...subject: readonly string[]];

export type RateLimits = {
  /** Counts one use of each; @throws AppError TOO_MANY with the time until the longest full window ends. */
  take(...uses: readonly Use[]): Promise<void>;
  /** Counts one use of each and tells whether all are still within their rules. */
  isWithin(...uses: readonly Use[]): Promise<boolean>;
  /**
   * Refuses when a rule is used up, without counting. Tells whether anything is counted at all.
   * @throws AppError TOO_MANY
   */
  check(...uses: readonly Use[]): Promise<boolean>;
  /** Whether a rule is used up, without counting. */
  isUsedUp(...uses: readonly Use[]): Promise<boolean>;
  clear(...uses: readonly Use[]): Promise<void>;
};

type Count = { readonly key: string; readonly points: number; readonly leftMs: number };

/** Where a use is counted. Addresses that people typed, also of strangers, are not kept in the clear. */
export function rateLimitKey(secretBox: Pick<SecretBox, 'hmac'>, [rule, ...subject]: Use): string {
  return `${rule.name}:${secretBox.hmac('rate-limit', JSON.stringify(subject.map(toNetwork)))}`;
}

/**
 * Counters in the database, shared by all instances and moved by Porchlight's clock (decision 003).
 * One statement counts, so parallel requests can never share a point.
 */
export function createRateLimits(deps: {
  readonly db: Db;
  readonly clock: Clock;
  readonly secretBox: Pick<SecretBox, 'hmac'>;
  readonly factor: number;
}): RateLimits {
  const { db, clock, secretBox, factor } = deps;
  const keyOf = (use: Use) => rateLimitKey(secretBox, use);

  async function count(uses: readonly Use[]): Promise<readonly Count[]> {
    const now = clock.now();
    // In one order for everybody: two requests that count the same rows never wait for each other in a circle.
    const rows = uses
      .map((use) => ({
        key: keyOf(use),
        points: 1,
        expires_at: new Date(now.getTime() + use[0].windowMs),
      }))
      .toSorted((a, b) => (a.key < b.key ? -1 : 1));
    const counted = await db
      .insertInto('limits')
      .values(rows)
      .onConflict((conflict) =>
        conflict.column('key').doUpdateSet({
          points: sql`case when limits.expires_at <= ${now} then 1 else limits.points + 1 end`,
          expires_at: sql`case when limits.expires_at <= ${now} then excluded.expires_at else limits.expires_at end`,
        }),
      )
      .returning(['key', 'points', 'expires_at'])
      .execute();
    return counted.map((row) => toCount(row, now));
  }

  /** How long the visitor has to wait, 0 for not at all; `spare` is what a rule still allows beyond the count. */
  function waitOf(uses: readonly Use[], counts: readonly Count[], spare: number): number {
    const waits = uses.map((use) => {
      const found = counts.find((each) => each.key === keyOf(use));
      const isFull = found && found.leftMs > 0 && found.points + spare > use[0].max * factor;
      return isFull ? found.leftMs : 0;
    });
    return Math.max(0, ...waits);
  }

  async function look(uses: readonly Use[]): Promise<readonly Count[]> {
    const now = clock.now();
    const rows = await db
      .selectFrom('limits')
      .select(['key', 'points', 'expires_at'])
      .where('key', 'in', uses.map(keyOf))
      .execute();
    return rows.map((row) => toCount(row, now));
  }

  function refuse(waitMs: number): void {
    if (waitMs > 0) throw new AppError('TOO_MANY', { retryAfterMs: waitMs });
  }

  return {
    async take(...uses) {
      refuse(waitOf(uses, await count(uses), 0));
    },
    async isWithin(...uses) {
      return waitOf(uses, await count(uses), 0) === 0;
    },
    async check(...uses) {
      const counts = await look(uses);
      refuse(waitOf(uses, counts, 1));
      return counts.length > 0;
    },
    async isUsedUp(...uses) {
      return waitOf(uses, await look(uses), 1) > 0;
    },
    async clear(...uses) {
      await db.deleteFrom('limits').where('key', 'in', uses.map(keyOf)).execute();
    },
  };
}

function toCount(row: { key: string; points: number; expires_at: Date }, now: Date): Count {
  return { key: row.key, points: row.points, leftMs: row.expires_at.getTime() - now.getTime() };
}
