import type { ServerContext } from '../core/context.ts';
import { RATE_LIMITS } from '../config/limits.ts';

export type EnumerationGuard = ReturnType<typeof createEnumerationGuard>;

/** Creates the guard: truthful for a few addresses, then every answer is alike (security D5). */
export function createEnumerationGuard({ rateLimits, config, audit }: ServerContext) {
  return {
    /** Returns whether this visitor may still get truthful answers about addresses (SRV-25). */
    async mayDisclose(visitId: string, ip: string): Promise<boolean> {
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
