import { firstLetters } from '#domain/text/first-letters.ts';

export type Job = {
  readonly kind: string;
  readonly payload: Readonly<Record<string, unknown>>;
  /** The same for every try: receivers ignore a repeated one. */
  readonly idempotencyKey: string;
  /** A later delivery would be useless. */
  readonly expiresAt?: Date;
};

/**
 * Delivers a job to its receiver.
 * @throws PermanentError when no further try can help; CircuitOpenError when it was not tried; RetryLater when there is
 * nothing to finish yet. Any other error counts as a failed try.
 */
export type Handler = (
  payload: Record<string, unknown>,
  idempotencyKey: string,
  expiresAt: Date | null,
) => Promise<void>;

/** Returns the present expiry of a job whose expiry can move; `null` when the job is no longer needed. */
type ExpiryOf = (idempotencyKey: string, expiresAt: Date | null) => Promise<Date | null>;

/** The definition of one kind of job. The kind is stored: it never changes. */
export type JobDefinition = {
  readonly kind: string;
  readonly deliver: Handler;
  /** Left out: a job expires at its first expiry. */
  readonly expiryOf?: ExpiryOf;
  /** Called when a job is given up. */
  readonly onDead?: (job: DeadJob) => Promise<void>;
};

/** A job that was given up. */
export type DeadJob = {
  readonly id: string;
  readonly kind: string;
  readonly idempotencyKey: string;
  readonly cause: unknown;
  readonly isExpired: boolean;
  /** The content is kept, so that an operator can send it again. */
  readonly isKept: boolean;
};

/** Thrown when there is nothing to finish yet: the job is tried again without a warning. */
export class RetryLater extends Error {}

export type JobTraces = {
  /** Returns the trace to store with a new job. */
  parent(): string | null;
  job(
    about: { readonly kind: string; readonly attempt: number; readonly parent: unknown },
    work: () => Promise<void>,
  ): Promise<void>;
};

/** Returns a receiver's text, short and on one line, for the operator. */
export function failureReason(error: unknown): string {
  const text = error instanceof Error ? error.message : 'unknown';
  return firstLetters(text.replace(/\s+/g, ' '), 500);
}
