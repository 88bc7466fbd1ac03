import type { DeliveryReason } from '#domain/proofs/delivery.ts';

/** The receiver refused for good: another try is useless. */
export class PermanentError extends Error {
  override readonly name = 'PermanentError';
  readonly reason: DeliveryReason;

  constructor(reason: DeliveryReason, message: string) {
    super(message);
    this.reason = reason;
  }
}

/** The try failed; a later one may work. */
export class TransientError extends Error {
  override readonly name = 'TransientError';
  /** The failure concerns only this receiver (a full mailbox, a greylist); the provider itself is healthy. */
  readonly isRecipientOnly: boolean;

  constructor(message: string, { isRecipientOnly = false } = {}) {
    super(message);
    this.isRecipientOnly = isRecipientOnly;
  }
}

/** The provider's circuit is open: the job was not tried. Try again after `waitMs`. */
export class CircuitOpenError extends Error {
  override readonly name = 'CircuitOpenError';
  readonly waitMs: number;

  constructor(waitMs: number) {
    super('The provider is down');
    this.waitMs = waitMs;
  }
}
