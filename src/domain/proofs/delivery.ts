import { type Channel, OTP_MEDIUM, type OtpMedium } from './otp.ts';

/** The state of a message. `sent`: a provider accepted it; `delivered`: the provider reports its arrival. */
export const DELIVERY_STATES = ['queued', 'sent', 'delivered', 'failed'] as const;
export type DeliveryState = (typeof DELIVERY_STATES)[number];

/**
 * The reason of a message's failure: no such mailbox or number; blocked by its owner or carrier; on the provider's list
 * of bounced addresses; phone off or out of reach; held back by our own limits; no provider accepted it; it expired.
 */
export const DELIVERY_REASONS = [
  'invalid',
  'blocked',
  'suppressed',
  'unreachable',
  'notAllowed',
  'unavailable',
  'expired',
] as const;
export type DeliveryReason = (typeof DELIVERY_REASONS)[number];

/** The state of a call: it rings or asks for the key; the code was said; no key was pressed; no call was made. */
export const CALL_STATES = ['calling', 'said', 'noAnswer', 'failed'] as const;
export type CallState = (typeof CALL_STATES)[number];

/** A call that may be asked for, and the last one with this code. */
export type CallOffer = {
  /** `null`: there was none yet. */
  readonly state: CallState | null;
  /** Milliseconds since it was asked for, or since its code was said. */
  readonly agoMs: number;
  /** Milliseconds until another one may be asked for. */
  readonly againMs: number;
};

/** The states of the messages with a visit's newest code. Times are remainders, because clocks differ. */
export type Delivery = {
  readonly id: string;
  readonly messages: readonly {
    readonly channel: Channel;
    readonly state: DeliveryState;
    readonly reason: DeliveryReason | null;
    /** Milliseconds since it was requested, sent, delivered, or given up. */
    readonly agoMs: number;
    /** The provider will still report its arrival. */
    readonly waitsForReceipt: boolean;
  }[];
  /** Media worth trying instead. */
  readonly otherWays: readonly OtpMedium[];
  /** Whether a new code may be requested before this one expires. */
  readonly canAskNow: boolean;
  /** A call with the code; `null`: none can be made. */
  readonly call: CallOffer | null;
  readonly remainingMs: number;
};

type Progress = { readonly channel: Channel; readonly state: DeliveryState };

/** Returns whether a code is coming: one of its messages has not failed (security R17). */
export function isComing(messages: readonly Progress[]): boolean {
  return messages.length === 0 || messages.some(({ state }) => state !== 'failed');
}

const ONLY = { email: OTP_MEDIUM.email, sms: OTP_MEDIUM.sms } as const;

/** Returns the media to try after a failed message: those whose channel is there, and did not fail. */
export function otherWays(
  medium: OtpMedium,
  messages: readonly Progress[],
  hasTexts: boolean,
): readonly OtpMedium[] {
  const failed = messages.filter(({ state }) => state === 'failed').map(({ channel }) => channel);
  if (failed.length === 0) return [];
  return (hasTexts ? (['email', 'sms'] as const) : (['email'] as const))
    .filter((channel) => !failed.includes(channel))
    .map((channel) => ONLY[channel])
    .filter((way) => way !== medium);
}
