import { delivery as t } from '#locales/en/delivery.ts';
import type { Delivery } from '#domain/delivery.ts';
import { fill } from '#locales/fill.ts';

type Message = Delivery['messages'][number];

/** After this long the line says more than "on its way". */
const SLOW_QUEUE_MS = 10_000;
const SLOW_RECEIPT_MS = 20_000;

/**
 * How far a message is.
 * @param time when that was: by the visitor's own clock, which the server does not know
 */
export function stateText(
  { state, agoMs, waitsForReceipt }: Message,
  time = timeText(Date.now() - agoMs),
): string {
  switch (state) {
    case 'queued':
      return agoMs > SLOW_QUEUE_MS ? t.stillTrying : t.onItsWay;
    case 'sent': {
      const isSlow = waitsForReceipt && agoMs > SLOW_RECEIPT_MS;
      return isSlow ? fill(t.notYet, { time }) : fill(t.sent, { time });
    }
    case 'delivered':
      return fill(t.delivered, { time });
    default:
      return t.failed;
  }
}

/** "3:04 pm", or "15:04" where the clock has 24 hours. */
function timeText(at: number): string {
  return new Intl.DateTimeFormat(undefined, { timeStyle: 'short' })
    .format(at)
    .replaceAll('\u202f', ' ')
    .toLowerCase();
}
