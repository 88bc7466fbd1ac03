import { MINUTE_MS } from '#domain/text/duration.ts';
import type { Audit } from '../audit/audit.ts';
import type { Clock } from '../core/clock.ts';
import { RATE_LIMITS } from '../config/limits.ts';
import { AppError } from '../http/app-error.ts';
import { toNetwork } from './network.ts';
import type { RateLimits } from './rate-limits.ts';

/** Records the limits that refused, for the operator. */
export type LimitNotes = ReturnType<typeof createLimitNotes>;

/**
 * Milliseconds in which an instance does not ask again whether a note is due, so that a flood of refusals costs no
 * queries.
 */
const ASK_MS = MINUTE_MS;
/** Limits and networks that an instance remembers; above that the oldest are dropped. */
const MOST_REMEMBERED = 10_000;

/**
 * Creates notes once an hour for a limit and a network, so that a flood of refusals fills neither log nor audit log.
 */
export function createLimitNotes(deps: {
  readonly clock: Clock;
  readonly rateLimits: RateLimits;
  readonly audit: Audit;
  readonly log: (limit: string) => void;
}) {
  const { clock, rateLimits, audit, log } = deps;
  /** The times of the questions, the oldest first. */
  const asked = new Map<string, number>();

  async function isDue(limit: string, ip: string): Promise<boolean> {
    const key = `${limit} ${toNetwork(ip)}`;
    const now = clock.now().getTime();
    if (now - (asked.get(key) ?? -Infinity) < ASK_MS) return false;
    asked.delete(key);
    if (asked.size >= MOST_REMEMBERED) asked.delete(asked.keys().next().value ?? '');
    asked.set(key, now);
    return rateLimits.isWithin([RATE_LIMITS.refusalNotice, limit, ip]);
  }

  return {
    /** Logs a refused request. Its audit event already names the limit. */
    async refused(limit: string, ip: string): Promise<void> {
      if (await isDue(limit, ip)) log(limit);
    },
    /** Records that a part of a successful request was held back. Ignores other errors. */
    async heldBack(error: unknown, ip: string): Promise<void> {
      const limit = error instanceof AppError ? error.details.limit : undefined;
      if (limit === undefined || !(await isDue(limit, ip))) return;
      log(limit);
      await audit({ kind: 'limit.refused', ip, details: { limit } });
    },
  };
}
