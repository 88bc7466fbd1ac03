import type { Message } from '../compose-message.ts';

/** One message as a driver gets it. */
export type OutgoingMessage = {
  readonly message: Message;
  /** The same for every try; also in the address that receipts come to. */
  readonly id: string;
  readonly idempotencyKey: string;
  /** How long the provider may still deliver it, in milliseconds; `null`: as long as it likes. */
  readonly validForMs: number | null;
};

export type Accepted = {
  /** The provider's own id of the message, where it gives one. */
  readonly providerId: string | null;
  /** It is where its receiver reads it. */
  readonly isDelivered?: boolean;
};

/** One way to bring messages to people: a provider behind one port. */
export type Driver = {
  /** For the operator. */
  readonly provider: string;
  /** Whether the provider tells later what became of a message. */
  readonly hasDeliveryReports: boolean;
  /** @throws Refused for good; Failed, or anything else, for another try */
  send(outgoing: OutgoingMessage): Promise<Accepted>;
  close?(): void;
};
