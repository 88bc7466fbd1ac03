import { sql } from 'kysely';
import { DAY_MS } from '#domain/text/duration.ts';
import { recordInRequest } from '../audit/request-context.ts';
import { type Clock, later } from '../core/clock.ts';
import type { Config } from '../config/config.ts';
import { RATE_LIMITS, type RateLimit } from '../config/limits.ts';
import type { Db } from '../db/database.ts';
import type { SecretBox } from '../crypto/secret-box.ts';
import { AppError } from '../http/app-error.ts';
import { toNetwork } from './network.ts';

/** One counted use: a rule, and its rate-limit subject, in one part or several. Named twice it counts twice. */
export type Use = readonly [rule: RateLimit, ...subject: readonly string[]];

/** A counted use that can be released; `until` names the window it was counted in, `room` is the remaining number. */
type Counted = {
  readonly key: string;
  readonly points: number;
  readonly room: number;
  readonly until: string;
};
export type Receipt = readonly Counted[];
type Refundable = readonly Pick<Counted, 'key' | 'until'>[];

/** Releases the given counters and resets others; a reset counter need not be released. */
type Settlement = {
  readonly release?: readonly Use[];
  readonly refund?: Refundable;
  readonly clear?: readonly Use[];
};

export type RateLimits = ReturnType<typeof createRateLimits>;

type Row = { readonly key: string; readonly points: number; readonly expires_at: Date };

const NOT_COUNTED = { points: 0, expires_at: new Date(0) };

/** Milliseconds that the doubling of a wait is remembered, and the longest wait. */

/** Returns the key of a counter. Entered addresses, which may be other people's, are not stored in clear text. */
export function rateLimitKey(secretBox: Pick<SecretBox, 'hmac'>, [rule, ...subject]: Use): string {
  const counter = rule.counter ?? rule.name;
  const parts = subject.map((part) => toNetwork(part) || part);
  return `${counter}:${secretBox.hmac('rate-limit', JSON.stringify(parts))}`;
}

/**
 * Creates counters in the database, shared by all instances and on Porchlight's clock (decision 003). One statement
 * counts, so parallel requests never count as one.
 */
