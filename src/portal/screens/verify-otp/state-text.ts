import { delivery as t } from '#texts/delivery.ts';
import type { Delivery } from '#domain/proofs/delivery.ts';
import { fill } from '#locales/fill.ts';

export type Message = Delivery['messages'][number];

/** Milliseconds after which the line says more than "on its way". */
const SLOW_QUEUE_MS = 10_000;
const SLOW_RECEIPT_MS = 20_000;

/** Reasons of messages that were sent and refused on the way. The others were never sent. */
const REFUSED: ReadonlySet<Message['reason']> = new Set(['invalid', 'blocked', 'unreachable']);

/** Returns whether a failed message was on its way at all. */
export const wasOnItsWay = ({ reason }: Message) => REFUSED.has(reason);

/**
 * Returns the state of a message in words.
 * @param time its time by the visitor's own clock, which the server does not know
 */
export function stateText(message: Message, time = timeText(Date.now() - message.agoMs)): string {
  const { state, agoMs, waitsForReceipt, channel } = message;
  switch (state) {
    case 'queued':
      return agoMs > SLOW_QUEUE_MS ? t.stillTrying : t.onItsWay;
    case 'sent': {
      const isSlow = waitsForReceipt && agoMs > SLOW_RECEIPT_MS;
      return isSlow ? t.notYet : fill(t.sent, { time });
    }
    case 'delivered':
      return fill(t.delivered, { time });
    default:
      if (!wasOnItsWay(message)) return t.notSent;
      return channel === 'email' ? t.cameBack : t.notThere;
  }
}

/** Returns the failure of a message as a sentence. */
export function failureText(message: Message): string {
  if (message.channel === 'email') return wasOnItsWay(message) ? t.mailBack : t.mailNotSent;
  return wasOnItsWay(message) ? t.textNotThere : t.textNotSent;
}

/** "3:04 pm", or "15:04" where the clock has 24 hours. */
export function timeText(at: number): string {
  return new Intl.DateTimeFormat(undefined, { timeStyle: 'short' })
    .format(at)
    .replaceAll('\u202f', ' ')
    .toLowerCase();
}
