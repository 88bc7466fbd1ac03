import { type Channel, OTP_MEDIUM, type OtpMedium } from './otp.ts';

/** How far a message is. `sent`: a provider took it; `delivered`: the provider says that it arrived. */
export const DELIVERY_STATES = ['queued', 'sent', 'delivered', 'failed'] as const;
export type DeliveryState = (typeof DELIVERY_STATES)[number];

/**
 * Why a message failed: no such mailbox or number; blocked by its owner or carrier; on the provider's list of addresses
 * that bounced before; phone off or out of reach; not sent by our own rules; no provider would take it; its time was over.
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

/** What became of the messages that carry a visit's newest code. Times are remainders: clocks differ. */
export type Delivery = {
  readonly id: string;
  readonly messages: readonly {
    readonly channel: Channel;
    readonly state: DeliveryState;
    readonly reason: DeliveryReason | null;
    /** Since it was asked for, sent, delivered, or given up. */
    readonly agoMs: number;
    /** The provider will still say whether it arrived. */
    readonly waitsForReceipt: boolean;
  }[];
  /** Media worth trying instead. */
  readonly otherWays: readonly OtpMedium[];
  /** Whether a new code may be asked for before this one's time is over. */
  readonly canAskNow: boolean;
  readonly remainingMs: number;
};

type Progress = { readonly channel: Channel; readonly state: DeliveryState };

/** A code is coming as long as one of its messages has not failed (security R17). */
export function isComing(messages: readonly Progress[]): boolean {
  return messages.length === 0 || messages.some(({ state }) => state !== 'failed');
}

const ONLY = { email: OTP_MEDIUM.email, sms: OTP_MEDIUM.sms } as const;

/** The media worth trying when a message failed: those whose channel did not. */
export function otherWays(medium: OtpMedium, messages: readonly Progress[]): readonly OtpMedium[] {
  const failed = messages.filter(({ state }) => state === 'failed').map(({ channel }) => channel);
  if (failed.length === 0) return [];
  return (['email', 'sms'] as const)
    .filter((channel) => !failed.includes(channel))
    .map((channel) => ONLY[channel])
    .filter((way) => way !== medium);
}
