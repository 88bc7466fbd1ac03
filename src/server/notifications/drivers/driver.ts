import type { Message } from '../compose-message.ts';

/** One message as a driver gets it. */
export type OutgoingMessage = {
  readonly message: Message;
  /** The same for every try; also in the address of delivery reports. */
  readonly id: string;
  readonly idempotencyKey: string;
  /** Milliseconds in which the provider may still deliver it; `null`: no limit. */
  readonly validForMs: number | null;
};

export type Accepted = {
  /** The provider's own id of the message, if it returns one. */
  readonly providerId: string | null;
  /** Whether the message is already readable by its receiver. */
  readonly isDelivered?: boolean;
};

/** A channel's provider behind one port. */
export type Driver = {
  /** For the operator. */
  readonly provider: string;
  /** Whether the provider reports deliveries later. */
  readonly hasDeliveryReports: boolean;
  /**
   * Sends a message.
   * @throws PermanentError for good; TransientError, or anything else, for another try
   */
  send(outgoing: OutgoingMessage): Promise<Accepted>;
  close?(): void;
};
