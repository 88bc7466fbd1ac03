import { createHmac } from 'node:crypto';
import type { DeliveryReason, DeliveryState } from '#domain/proofs/delivery.ts';
import type { TwilioConfig } from '../../config/delivery-config.ts';
import { isFinalRefusal, postOut } from '../../http/outbound.ts';
import { TransientError, PermanentError } from '../../jobs/errors.ts';
import type { Message } from '../compose-message.ts';
import type { Driver, OutgoingMessage } from './driver.ts';

/** Bounds of Twilio's `ValidityPeriod`, in seconds. */
const LONGEST_VALIDITY = 36_000;

/**
 * Twilio's permanent error codes, by their meaning for the person who waits (https://www.twilio.com/docs/api/errors).
 * Requests answer with the first group, reports with the second.
 */
const REASONS: Readonly<Record<number, DeliveryReason>> = {
  21211: 'invalid',
  21214: 'invalid',
  21217: 'invalid',
  21265: 'invalid',
  21401: 'invalid',
  21421: 'invalid',
  21614: 'invalid',
  21635: 'invalid',
  63024: 'invalid',
  21610: 'blocked',
  21408: 'notAllowed',
  21219: 'notAllowed',
  21612: 'unreachable',

  30003: 'unreachable',
  30004: 'blocked',
  30005: 'invalid',
  30006: 'invalid',
  30007: 'blocked',
  30034: 'blocked',
  30036: 'expired',
  30410: 'unreachable',
  63003: 'invalid',
  63016: 'unavailable',
};

/** SMS and WhatsApp by Twilio's REST API, `Messages.json`. */
export function createTwilioDriver(
  config: TwilioConfig,
  {
    deliveryReportsUrl,
    timeoutMs,
  }: { readonly deliveryReportsUrl: string | null; readonly timeoutMs: number },
): Driver {
  return {
    provider: 'twilio',
    hasDeliveryReports: deliveryReportsUrl !== null,
    async send(outgoing) {
      const form = messageForm(config, outgoing, deliveryReportsUrl);
      return { providerId: await postToTwilio(config, 'Messages.json', form, timeoutMs) };
    },
  };
}

/** Creates a message or a call at Twilio. @returns Twilio's id of it @throws PermanentError, TransientError */
export async function postToTwilio(
  { apiUrl, accountSid, authToken }: TwilioConfig,
  resource: 'Messages.json' | 'Calls.json',
  form: URLSearchParams,
  timeoutMs: number,
): Promise<string> {
  const { status, text } = await postOut({
    url: `${apiUrl}/2010-04-01/Accounts/${accountSid}/${resource}`,
    headers: {
      authorization: `Basic ${Buffer.from(`${accountSid}:${authToken}`).toString('base64')}`,
      'content-type': 'application/x-www-form-urlencoded',
      accept: 'application/json',
    },
    body: form.toString(),
    timeoutMs,
  });
  const { sid, code } = parse(text);
  if (status >= 200 && status < 300 && typeof sid === 'string') return sid;
  throw refusal(status, Number(code));
}

function messageForm(
  config: TwilioConfig,
  { message, id, validForMs }: OutgoingMessage,
  deliveryReportsUrl: string | null,
): URLSearchParams {
  const form = new URLSearchParams();
  if (message.channel === 'whatsapp') {
    if (config.whatsAppFrom === null)
      throw new PermanentError('unavailable', 'No sender for WhatsApp');
    form.set('To', `whatsapp:${message.to}`);
    form.set('From', `whatsapp:${config.whatsAppFrom}`);
  } else {
    form.set('To', message.to);
    form.set(config.from.startsWith('MG') ? 'MessagingServiceSid' : 'From', config.from);
  }
  writeContent(form, config, message);
  if (validForMs !== null) {
    const seconds = Math.floor(validForMs / 1000);
    form.set('ValidityPeriod', String(Math.min(Math.max(seconds, 1), LONGEST_VALIDITY)));
  }
  if (deliveryReportsUrl) form.set('StatusCallback', `${deliveryReportsUrl}?message=${id}`);
  return form;
}

/** WhatsApp accepts a first message only as an approved template. */
function writeContent(form: URLSearchParams, config: TwilioConfig, message: Message): void {
  const code = message.code ?? /#(\d+)\s*$/.exec(message.text)?.[1];
  if (message.channel === 'whatsapp' && config.whatsAppContentSid && code) {
    form.set('ContentSid', config.whatsAppContentSid);
    form.set('ContentVariables', JSON.stringify({ 1: code }));
  } else {
    form.set('Body', message.text);
  }
}

function parse(text: string): { sid?: unknown; code?: unknown } {
  try {
    return Object(JSON.parse(text));
  } catch {
    return {};
  }
}

function refusal(status: number, code: number): Error {
  const text = `Twilio answered ${status}${code ? `, error ${code}` : ''}`;
  const reason = REASONS[code];
  if (reason) return new PermanentError(reason, text);
  // Concerns our account or key: an operator can correct it, and the message may still be needed then.
  const isOurs = status === 401 || status === 403;
  return isFinalRefusal(status) && !isOurs
    ? new PermanentError('unavailable', text)
    : new TransientError(text);
}

/**
 * Returns Twilio's signature of a callback: HMAC-SHA-1, in base64, of the called address and the sorted fields of the
 * form.
 */
export function twilioSignature(authToken: string, url: string, form: URLSearchParams): string {
  const fields = [...new Set(form.keys())]
    .toSorted()
    .map((name) =>
      [...new Set(form.getAll(name))]
        .toSorted()
        .map((value) => name + value)
        .join(''),
    )
    .join('');
  return createHmac('sha1', authToken)
    .update(url + fields)
    .digest('base64');
}

/** Returns the report of a status callback; `null` for an intermediate stage. */
export function twilioReport(
  form: URLSearchParams,
): { readonly state: DeliveryState; readonly reason: DeliveryReason | null } | null {
  switch (form.get('MessageStatus') ?? form.get('SmsStatus')) {
    case 'sent':
      return { state: 'sent', reason: null };
    case 'delivered':
    case 'read':
      return { state: 'delivered', reason: null };
    case 'undelivered':
    case 'failed':
      return {
        state: 'failed',
        reason: REASONS[Number(form.get('ErrorCode'))] ?? 'unreachable',
      };
    default:
      return null;
  }
}
