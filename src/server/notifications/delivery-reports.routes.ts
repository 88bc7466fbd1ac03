import type { FastifyInstance, FastifyRequest } from 'fastify';
import * as z from 'zod/mini';
import { DELIVERY_REASONS } from '#domain/proofs/delivery.ts';
import { TWILIO_REPORTS_PATH } from '../config/delivery-config.ts';
import { AppError } from '../http/app-error.ts';
import { addCallScript } from './call-script.routes.ts';
import { readSignedJson, readTwilioForm } from './callback-signatures.ts';
import { twilioReport } from './drivers/twilio.ts';

type Deps = Parameters<typeof addCallScript>[1];

const receiptBody = z.object({
  /** Our id: `id` of the webhook's request, or the part of a mail's Message-ID before the @. */
  id: z.string().check(z.maxLength(64)),
  state: z.enum(['sent', 'delivered', 'failed']),
  reason: z.optional(z.enum(DELIVERY_REASONS)),
});

/**
 * Adds the routes by which providers report deliveries and ask what a call says. They have no cookie and no CSRF token: each request is
 * authenticated by its signature, and the answer to a report has no data.
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
    addCallScript(scope, deps);
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
  const { form, query } = readTwilioForm(request, config);
  const news = twilioReport(form);
  if (!news) return null;
  return { ...news, messageId: query.get('message'), providerId: form.get('MessageSid') };
}

/** @throws AppError FORBIDDEN, BAD_REQUEST */
function readSigned(request: FastifyRequest, { clock, config }: Deps) {
  const key = config.deliveryReportsKey ?? '';
  const parsed = receiptBody.safeParse(readSignedJson(request, { clock, key }));
  if (!parsed.success) throw new AppError('BAD_REQUEST');
  const { id, state, reason } = parsed.data;
  return {
    messageId: id,
    providerId: null,
    state,
    reason: state === 'failed' ? (reason ?? 'unreachable') : null,
  } as const;
}
