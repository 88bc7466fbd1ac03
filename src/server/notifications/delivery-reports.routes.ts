import type { FastifyInstance, FastifyRequest } from 'fastify';
import * as z from 'zod/mini';
import { DELIVERY_REASONS } from '#domain/delivery.ts';
import type { Clock } from '../clock.ts';
import type { Config } from '../config/config.ts';
import { TWILIO_REPORTS_PATH } from '../config/delivery-config.ts';
import { AppError } from '../http/app-error.ts';
import { isSame } from '../crypto/secret-box.ts';
import { twilioReport, twilioSignature } from './drivers/twilio.ts';
import { webhookSignature } from './drivers/webhook.ts';
import type { DeliveryReports } from './delivery-reports.ts';

type Deps = {
  readonly deliveryReports: DeliveryReports;
  readonly clock: Clock;
  readonly config: Pick<Config, 'publicUrl' | 'twilio' | 'deliveryReportsKey'>;
};

/**
 * Seconds that the time of a signed report may differ, either way: clocks differ, and old reports must not be replayed.
 */
const TOLERANCE_SECONDS = 300;

const receiptBody = z.object({
  /** Our id: `id` of the webhook's request, or the part of a mail's Message-ID before the @. */
  id: z.string().check(z.maxLength(64)),
  state: z.enum(['sent', 'delivered', 'failed']),
  reason: z.optional(z.enum(DELIVERY_REASONS)),
});

/**
 * Adds the routes by which providers report deliveries. They have no cookie and no CSRF token: each request is
 * authenticated by its signature, and the answer has no data.
 */
export async function installDeliveryReports(app: FastifyInstance, deps: Deps): Promise<void> {
  const { deliveryReports, config } = deps;
  await app.register(async (scope) => {
    // The signature covers the raw bytes.
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser(
      ['application/json', 'application/x-www-form-urlencoded'],
      { parseAs: 'string' },
      async (_request: FastifyRequest, body: string) => body,
    );
    if (config.twilio) {
      scope.post(TWILIO_REPORTS_PATH, async (request, reply) => {
        const receipt = readTwilio(request, deps);
        if (receipt) await deliveryReports.take(receipt);
        return reply.status(204).send();
      });
    }
    if (config.deliveryReportsKey !== null) {
      scope.post('/api/Messaging/Receipts', async (request, reply) => {
        await deliveryReports.take(readSigned(request, deps));
        return reply.status(204).send();
      });
    }
  });
}

/** @throws AppError FORBIDDEN when the signature is not Twilio's */
function readTwilio(request: FastifyRequest, { config }: Deps) {
  const form = new URLSearchParams(bodyOf(request));
  // Twilio signs the address that it was given, whatever a proxy changed in it.
  const url = `${config.publicUrl}${request.url}`;
  const expected = twilioSignature(config.twilio?.authToken ?? '', url, form);
  if (!isSame(headerOf(request, 'x-twilio-signature'), expected)) throw new AppError('FORBIDDEN');
  const news = twilioReport(form);
  if (!news) return null;
  const messageId = new URL(url).searchParams.get('message');
  return { ...news, messageId, providerId: form.get('MessageSid') };
}

/** @throws AppError FORBIDDEN, BAD_REQUEST */
function readSigned(request: FastifyRequest, { clock, config }: Deps) {
  const body = bodyOf(request);
  const timestamp = headerOf(request, 'x-porchlight-timestamp');
  const age = Math.abs(clock.now().getTime() / 1000 - Number(timestamp));
  const expected = webhookSignature(config.deliveryReportsKey ?? '', timestamp, body);
  const isSigned = isSame(headerOf(request, 'x-porchlight-signature'), expected);
  if (!isSigned || !(age <= TOLERANCE_SECONDS)) throw new AppError('FORBIDDEN');
  const parsed = receiptBody.safeParse(jsonOf(body));
  if (!parsed.success) throw new AppError('BAD_REQUEST');
  const { id, state, reason } = parsed.data;
  return {
    messageId: id,
    providerId: null,
    state,
    reason: state === 'failed' ? (reason ?? 'unreachable') : null,
  } as const;
}

function bodyOf({ body }: FastifyRequest): string {
  return typeof body === 'string' ? body : '';
}

function headerOf(request: FastifyRequest, name: string): string {
  const value = request.headers[name];
  return typeof value === 'string' ? value : '';
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
