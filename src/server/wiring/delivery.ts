import { createLeads } from '../leads/leads.ts';
import { createDeliveryReports } from '../notifications/delivery-reports.ts';
import { createDeliveryStatus } from '../notifications/delivery-status.ts';
import { createCallGuard } from '../notifications/call-guard.ts';
import { createCalls } from '../notifications/calls.ts';
import { createDrivers } from '../notifications/drivers/drivers.ts';
import { createCourier } from '../notifications/courier.ts';
import { createNotifications } from '../notifications/notifications.ts';
import { createSmsPumpingGuard } from '../notifications/sms-pumping-guard.ts';
import { createLogos } from '../subtenants/stored-logos.ts';
import { createSubtenants } from '../subtenants/subtenants.ts';
import type { Core } from './core.ts';

export type Delivery = ReturnType<typeof addDelivery>;

/** Adds delivery: mails, texts, calls and leads, with a subtenant's branding. */
export function addDelivery(core: Core) {
  const { context, events, fastify, limitNotes, recordMessage, watchProvider } = core;
  const subtenants = createSubtenants(context);
  const logos = createLogos(context);
  const branding = { subtenantOf: subtenants.shownLately, logoOf: logos.ofMail };
  const leads = createLeads(context, watchProvider);
  const courier = createCourier(context, createDrivers(context), watchProvider, recordMessage);
  for (const { job } of [courier, leads]) context.outbox.define(job);
  const hasTexts = courier.hasChannel('sms');
  /** Alerts the operator about the limits of texts and calls. */
  const alert = (what: 'texts.nearLimit' | 'texts.unusedCodes' | 'calls.nearLimit') => {
    fastify.log.error({ what }, 'texts or calls are held back, or soon will be');
    void context.audit({ kind: what }).catch(() => undefined);
  };
  const guard = createCallGuard(context, alert);
  const notifications = createNotifications(context, { courier, ...branding });
  const noCourier = { queue: async () => undefined };
  return {
    ...core,
    subtenants,
    logos,
    /** A subtenant's name and logo, for messages. */
    branding,
    leads,
    courier,
    /** A provider sends texts. */
    hasTexts,
    notifications,
    context: { ...context, notifications },
    /** Queues none of its messages: the operation tells the person nothing (CON-07). */
    noNotifications: createNotifications(context, { courier: noCourier, ...branding }),
    deliveryStatus: createDeliveryStatus(context, hasTexts),
    deliveryReports: createDeliveryReports(context, recordMessage),
    takeSms: createSmsPumpingGuard(context, { recordHeldBack: limitNotes.heldBack, alert }).take,
    calls: createCalls({ courier, guard, ...branding }),
    /** Returns the state of each provider's breaker, by name. */
    providers: () => ({ ...courier.states(), ...leads.states(), ...events.states() }),
  };
}
