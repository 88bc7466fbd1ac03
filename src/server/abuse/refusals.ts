import type { Audit } from '../audit/audit.ts';
import type { Clock } from '../clock.ts';
import { RATE_LIMITS } from '../config/limits.ts';
import { AppError } from '../http/app-error.ts';
import { toNetwork } from './network.ts';
import type { RateLimits } from './rate-limits.ts';

/** Tells the operator which limit refused. */
export type LimitNotes = {
  /** A request was refused: for the log. Its event in the audit log names the limit already. */
  refused(limit: string, ip: string): Promise<void>;
  /** Something of a request that went on was held back. Errors of another kind are none of its business. */
  heldBack(error: unknown, ip: string): Promise<void>;
};

/** For so long an instance does not ask again whether a note is due: a flood of refusals would ask without end. */
const ASK_MS = 60_000;
/** Limits and networks that an instance remembers; past that the oldest are asked for anew. */
const MOST_REMEMBERED = 10_000;

/** Once an hour for a limit and a network: who is refused and goes on fills neither log nor audit log. */
export function createLimitNotes(deps: {
  readonly clock: Clock;
  readonly rateLimits: RateLimits;
  readonly audit: Audit;
  readonly log: (limit: string) => void;
}): LimitNotes {
  const { clock, rateLimits, audit, log } = deps;
  /** When it was asked, the oldest first. */
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
    async refused(limit, ip) {
      if (await isDue(limit, ip)) log(limit);
    },
    async heldBack(error, ip) {
      const limit = error instanceof AppError ? error.details.limit : undefined;
      if (limit === undefined || !(await isDue(limit, ip))) return;
      log(limit);
      await audit({ kind: 'limit.refused', ip, details: { limit } });
    },
  };
}
