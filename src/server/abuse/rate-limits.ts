import { sql } from 'kysely';
import { noteInRequest } from '../audit/request-context.ts';
import { type Clock, later } from '../clock.ts';
import { type LimitSettings, RATE_LIMITS, type RateLimit } from '../config/limits.ts';
import type { Db } from '../db/database.ts';
import type { SecretBox } from '../crypto/secret-box.ts';
import { AppError } from '../http/app-error.ts';
import { toNetwork } from './network.ts';

/** One thing that is counted: a rule, and whom or what it counts, in one part or several. Named twice it counts twice. */
export type Use = readonly [rule: RateLimit, ...subject: readonly string[]];

/** A counted use, to be given back when it turns out right; `until` names the window it was counted in, `room` is what that has left. */
type Counted = {
  readonly key: string;
  readonly points: number;
  readonly room: number;
  readonly until: string;
};
export type Receipt = readonly Counted[];
type Refundable = readonly Pick<Counted, 'key' | 'until'>[];

/** What of the counted is taken back, and which uses begin anew; what is cleared need not be given back. */
type Settlement = {
  readonly giveBack?: readonly Use[];
  readonly refund?: Refundable;
  readonly clear?: readonly Use[];
};

export type RateLimits = {
  /**
   * Counts one use of each, or none: what is refused is not counted.
   * @throws AppError TOO_MANY with the time until the longest full window ends.
   */
  take(...uses: readonly Use[]): Promise<Receipt>;
  /** Counts one use of each and tells whether all are still within their rules. */
  isWithin(...uses: readonly Use[]): Promise<boolean>;
  /** Refuses when a rule is used up, without counting. @throws AppError TOO_MANY */
  check(...uses: readonly Use[]): Promise<void>;
  /** Takes back one counted use of each: what was counted before the work turned out right (PRF-04). */
  giveBack(...uses: readonly Use[]): Promise<void>;
  /** Takes back what a receipt names, however much later: a window that has begun anew meanwhile keeps its count. */
  refund(receipt: Refundable): Promise<void>;
  /** Several of these, and `clear`, at once. */
  settle(settlement: Settlement): Promise<void>;
  /** Whether a rule is used up, without counting. */
  isUsedUp(...uses: readonly Use[]): Promise<boolean>;
  /** When the longest full window of these ends, without counting; `null` when none is full. */
  fullUntil(...uses: readonly Use[]): Promise<Date | null>;
  /** Begins a window of this use now, with one use counted, whatever was counted before. */
  restart(use: Use): Promise<void>;
  /** When the window under way began; `null` when there is none. */
  begunAt(use: Use): Promise<Date | null>;
  clear(...uses: readonly Use[]): Promise<void>;
};

type Count = { readonly key: string; readonly points: number; readonly leftMs: number };
type Row = { readonly key: string; readonly points: number; readonly expires_at: Date };

/** How long the doubling of a wait is remembered, and the longest wait. */
const DAY_MS = 24 * 60 * 60 * 1000;

/** Where a use is counted. Addresses that people typed, also of strangers, are not kept in the clear. */
export function rateLimitKey(secretBox: Pick<SecretBox, 'hmac'>, [rule, ...subject]: Use): string {
  const counter = rule.counter ?? rule.name;
  return `${counter}:${secretBox.hmac('rate-limit', JSON.stringify(subject.map(toNetwork)))}`;
}

/**
 * Counters in the database, shared by all instances and moved by Porchlight's clock (decision 003).
 * One statement counts, so parallel requests can never share a point.
 */
