import { sql } from 'kysely';
import { noteInRequest } from '../audit/request-context.ts';
import type { Clock } from '../clock.ts';
import { type LimitSettings, RATE_LIMITS, type RateLimit } from '../config/limits.ts';
import type { Db } from '../db/database.ts';
import type { SecretBox } from '../crypto/secret-box.ts';
import { AppError } from '../http/app-error.ts';
import { toNetwork } from './network.ts';

/** One thing that is counted: a rule, and whom or what it counts, in one part or several. Named twice it counts twice. */
export type Use = readonly [rule: RateLimit, ...subject: readonly string[]];

/** A counted use, to be given back when it turns out right; `until` names the window it was counted in. */
type Counted = { readonly key: string; readonly points: number; readonly until: string };
export type Receipt = readonly Counted[];
type Refundable = readonly Pick<Counted, 'key' | 'until'>[];

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
  /** Whether a rule is used up, without counting. */
  isUsedUp(...uses: readonly Use[]): Promise<boolean>;
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
    for (const use of uses) {
      const key = keyOf(use);
      const group = groups.get(key) ?? { key, rule: inForce(use), times: 0 };
      groups.set(key, { ...group, times: group.times + 1 });
    }
    // In one order for everybody: two requests that count the same rows never wait for each other in a circle.
    return [...groups.values()].toSorted((a, b) => (a.key < b.key ? -1 : 1));
  }
  type Group = ReturnType<typeof grouped>[number];

  async function count(groups: readonly Group[]): Promise<readonly Row[]> {
    const now = clock.now();
    const plain = groups.filter(({ rule }) => !rule.isDoubling);
    const rows = plain.length > 0 ? await countPlain(plain, now) : [];
    const others = groups.filter(({ rule }) => rule.isDoubling);
    for (const group of others) rows.push(await countDoubling(group, now));
    return rows;
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

  function countPlain(groups: readonly Group[], now: Date): Promise<Row[]> {
    return insert(groups, now)
      .onConflict((conflict) =>
        conflict.column('key').doUpdateSet({
          points: sql`case when limits.expires_at <= ${now} then excluded.points else limits.points + excluded.points end`,
          expires_at: sql`case when limits.expires_at <= ${now} then excluded.expires_at else limits.expires_at end`,
        }),
      )
      .returning(['key', 'points', 'expires_at'])
      .execute();
  }

  /** The use that fills a window begins the wait; one that was waited out makes the next one twice as long. */
  function countDoubling(group: Group, now: Date): Promise<Row> {
    const { max, windowMs } = group.rule;
    const isOver = sql`limits.expires_at <= ${now}`;
    const forgottenAt = new Date(now.getTime() - DAY_MS);
    const locks = sql<number>`case when not ${isOver} then limits.locks
      when limits.expires_at <= ${forgottenAt} then 0
      when limits.points >= ${max} then limits.locks + 1 else limits.locks end`;
    const waitSeconds = sql`least(${DAY_MS / 1000}::float8, ${windowMs / 1000}::float8 * power(2, least(limits.locks, 20)))`;
    return insert([group], now)
      .onConflict((conflict) =>
        conflict.column('key').doUpdateSet({
          points: sql`case when ${isOver} then excluded.points else limits.points + excluded.points end`,
          locks,
          expires_at: sql`case when ${isOver} then excluded.expires_at
            when limits.points < ${max} and limits.points + excluded.points >= ${max}
              then ${now}::timestamptz + ${waitSeconds} * interval '1 second'
            else limits.expires_at end`,
        }),
      )
      .returning(['key', 'points', 'expires_at'])
      .executeTakeFirstOrThrow();
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

  async function subtract(groups: readonly Group[]): Promise<void> {
    for (const { key, times } of groups) {
      await db
        .updateTable('limits')
        .set({ points: sql`greatest(0, points - ${times})` })
        .where('key', '=', key)
        .execute();
    }
  }

  return {
    async take(...uses) {
      const groups = grouped(uses);
      const rows = await count(groups);
      const full = fullest(groups, rows, true);
      if (full) await subtract(groups);
      refuse(full);
      return rows.map(({ key, points, expires_at }) => ({
        key,
        points,
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
    giveBack: (...uses) => subtract(grouped(uses)),
    async refund(receipt) {
      for (const { key, until } of receipt) {
        await db
          .updateTable('limits')
          .set({ points: sql`greatest(0, points - 1)` })
          .where('key', '=', key)
          .where('expires_at', '=', new Date(until))
          .execute();
      }
    },
    async isUsedUp(...uses) {
      const groups = grouped(uses);
      return fullest(groups, await look(groups), false) !== null;
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
    async clear(...uses) {
      await db.deleteFrom('limits').where('key', 'in', uses.map(keyOf)).execute();
    },
  };
}

function toCount(row: Row, now: Date): Count {
  return { key: row.key, points: row.points, leftMs: row.expires_at.getTime() - now.getTime() };
}
