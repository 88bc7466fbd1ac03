import { createOutbox } from '../jobs/outbox.ts';
import type { Outbox } from '../jobs/outbox.ts';
import { createCourier } from '../notifications/courier.ts';
import { createDrivers } from '../notifications/drivers/drivers.ts';
import { createNotifications, type Notifications } from '../notifications/notifications.ts';
import { createRateLimits } from '../abuse/rate-limits.ts';
import { createLogos } from '../subtenants/stored-logos.ts';
import { createSubtenants } from '../subtenants/subtenants.ts';
import type { AdminContext, ServerContext } from '../core/context.ts';

/** Creates a command's outbox: a running server, or the next one that starts, delivers its jobs. */
export function createOperatorOutbox({
  db,
  clock,
  secretBox,
}: Pick<AdminContext, 'db' | 'clock' | 'secretBox'>): Outbox {
  // A command sends nothing itself.
  const unused = async () => undefined;
  return createOutbox({ db, clock, secretBox, onError: () => undefined, onDead: unused });
}

/** Creates a command's mails: a running server, or the next one that starts, sends them. */
export function createOperatorMail(command: AdminContext): Notifications {
  const context: ServerContext = {
    ...command,
    outbox: createOperatorOutbox(command),
    rateLimits: createRateLimits(command),
  };
  const courier = command.isSilent
    ? { queue: async () => undefined }
    : createCourier(context, createDrivers(context), () => undefined);
  return createNotifications(context, {
    courier,
    subtenantOf: createSubtenants(context).shown,
    logoOf: createLogos(command).ofMail,
  });
}