export function createRateLimits(deps: {
  readonly db: Db;
  readonly clock: Clock;
  readonly secretBox: Pick<SecretBox, 'hmac'>;
  /** Widens the default numbers. */
  readonly factor: number;
  readonly settings: LimitSettings;
  /** Told of each limit that was full when somebody used it. */
  readonly onFull?: (limit: string) => void;
}): RateLimits {
  const { db, clock, secretBox, factor, settings, onFull } = deps;
  const keyOf = (use: Use) => rateLimitKey(secretBox, use);

  /** The numbers that hold: a threshold lasts as long as the counter it looks at. */
  function inForce([rule]: Use): RateLimit {
    const own = settings[rule.name] ?? { max: rule.max * factor, windowMs: rule.windowMs };
    const windowMs = settings[rule.counter ?? rule.name]?.windowMs ?? own.windowMs;
    return { ...rule, max: own.max, windowMs };
  }

  /** Uses by key, with how often each is named. */
  function grouped(uses: readonly Use[]) {
    const groups = new Map<string, { readonly key: string; rule: RateLimit; times: number }>();
    for (const [use, named] of Map.groupBy(uses, (each) => each)) {
      const key = keyOf(use);
      const group = groups.get(key) ?? { key, rule: inForce(use), times: 0 };
      groups.set(key, { ...group, times: group.times + named.length });
    }
    // In one order for everybody: two requests that count the same rows never wait for each other in a circle.
    return [...groups.values()].toSorted((a, b) => (a.key < b.key ? -1 : 1));
  }
  type Group = ReturnType<typeof grouped>[number];

  /**
   * One statement, whatever is counted. A use that fills a window which doubles begins the wait; one that was waited out
   * makes the next one twice as long.
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

  /** The rule that holds longest and how long; `spare` is what it still has to allow beyond the count. */
  function fullest(groups: readonly Group[], rows: readonly Row[], isCounted: boolean) {
    const now = clock.now();
    let longest: { readonly limit: string; readonly waitMs: number } | null = null;
    for (const { key, rule, times } of groups) {
      const row = rows.find((each) => each.key === key);
      const { points, leftMs } = row ? toCount(row, now) : { points: 0, leftMs: 0 };
      const isFull = leftMs > 0 && points + (isCounted ? 0 : times) > rule.max;
      if (isFull && leftMs > (longest?.waitMs ?? 0)) longest = { limit: rule.name, waitMs: leftMs };
    }
    return longest;
  }

  async function look(groups: readonly Group[]): Promise<readonly Row[]> {
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
    noteInRequest({ limit: full.limit });
    onFull?.(full.limit);
    throw new AppError('TOO_MANY', { retryAfterMs: full.waitMs, limit: full.limit });
  }

  /** One statement for all that is taken back and cleared; the rows are locked in the order in which they are counted. */
  async function takeBack({ giveBack = [], refund = [], clear = [] }: Settlement): Promise<void> {
    const cleared = clear.map(keyOf);
    const back = [
      ...grouped(giveBack).map(({ key, times }) => ({ key, times, until: '' })),
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
    async take(...uses) {
      const groups = grouped(uses);
      const rows = await count(groups);
      const full = fullest(groups, rows, true);
      if (full) await takeBack({ giveBack: uses });
      refuse(full);
      return rows.map(({ key, points, expires_at }) => ({
        key,
        points,
        room: (groups.find((group) => group.key === key)?.rule.max ?? 0) - points,
        until: expires_at.toISOString(),
      }));
    },
    async isWithin(...uses) {
      const groups = grouped(uses);
      const full = fullest(groups, await count(groups), true);
      // Shares of a limit that only an alert looks at are no limit.
      if (full && Object.hasOwn(RATE_LIMITS, full.limit)) onFull?.(full.limit);
      return full === null;
    },
    async check(...uses) {
      const groups = grouped(uses);
      refuse(fullest(groups, await look(groups), false));
    },
    settle: takeBack,
    giveBack: (...uses) => takeBack({ giveBack: uses }),
    refund: (receipt) => takeBack({ refund: receipt }),
    async isUsedUp(...uses) {
      const groups = grouped(uses);
      return fullest(groups, await look(groups), false) !== null;
    },
    async fullUntil(...uses) {
      const groups = grouped(uses);
      const full = fullest(groups, await look(groups), false);
      return full && later(clock.now(), full.waitMs);
    },
    async restart(use) {
      await insert(grouped([use]), clock.now())
        .onConflict((conflict) =>
          conflict.column('key').doUpdateSet((eb) => ({
            points: eb.ref('excluded.points'),
            expires_at: eb.ref('excluded.expires_at'),
          })),
        )
        .execute();
    },
    async begunAt(use) {
      const groups = grouped([use]);
      const [row] = await look(groups);
      if (!row || row.expires_at <= clock.now()) return null;
      return new Date(row.expires_at.getTime() - inForce(use).windowMs);
    },
    clear: (...uses) => takeBack({ clear: uses }),
  };
}

function toCount(row: Row, now: Date): Count {
  return { key: row.key, points: row.points, leftMs: row.expires_at.getTime() - now.getTime() };
}
