import { createRateLimits } from '../abuse/rate-limits.ts';
import type { DeedContext } from '../access/context.ts';
import type { AdminContext } from '../core/context.ts';
import { createCourier } from '../notifications/courier.ts';
import { createDrivers } from '../notifications/drivers/drivers.ts';
import { createNotifications } from '../notifications/notifications.ts';
import { createLogos } from '../subtenants/stored-logos.ts';
import { createSubtenants } from '../subtenants/subtenants.ts';

/** Returns the context of a command with its messages: a running server, or the next one that starts, sends them. */
export function withMessages(command: AdminContext): DeedContext {
  const context = { ...command, rateLimits: createRateLimits(command) };
  // Read at the first mail: a command that sends none, such as a restore, needs no logo.
  let logos: ReturnType<typeof createLogos> | null = null;
  const notifications = createNotifications(context, {
    courier: createCourier(context, createDrivers(context), () => undefined),
    subtenantOf: createSubtenants(context).shown,
    logoOf: (path) => (logos ??= createLogos(command)).ofMail(path),
  });
  return { ...command, notifications };
}
