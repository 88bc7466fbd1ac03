import type { Audit } from '../audit/audit.ts';
import { RATE_LIMITS } from '../config/limits.ts';
import { AppError } from '../http/app-error.ts';
import type { RateLimits } from './rate-limits.ts';

/** Tells the operator which limit refused. */
export type LimitNotes = {
  /** A request was refused: for the log. Its event in the audit log names the limit already. */
  refused(limit: string, ip: string): Promise<void>;
  /** Something of a request that went on was held back. Errors of another kind are none of its business. */
  heldBack(error: unknown, ip: string): Promise<void>;
};

/** Once an hour for a limit and a network: who is refused and goes on fills neither log nor audit log. */
export function createLimitNotes(deps: {
  readonly rateLimits: RateLimits;
  readonly audit: Audit;
  readonly log: (limit: string) => void;
}): LimitNotes {
  const { rateLimits, audit, log } = deps;
  const isDue = (limit: string, ip: string) =>
    rateLimits.isWithin([RATE_LIMITS.refusalNotice, limit, ip]);
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
