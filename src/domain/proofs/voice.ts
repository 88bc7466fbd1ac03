import type { CallOffer, CallState, DeliveryReason, DeliveryState } from './delivery.ts';
import { mediumChannels, channelContact, type OtpMedium } from './otp.ts';
import { MINUTE_MS } from '../text/duration.ts';

/** Milliseconds between two calls with one code. */
export const CALL_PAUSE_MS = MINUTE_MS;
/** Milliseconds after which a call without any news was not answered. */
export const CALL_LIFE_MS = 120_000;
/** The key that has to be pressed before a digit is said: a mailbox that records presses none (VOI-03). */
export const CALL_KEY = '1';

/** A call as it is stored: it has the states of a message. */
export type StoredCall = {
  readonly state: DeliveryState;
  readonly reason: DeliveryReason | null;
  readonly queued_at: Date;
  readonly delivered_at: Date | null;
};

/** Returns the offer of a call with a code, from its last call. */
export function callOffer(last: StoredCall | undefined, now: Date): CallOffer {
  if (!last) return { state: null, agoMs: 0, againMs: 0 };
  const since = (at: Date) => Math.max(0, now.getTime() - at.getTime());
  const askedAgoMs = since(last.queued_at);
  return {
    state: storedCallState(last, askedAgoMs),
    agoMs: since(last.delivered_at ?? last.queued_at),
    againMs: Math.max(0, CALL_PAUSE_MS - askedAgoMs),
  };
}

function storedCallState({ state, reason }: StoredCall, askedAgoMs: number): CallState {
  if (state === 'delivered') return 'said';
  if (state === 'failed') return reason === 'unreachable' ? 'noAnswer' : 'failed';
  return askedAgoMs < CALL_LIFE_MS ? 'calling' : 'noAnswer';
}

/** Returns whether a call is worth offering: a text was asked for, or this phone gets none. */
export function isCallOffered(medium: OtpMedium, isLandline: boolean): boolean {
  return (
    isLandline || mediumChannels(medium).some((channel) => channelContact(channel) === 'phone')
  );
}
