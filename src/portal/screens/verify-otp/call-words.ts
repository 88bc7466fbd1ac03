import { delivery as t } from '#texts/delivery.ts';
import { type CallOffer, type Delivery, isComing } from '#domain/proofs/delivery.ts';
import type { PendingOtp } from '#domain/flow/visit.ts';
import { fill } from '#locales/fill.ts';
import { maskedPhoneText } from '../../ui/contacts.tsx';
import { timeText } from './state-text.ts';

/** Returns whether a call brings the code, or has brought it. */
export const isCallComing = (delivery: Delivery | null): boolean =>
  delivery?.call?.state === 'calling' || delivery?.call?.state === 'said';

/** Returns whether no message and no call brings the code: only a new one helps. */
export const isLost = (delivery: Delivery | null): boolean =>
  delivery !== null && !isComing(delivery.messages) && !isCallComing(delivery);

/** "phone ending in 93". */
export function phoneText({ sentTo: { phone } }: Pick<PendingOtp, 'sentTo'>): string {
  return phone === null ? t.theirPhone : maskedPhoneText(phone);
}

/**
 * Returns the state of a call as a sentence; `null` before the first one.
 * @param time its time by the visitor's own clock, which the server does not know
 */
export function callText(
  call: CallOffer | null | undefined,
  otp: Pick<PendingOtp, 'sentTo'>,
  time = fill(t.callAt, { time: timeText(Date.now() - (call?.agoMs ?? 0)) }),
): string | null {
  switch (call?.state) {
    case 'calling':
      return fill(t.calling, { phone: phoneText(otp) });
    case 'said':
      return fill(t.callSaid, { time });
    case 'noAnswer':
      return t.callNoAnswer;
    case 'failed':
      return t.callFailed;
    default:
      return null;
  }
}
