import type { FastifyInstance } from 'fastify';
import * as z from 'zod/mini';
import { CALL_KEY } from '#domain/proofs/voice.ts';
import type { Clock } from '../core/clock.ts';
import type { Config } from '../config/config.ts';
import { TWILIO_CALLS_PATH } from '../config/delivery-config.ts';
import { AppError } from '../http/app-error.ts';
import { readSignedJson, readTwilioForm } from './callback-signatures.ts';
import type { CallScript } from './calls.ts';
import type { DeliveryReports } from './delivery-reports.ts';
import { callFailure, callInstructions } from './drivers/twilio-calls.ts';

type Deps = {
  readonly callScript: CallScript;
  readonly deliveryReports: DeliveryReports;
  readonly clock: Clock;
  readonly config: Pick<Config, 'publicUrl' | 'twilio' | 'deliveryReportsKey' | 'voice'>;
};

const pressBody = z.object({ id: z.uuid() });
const isId = (text: string) => z.uuid().safeParse(text).success;

/** Adds the routes by which a provider asks what a call says. The scope reads bodies as text, for their signature. */
export function addCallScript(scope: FastifyInstance, deps: Deps): void {
  const { callScript, deliveryReports, clock, config } = deps;
  const { voice, deliveryReportsKey: key } = config;
  if (voice?.by === 'twilio') {
    scope.post(TWILIO_CALLS_PATH, async (request, reply) => {
      const { form, query } = readTwilioForm(request, config);
      const callId = query.get('call') ?? '';
      if (!isId(callId)) throw new AppError('BAD_REQUEST');
      if (query.get('step') === 'over') {
        const reason = callFailure(form);
        const report = { messageId: callId, providerId: null, state: 'failed', reason } as const;
        if (reason) await deliveryReports.take(report);
        return reply.status(204).send();
      }
      const isPressed = form.get('Digits') === CALL_KEY;
      const spoken = isPressed
        ? await callScript.press(callId, form.get('CallSid') ?? '')
        : await callScript.ask(callId);
      const keyUrl = isPressed ? null : `${voice.callbackUrl}?call=${callId}`;
      return reply.type('text/xml; charset=utf-8').send(callInstructions(spoken, keyUrl));
    });
  }
  if (voice?.by === 'webhook' && key !== null) {
    scope.post('/api/Messaging/Voice', async (request) => {
      const parsed = pressBody.safeParse(readSignedJson(request, { clock, key }));
      if (!parsed.success) throw new AppError('BAD_REQUEST');
      const spoken = await callScript.press(parsed.data.id);
      if (!spoken) throw new AppError('CONFLICT');
      return { say: spoken.lines, language: spoken.language };
    });
  }
}
