import type { MessageChannel } from '#domain/proofs/otp.ts';
import type { ServerContext } from '../../core/context.ts';
import { PermanentError } from '../../jobs/errors.ts';
import { failureReason } from '../../jobs/job.ts';
import type { Driver } from './driver.ts';
import { createInboxDriver } from './inbox.ts';
import { createSmtpDriver } from './smtp.ts';
import { createTwilioCalls } from './twilio-calls.ts';
import { createTwilioDriver } from './twilio.ts';
import { createWebhookDriver } from './webhook.ts';

/** The driver of each channel; `null` for a channel without configuration. */
export type Drivers = Readonly<Record<MessageChannel, Driver | null>>;

/**
 * Creates the drivers from the configuration. Without a provider a demo keeps messages in its inbox; in production such
 * a channel is off.
 */
export function createDrivers(context: Pick<ServerContext, 'db' | 'clock' | 'config'>): Drivers {
  const { clock, config } = context;
  const { mail, smsWebhook, twilio, deliveryReportsKey, providerTimeoutMs: timeoutMs } = config;
  const inbox = config.mode === 'demo' ? createInboxDriver(context) : null;
  const text = twilio
    ? createTwilioDriver(twilio, { deliveryReportsUrl: twilio.deliveryReportsUrl, timeoutMs })
    : smsWebhook
      ? createWebhookDriver(smsWebhook, {
          clock,
          hasDeliveryReports: deliveryReportsKey !== null,
          timeoutMs,
        })
      : inbox;
  const hasWhatsApp = !twilio || twilio.whatsAppFrom !== null;
  return {
    email: mail
      ? createSmtpDriver(mail, { host: new URL(config.publicUrl).hostname, timeoutMs })
      : inbox,
    sms: text,
    whatsapp: hasWhatsApp ? text : null,
    voice: callsOf(config, clock) ?? inbox,
  };
}

function callsOf(
  { voice, twilio, providerTimeoutMs: timeoutMs }: ServerContext['config'],
  clock: ServerContext['clock'],
): Driver | null {
  if (!voice) return null;
  if (voice.by === 'twilio')
    return twilio && triedOnce(createTwilioCalls(twilio, voice, timeoutMs));
  return triedOnce(createWebhookDriver(voice, { clock, hasDeliveryReports: true, timeoutMs }));
}

/** A counted call rings once at most: without an answer nobody knows whether it rang. */
function triedOnce(driver: Driver): Driver {
  return {
    ...driver,
    provider: `${driver.provider}-calls`,
    async send(outgoing) {
      try {
        return await driver.send(outgoing);
      } catch (error) {
        if (error instanceof PermanentError) throw error;
        throw new PermanentError('unavailable', failureReason(error));
      }
    },
  };
}
