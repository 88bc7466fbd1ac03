import { html } from '#domain/text/html.ts';
import { CALL_LIFE_MS } from '#domain/proofs/voice.ts';
import type { DeliveryReason } from '#domain/proofs/delivery.ts';
import type { TwilioConfig, TwilioVoiceConfig } from '../../config/delivery-config.ts';
import type { Spoken } from '../spoken-lines.ts';
import type { Driver } from './driver.ts';
import { postToTwilio } from './twilio.ts';

const RING_SECONDS = '30';
/** Twilio's voices have a region besides the language. */
const VOICES: Readonly<Record<string, string>> = { en: 'en-US', es: 'es-US' };
const PAUSE = html`<Pause length="1"/>`;

/** Calls by Twilio's REST API, `Calls.json`. It asks `callbackUrl` what to say, with each step of the call. */
export function createTwilioCalls(
  config: TwilioConfig,
  { from, callbackUrl }: TwilioVoiceConfig,
  timeoutMs: number,
): Driver {
  return {
    provider: 'twilio',
    hasDeliveryReports: true,
    async send({ message, id }) {
      const form = new URLSearchParams({
        To: message.to,
        From: from,
        Url: `${callbackUrl}?call=${id}`,
        StatusCallback: `${callbackUrl}?call=${id}&step=over`,
        Timeout: RING_SECONDS,
        TimeLimit: String(CALL_LIFE_MS / 1000),
      });
      return { providerId: await postToTwilio(config, 'Calls.json', form, timeoutMs) };
    },
  };
}

/** Returns Twilio's instructions: lines to say, and with `keyUrl` a key to wait for; `null`: hang up. */
export function callInstructions(spoken: Spoken | null, keyUrl: string | null): string {
  const { lines = [], language = '' } = spoken ?? {};
  const said = lines.map((line, index) => [
    index > 0 ? PAUSE : '',
    html`<Say language="${VOICES[language] ?? language}">${line}</Say>`,
  ]);
  const asked =
    keyUrl === null
      ? said
      : html`<Gather numDigits="1" finishOnKey="" timeout="10" action="${keyUrl}">${said}</Gather>`;
  const response = html`<Response>${spoken ? asked : ''}<Hangup/></Response>`;
  return `<?xml version="1.0" encoding="UTF-8"?>${response.toString()}`;
}

/** Returns the reason of a call that ended; no code was said unless the right key was pressed before. */
export function callFailure(form: URLSearchParams): DeliveryReason | null {
  const status = form.get('CallStatus') ?? '';
  if (['completed', 'no-answer', 'busy', 'canceled'].includes(status)) return 'unreachable';
  return status === 'failed' ? 'invalid' : null;
}
