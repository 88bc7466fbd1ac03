import type { FastifyBaseLogger } from 'fastify';
import type { ServerContext } from '../core/context.ts';

/** Creates the alert of the operator about the limits of texts and calls. */
export const createLimitAlert =
  ({ audit }: Pick<ServerContext, 'audit'>, log: Pick<FastifyBaseLogger, 'error'>) =>
  (what: 'texts.nearLimit' | 'texts.unusedCodes' | 'calls.nearLimit'): void => {
    log.error({ what }, 'texts or calls are held back, or soon will be');
    void audit({ kind: what }).catch(() => undefined);
  };
