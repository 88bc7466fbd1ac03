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
  readonly remainingMs: number;
};

type Progress = { readonly channel: Channel; readonly state: DeliveryState };

/** Returns whether a code is coming: one of its messages has not failed (security R17). */
export function isComing(messages: readonly Progress[]): boolean {
  return messages.length === 0 || messages.some(({ state }) => state !== 'failed');
}

const ONLY = { email: OTP_MEDIUM.email, sms: OTP_MEDIUM.sms } as const;

/** Returns the media to try after a failed message: those whose channel did not fail. */
export function otherWays(medium: OtpMedium, messages: readonly Progress[]): readonly OtpMedium[] {
  const failed = messages.filter(({ state }) => state === 'failed').map(({ channel }) => channel);
  if (failed.length === 0) return [];
  return (['email', 'sms'] as const)
    .filter((channel) => !failed.includes(channel))
    .map((channel) => ONLY[channel])
    .filter((way) => way !== medium);
}