export function createRateLimits(deps: {
  readonly db: Db;
  readonly clock: Clock;
  readonly secretBox: Pick<SecretBox, 'hmac'>;
  readonly config: Pick<Config, 'limitFactor' | 'limits'>;
  /** Receives each limit that was full at a use. */
  readonly onFull?: (limit: string) => void;
}) {
  const { db, clock, secretBox, onFull } = deps;
  const { limitFactor: factor, limits: settings } = deps.config;
  const keyOf = (use: Use) => rateLimitKey(secretBox, use);

  /** Returns the effective numbers: a threshold lasts as long as its counter. */
  function inForce([rule]: Use): RateLimit {
    const own = settings[rule.name] ?? { max: rule.max * factor, windowMs: rule.windowMs };
    const windowMs = settings[rule.counter ?? rule.name]?.windowMs ?? own.windowMs;
    return { ...rule, max: own.max, windowMs };
  }

  /** Groups uses by key, with the number of each. */
  function grouped(uses: readonly Use[]) {
    const groups = new Map<string, { readonly key: string; rule: RateLimit; times: number }>();
    for (const [use, named] of Map.groupBy(uses, (each) => each)) {
      const key = keyOf(use);
      const group = groups.get(key) ?? { key, rule: inForce(use), times: 0 };
      groups.set(key, { ...group, times: group.times + named.length });
    }
    // In the same order in every request, so that two requests with the same rows never deadlock.
    return [...groups.values()].toSorted((a, b) => (a.key < b.key ? -1 : 1));
  }
  type Group = ReturnType<typeof grouped>[number];

  /**
   * Counts in one statement. A use that fills a doubling window begins the wait; the next wait after it is twice as
   * long.
   */
  async function count(groups: readonly Group[]): Promise<readonly Row[]> {
    const now = clock.now();
    const isOver = sql`limits.expires_at <= ${now}::timestamptz`;
    const sum = sql`limits.points + excluded.points`;
    const doubling = groups.filter(({ rule }) => rule.isDoubling);
    const forgottenAt = new Date(now.getTime() - DAY_MS);
    const locks = doubling.map(
      ({ key, rule: { max } }) => sql`
        when limits.key = ${key} and ${isOver} and limits.expires_at <= ${forgottenAt}::timestamptz then 0
        when limits.key = ${key} and ${isOver} and limits.points >= ${max} then limits.locks + 1`,
    );
    const waits = doubling.map(({ key, rule: { max, windowMs } }) => {
      const seconds = sql`least(${DAY_MS / 1000}::float8, ${windowMs / 1000}::float8 * power(2, least(limits.locks, 20)))`;
      return sql`when limits.key = ${key} and limits.points < ${max} and ${sum} >= ${max}
        then ${now}::timestamptz + ${seconds} * interval '1 second'`;
    });
    return insert(groups, now)
      .onConflict((conflict) =>
        conflict.column('key').doUpdateSet({
          points: sql<number>`case when ${isOver} then excluded.points else ${sum} end`,
          expires_at: sql<Date>`case when ${isOver} then excluded.expires_at ${sql.join(waits, sql` `)} else limits.expires_at end`,
          ...(doubling.length > 0 && {
            locks: sql<number>`case ${sql.join(locks, sql` `)} else limits.locks end`,
          }),
        }),
      )
      .returning(['key', 'points', 'expires_at'])
      .execute();
  }

  function insert(groups: readonly Group[], now: Date) {
    const end = (windowMs: number) => new Date(now.getTime() + windowMs);
    return db.insertInto('limits').values(
      groups.map(({ key, rule, times }) => ({
        key,
        points: times,
        expires_at: end(rule.windowMs),
      })),
    );
  }

  /** Returns the rule with the longest wait; `spare` is the remaining number beyond the count. */
  function fullest(groups: readonly Group[], rows: readonly Row[], isCounted: boolean) {
    const now = clock.now();
    let longest: { readonly limit: string; readonly waitMs: number } | null = null;
    for (const { key, rule, times } of groups) {
      const { points, expires_at: end } = rows.find((each) => each.key === key) ?? NOT_COUNTED;
      const leftMs = end.getTime() - now.getTime();
      const isFull = leftMs > 0 && points + (isCounted ? 0 : times) > rule.max;
      if (isFull && leftMs > (longest?.waitMs ?? 0)) longest = { limit: rule.name, waitMs: leftMs };
    }
    return longest;
  }

  async function readCounters(groups: readonly Group[]): Promise<readonly Row[]> {
    return db
      .selectFrom('limits')
      .select(['key', 'points', 'expires_at'])
      .where(
        'key',
        'in',
        groups.map(({ key }) => key),
      )
      .execute();
  }

  function refuse(full: ReturnType<typeof fullest>): void {
    if (!full) return;
    recordInRequest({ limit: full.limit });
    onFull?.(full.limit);
    throw new AppError('TOO_MANY', { retryAfterMs: full.waitMs, limit: full.limit });
  }

  /** Releases and resets in one statement; the rows are locked in the order in which they are counted. */
  async function takeBack({ release = [], refund = [], clear = [] }: Settlement): Promise<void> {
    const cleared = clear.map(keyOf);
    const back = [
      ...grouped(release).map(({ key, times }) => ({ key, times, until: '' })),
      ...refund.map(({ key, until }) => ({ key, times: 1, until })),
    ].filter(({ key }) => !cleared.includes(key));
    const keys = [...new Set([...cleared, ...back.map(({ key }) => key)])];
    if (keys.length === 0) return;
    await sql`
      with held as materialized (
        select key, expires_at from limits where key = any(${keys}::text[]) order by key collate "C" for update
      ), gone as (
        delete from limits using held where limits.key = held.key and held.key = any(${cleared}::text[])
      ), back as (
        select held.key, sum(times) as times
        from held join unnest(
          ${back.map(({ key }) => key)}::text[],
          ${back.map(({ times }) => times)}::int[],
          ${back.map(({ until }) => until)}::text[]
        ) as given (key, times, until) on given.key = held.key
        where until = '' or held.expires_at = nullif(until, '')::timestamptz
        group by held.key
      )
      update limits set points = greatest(0, points - back.times) from back where limits.key = back.key
    `.execute(db);
  }

  return {
    /**
     * Counts one use of each, or none when one is refused.
     * @throws AppError TOO_MANY with the time until the longest full window ends
     */
    async consume(...uses: readonly Use[]): Promise<Receipt> {
      const groups = grouped(uses);
      const rows = await count(groups);
      const full = fullest(groups, rows, true);
      if (full) await takeBack({ release: uses });
      refuse(full);
      return rows.map(({ key, points, expires_at }) => ({
        key,
        points,
        room: (groups.find((group) => group.key === key)?.rule.max ?? 0) - points,
        until: expires_at.toISOString(),
      }));
    },
    /** Counts one use of each and returns whether all are still within their rules. */
    async isWithin(...uses: readonly Use[]): Promise<boolean> {
      const groups = grouped(uses);
      const full = fullest(groups, await count(groups), true);
      // A threshold that only raises an alert is not a limit.
      if (full && Object.hasOwn(RATE_LIMITS, full.limit)) onFull?.(full.limit);
      return full === null;
    },
    /** Refuses when a rule is used up, without counting. @throws AppError TOO_MANY */
    async check(...uses: readonly Use[]): Promise<void> {
      const groups = grouped(uses);
      refuse(fullest(groups, await readCounters(groups), false));
    },
    /** Does several of these, and `clear`, in one statement. */
    releaseAndRefund: takeBack,
    /** Releases one counted use of each, because the work succeeded (PRF-04). */
    release: (...uses: readonly Use[]): Promise<void> => takeBack({ release: uses }),
    /** Releases the uses of a receipt at any later time, except in a window that began after them. */
    refund: (receipt: Refundable): Promise<void> => takeBack({ refund: receipt }),
    /** Returns whether a rule is used up, without counting. */
    async isExhausted(...uses: readonly Use[]): Promise<boolean> {
      const groups = grouped(uses);
      return fullest(groups, await readCounters(groups), false) !== null;
    },
    /** Returns the end of the longest full window, without counting; `null` when none is full. */
    async fullUntil(...uses: readonly Use[]): Promise<Date | null> {
      const groups = grouped(uses);
      const full = fullest(groups, await readCounters(groups), false);
      return full && later(clock.now(), full.waitMs);
    },
    /** Begins a window of this use now, with one use counted, whatever was counted before. */
    async reset(use: Use): Promise<void> {
      await insert(grouped([use]), clock.now())
        .onConflict((conflict) =>
          conflict.column('key').doUpdateSet((eb) => ({
            points: eb.ref('excluded.points'),
            expires_at: eb.ref('excluded.expires_at'),
          })),
        )
        .execute();
    },
    /** Returns the start of the current window; `null` when there is none. */
    async startedAt(use: Use): Promise<Date | null> {
      const groups = grouped([use]);
      const [row] = await readCounters(groups);
      if (!row || row.expires_at <= clock.now()) return null;
      return new Date(row.expires_at.getTime() - inForce(use).windowMs);
    },
    clear: (...uses: readonly Use[]): Promise<void> => takeBack({ clear: uses }),
  };
}
