import type { Kit } from '../context.ts';
import { RULES } from './rate-limit-rules.ts';

export type LookUps = {
  /** Whether this visitor may still be told the truth about addresses (decisions 4, "Enumeration"). */
  isTruthful(visitId: string, ip: string): Promise<boolean>;
};

/** Helpful one at a time, useless in bulk: after a few addresses every answer looks alike (security 1a). */
export function createLookUps({ limits, config, audit }: Kit): LookUps {
  return {
    async isTruthful(visitId, ip) {
      if (config.enumerationProtection === 'off') return true;
      if (config.enumerationProtection === 'strict') return false;
      const isWithin = await limits.isWithin(
        [RULES.lookUpPerIp, ip],
        [RULES.lookUpPerVisit, visitId],
      );
      if (!isWithin) await audit({ kind: 'enumeration.suspected', visitId, ip });
      return isWithin;
    },
  };
}
