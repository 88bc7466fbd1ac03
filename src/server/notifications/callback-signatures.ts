import type { FastifyRequest } from 'fastify';
import type { Clock } from '../core/clock.ts';
import type { Config } from '../config/config.ts';
import { AppError } from '../http/app-error.ts';
import { isSame } from '../crypto/secret-box.ts';
import { twilioSignature } from './drivers/twilio.ts';
import { webhookSignature } from './drivers/webhook.ts';

/**
 * Seconds that the time of a signed request may differ, either way: clocks differ, and old ones must not be replayed.
 */
const TOLERANCE_SECONDS = 300;

/**
 * Returns the form and the query of Twilio's callback.
 * @throws AppError FORBIDDEN when the signature is not Twilio's
 */
export function readTwilioForm(
  request: FastifyRequest,
  { publicUrl, twilio }: Pick<Config, 'publicUrl' | 'twilio'>,
): { readonly form: URLSearchParams; readonly query: URLSearchParams } {
  const form = new URLSearchParams(bodyText(request));
  // Twilio signs the address that it was given, whatever a proxy changed in it.
  const url = `${publicUrl}${request.url}`;
  const expected = twilioSignature(twilio?.authToken ?? '', url, form);
  if (!isSame(headerOf(request, 'x-twilio-signature'), expected)) throw new AppError('FORBIDDEN');
  return { form, query: new URL(url).searchParams };
}

/**
 * Returns the JSON of a request that was signed with our webhook's scheme; `null` for a body that is no JSON.
 * @throws AppError FORBIDDEN
 */
export function readSignedJson(
  request: FastifyRequest,
  { clock, key }: { readonly clock: Clock; readonly key: string },
): unknown {
  const body = bodyText(request);
  const timestamp = headerOf(request, 'x-porchlight-timestamp');
  const age = Math.abs(clock.now().getTime() / 1000 - Number(timestamp));
  const expected = webhookSignature(key, timestamp, body);
  const isSigned = isSame(headerOf(request, 'x-porchlight-signature'), expected);
  if (!isSigned || !(age <= TOLERANCE_SECONDS)) throw new AppError('FORBIDDEN');
  try {
    return JSON.parse(body);
  } catch {
    return null;
  }
}

function bodyText({ body }: FastifyRequest): string {
  return typeof body === 'string' ? body : '';
}

function headerOf(request: FastifyRequest, name: string): string {
  const value = request.headers[name];
  return typeof value === 'string' ? value : '';
}
