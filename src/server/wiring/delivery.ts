import { createLeads } from '../leads/leads.ts';
import { createDeliveryStatus } from '../notifications/delivery-status.ts';
import { createCallGuard } from '../notifications/call-guard.ts';
import { createCalls } from '../notifications/calls.ts';
import { createDrivers } from '../notifications/drivers/drivers.ts';
import { createCourier } from '../notifications/courier.ts';
import { createNotifications } from '../notifications/notifications.ts';
import { createSmsPumpingGuard } from '../notifications/sms-pumping-guard.ts';
import { loadConfiguredLogos } from '../subtenants/logos.ts';
import { createStoredLogos } from '../subtenants/stored-logos.ts';
import { createSubtenants } from '../subtenants/subtenants.ts';
import type { Core } from './core.ts';

export type Delivery = ReturnType<typeof createDelivery>;

/** Assembles delivery: mails, texts and leads, with a subtenant's branding. */
export function createDelivery({
  context,
  events,
  fastify,
  limitNotes,
  recordMessage,
  watchProvider,
}: Core) {
  const courier = createCourier(context, createDrivers(context), watchProvider, recordMessage);
  const leads = createLeads(context, watchProvider);
  for (const { job } of [courier, leads]) context.outbox.define(job);
  const subtenants = createSubtenants(context);
  const { publicUrl } = context.config;
  const logos = loadConfiguredLogos(context.config);
  const storedLogo = createStoredLogos(context.db);
  /** A subtenant's logo as mails show it. */
  const logoOf = (logoPath: string) => {
    const logo = logos.forMail(logoPath);
    return logo && { ...logo, url: `${publicUrl}${logo.path}` };
  };
  const alert = (what: 'texts.nearLimit' | 'texts.unusedCodes' | 'calls.nearLimit') => {
    fastify.log.error({ what }, 'texts or calls are held back, or soon will be');
    void context.audit({ kind: what }).catch(() => undefined);
  };
  const hasTexts = courier.hasChannel('sms');
  return {
    courier,
    /** A provider sends texts. */
    hasTexts,
    leads,
    subtenants,
    findLogo: async (file: string) => logos.find(file) ?? storedLogo(file),
    logoOf,
    notifications: createNotifications(context, {
      courier,
      subtenantOf: subtenants.shownLately,
      logoOf,
    }),
    deliveryStatus: createDeliveryStatus(context, hasTexts),
    smsGuard: createSmsPumpingGuard(context, {
      recordHeldBack: limitNotes.heldBack,
      alert,
    }),
    calls: createCalls({
      courier,
      guard: createCallGuard(context, alert),
      subtenantOf: subtenants.shownLately,
    }),
    /** The state of each provider's breaker, by name. */
    providers: () => ({ ...courier.states(), ...leads.states(), ...events.states() }),
  };
}
