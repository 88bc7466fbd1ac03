import type { ServerContext } from '../context.ts';
import { RATE_LIMITS } from '../config/limits.ts';

export type EnumerationGuard = {
  /** Whether this visitor may still be told the truth about addresses (SRV-25). */
  mayDisclose(visitId: string, ip: string): Promise<boolean>;
};

/** Helpful one at a time, useless in bulk: after a few addresses every answer looks alike (security 1a). */
export function createEnumerationGuard({
  rateLimits,
  config,
  audit,
}: ServerContext): EnumerationGuard {
  return {
    async mayDisclose(visitId, ip) {
      if (config.enumerationProtection === 'off') return true;
      if (config.enumerationProtection === 'strict') return false;
      const isWithin = await rateLimits.isWithin(
        [RATE_LIMITS.lookUpPerIp, ip],
        [RATE_LIMITS.lookUpPerIpADay, ip],
        [RATE_LIMITS.lookUpPerVisit, visitId],
      );
      if (!isWithin) await audit({ kind: 'enumeration.suspected', visitId, ip });
      return isWithin;
    },
  };
}
