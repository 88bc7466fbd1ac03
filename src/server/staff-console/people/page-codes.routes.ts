import { givePageCode, screenNamed } from '../../people/page-codes.ts';
import { RATE_LIMITS } from '../../config/limits.ts';
import type { ServerContext } from '../../core/context.ts';
import type { Binder } from '../../http/bind.ts';

/** Binds the call that gives a page the six letters of its help card. */
export function bindPageCodes(bind: Binder, context: ServerContext): void {
  bind('givePageCode', async ({ visit, ip, body }) => {
    await context.rateLimits.consume([RATE_LIMITS.pageCodePerIp, ip]);
    const { code, expiresAt } = await givePageCode(context, visit.id, screenNamed(body.screen));
    return { code, remainingMs: expiresAt.getTime() - context.clock.now().getTime() };
  });
}
