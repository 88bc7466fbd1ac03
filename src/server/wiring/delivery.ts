import { createLeads } from '../leads/leads.ts';
import { createDeliveryReports } from '../notifications/delivery-reports.ts';
import { createDeliveryStatus } from '../notifications/delivery-status.ts';
import { createCallGuard } from '../notifications/call-guard.ts';
import { createCalls } from '../notifications/calls.ts';
import { createDrivers } from '../notifications/drivers/drivers.ts';
import { createCourier } from '../notifications/courier.ts';
import { createLimitAlert } from '../notifications/limit-alert.ts';
import { createNotifications } from '../notifications/notifications.ts';
import { createSmsPumpingGuard } from '../notifications/sms-pumping-guard.ts';
import { createLogos } from '../subtenants/stored-logos.ts';
import { createSubtenants } from '../subtenants/subtenants.ts';
import type { Core } from './core.ts';

export type Delivery = ReturnType<typeof createDelivery>;

/** Creates delivery: mails, texts, calls and leads, with a subtenant's branding. */
export function createDelivery(core: Core) {
  const { context, events, fastify, limitNotes, recordMessage, watchProvider } = core;
  const subtenants = createSubtenants(context);
  const subtenantOf = subtenants.shownLately;
  const logos = createLogos(context);
  const leads = createLeads(context, watchProvider);
  const courier = createCourier(context, createDrivers(context), watchProvider, recordMessage);
  for (const { job } of [courier, leads]) context.outbox.define(job);
  const hasTexts = courier.hasChannel('sms');
  const alert = createLimitAlert(context, fastify.log);
  const guard = createCallGuard(context, alert);
  return {
    subtenants,
    logos,
    leads,
    courier,
    /** A provider sends texts. */
    hasTexts,
    notifications: createNotifications(context, { courier, subtenantOf, logoOf: logos.ofMail }),
    deliveryStatus: createDeliveryStatus(context, hasTexts),
    deliveryReports: createDeliveryReports(context, recordMessage),
    smsGuard: createSmsPumpingGuard(context, { recordHeldBack: limitNotes.heldBack, alert }),
    calls: createCalls({ courier, guard, subtenantOf }),
    /** Returns the state of each provider's breaker, by name. */
    providers: () => ({ ...courier.states(), ...leads.states(), ...events.states() }),
  };
}
