import { createLeads, LEAD_JOB } from '../leads/leads.ts';
import { createDeliveryStatus } from '../messaging/delivery-status.ts';
import { createDrivers } from '../messaging/drivers/drivers.ts';
import { createMessenger, MESSAGE_JOB } from '../messaging/messenger.ts';
import { createNotices } from '../messaging/notices.ts';
import { createTextGuard } from '../messaging/text-guard.ts';
import { createSubtenants } from '../subtenants/subtenants.ts';
import type { Core } from './core.ts';

export type Delivery = ReturnType<typeof createDelivery>;

/** What leaves the house: mails, texts, leads, in the look of a subtenant. */
export function createDelivery({ kit, handlers, ends, mourners, fastify, watchProvider }: Core) {
  const messenger = createMessenger(kit, createDrivers(kit), watchProvider);
  const leads = createLeads(kit, watchProvider);
  handlers[MESSAGE_JOB] = messenger.deliver;
  ends[MESSAGE_JOB] = messenger.endOf;
  mourners[MESSAGE_JOB] = messenger.onDead;
  handlers[LEAD_JOB] = leads.deliver;
  const subtenants = createSubtenants(kit);
  return {
    messenger,
    leads,
    subtenants,
    notices: createNotices(kit, { messenger, subtenantOf: subtenants.shown }),
    deliveryStatus: createDeliveryStatus(kit),
    textGuard: createTextGuard(kit, (what) => {
      fastify.log.error({ what }, 'texts are held back, or soon will be');
      void kit.audit({ kind: what }).catch(() => undefined);
    }),
    /** Which providers are given a rest, by name. */
    providers: () => ({ ...messenger.states(), ...leads.states() }),
  };
}
