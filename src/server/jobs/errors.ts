import type { DeliveryReason } from '#domain/delivery.ts';

/** The receiver said no, and would say it again: another try is of no use. */
export class PermanentError extends Error {
  override readonly name = 'Refused';
  readonly reason: DeliveryReason;

  constructor(reason: DeliveryReason, message: string) {
    super(message);
    this.reason = reason;
  }
}

/** It may work later. */
export class TransientError extends Error {
  override readonly name = 'Failed';
  /** About this one receiver (a full mailbox, a greylist); the provider itself is well. */
  readonly isRecipientOnly: boolean;

  constructor(message: string, { isOfReceiver = false } = {}) {
    super(message);
    this.isRecipientOnly = isOfReceiver;
  }
}

/** Not even tried: the provider is known to be down. In milliseconds. */
export class CircuitOpenError extends Error {
  override readonly name = 'NotNow';
  readonly waitMs: number;

  constructor(waitMs: number) {
    super('The provider is down');
    this.waitMs = waitMs;
  }
}
