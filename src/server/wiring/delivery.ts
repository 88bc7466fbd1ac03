import { fileURLToPath } from 'node:url';
import { createLeads, LEAD_JOB } from '../leads/leads.ts';
import { createDeliveryStatus } from '../notifications/delivery-status.ts';
import { createDrivers } from '../notifications/drivers/drivers.ts';
import { createMessenger, MESSAGE_JOB } from '../notifications/courier.ts';
import { createNotices } from '../notifications/notifications.ts';
import { createTextGuard } from '../notifications/sms-pumping-guard.ts';
import { loadLogos } from '../subtenants/logos.ts';
import { createSubtenants } from '../subtenants/subtenants.ts';
import type { Core } from './core.ts';

/** Those that come with the product. */
const LOGOS = fileURLToPath(new URL('../../portal/assets/subtenants', import.meta.url));

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
  const { publicUrl, logosDirectory } = kit.config;
  const logos = loadLogos([LOGOS, ...(logosDirectory ? [logosDirectory] : [])]);
  /** A subtenant's logo as mails show it. */
  const logoOf = (logoPath: string) => {
    const logo = logos.forMail(logoPath);
    return logo && { ...logo, url: `${publicUrl}${logo.path}` };
  };
  return {
    messenger,
    leads,
    subtenants,
    findLogo: logos.find,
    logoOf,
    notices: createNotices(kit, { messenger, subtenantOf: subtenants.shown, logoOf }),
    deliveryStatus: createDeliveryStatus(kit),
    textGuard: createTextGuard(kit, (what) => {
      fastify.log.error({ what }, 'texts are held back, or soon will be');
      void kit.audit({ kind: what }).catch(() => undefined);
    }),
    /** Which providers are given a rest, by name. */
    providers: () => ({ ...messenger.states(), ...leads.states() }),
  };
}
