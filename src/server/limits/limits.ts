import { sql } from 'kysely';
import type { Clock } from '../clock.ts';
import type { Db } from '../db/database.ts';
import { AppError } from '../http/app-error.ts';

export type Rule = { readonly name: string; readonly max: number; readonly windowMs: number };

export type Limits = {
  /** Counts one use; @throws AppError TOO_MANY with the time until the window ends. */
  take(rule: Rule, key: string): Promise<void>;
  /** Counts one use and tells whether it is still within the rule. */
  isWithin(rule: Rule, key: string): Promise<boolean>;
  /** Refuses when the rule is used up, without counting. @throws AppError TOO_MANY */
  check(rule: Rule, key: string): Promise<void>;
  clear(rule: Rule, key: string): Promise<void>;
};

/**
 * Counters in the database, shared by all instances and moved by Porchlight's clock.
 * One statement counts, so parallel requests can never share a point.
 */
export function createLimits(deps: {
  readonly db: Db;
  readonly clock: Clock;
  readonly factor: number;
}): Limits {
  const { db, clock, factor } = deps;
  const keyOf = (rule: Rule, key: string) => `${rule.name}:${key}`;
  const maxOf = (rule: Rule) => rule.max * factor;

  async function count(rule: Rule, key: string): Promise<{ points: number; leftMs: number }> {
    const now = clock.now();
    const fresh = new Date(now.getTime() + rule.windowMs);
    const row = await db
      .insertInto('limits')
      .values({ key: keyOf(rule, key), points: 1, expires_at: fresh })
      .onConflict((conflict) =>
        conflict.column('key').doUpdateSet({
          points: sql`case when limits.expires_at <= ${now} then 1 else limits.points + 1 end`,
          expires_at: sql`case when limits.expires_at <= ${now} then excluded.expires_at else limits.expires_at end`,
        }),
      )
      .returning(['points', 'expires_at'])
      .executeTakeFirstOrThrow();
    return { points: row.points, leftMs: row.expires_at.getTime() - now.getTime() };
  }

  return {
    async take(rule, key) {
      const { points, leftMs } = await count(rule, key);
      if (points > maxOf(rule)) throw new AppError('TOO_MANY', { retryAfterMs: leftMs });
    },
    async isWithin(rule, key) {
      return (await count(rule, key)).points <= maxOf(rule);
    },
    async check(rule, key) {
      const row = await db
        .selectFrom('limits')
        .select(['points', 'expires_at'])
        .where('key', '=', keyOf(rule, key))
        .executeTakeFirst();
      const leftMs = row ? row.expires_at.getTime() - clock.now().getTime() : 0;
      if (row && leftMs > 0 && row.points >= maxOf(rule)) {
        throw new AppError('TOO_MANY', { retryAfterMs: leftMs });
      }
    },
    async clear(rule, key) {
      await db.deleteFrom('limits').where('key', '=', keyOf(rule, key)).execute();
    },
  };
}
