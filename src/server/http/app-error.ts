import { type ErrorCode, ERRORS } from '#contract/errors.ts';
import { fields } from '#texts/fields.ts';
import { passwords } from '#texts/passwords.ts';
import { problems } from '#texts/problems.ts';
import { refusals } from '#texts/refusals.ts';
import { fill } from '#locales/fill.ts';
import { spanText } from '#locales/counts.ts';
import { waitMinutes } from '#domain/text/duration.ts';

type Details = {
  /** Replaces the text of the table, for the rare message that names its case. */
  readonly messages?: readonly string[];
  readonly retryAfterMs?: number;
  /** The limit that refused, for the operator, not for the visitor. */
  readonly limit?: string;
};

const TEXTS = { ...passwords, ...fields, ...problems, ...refusals };

/** A refusal with a code of the one table; the error handler turns it into an envelope. */
export class AppError extends Error {
  override readonly name = 'AppError';
  readonly code: ErrorCode;
  readonly details: Details;

  constructor(code: ErrorCode, details: Details = {}) {
    super(code);
    this.code = code;
    this.details = details;
  }

  get status(): number {
    return ERRORS[this.code].status;
  }

  /** The texts for the visitor. */
  get messages(): readonly string[] {
    if (this.details.messages) return this.details.messages;
    const text = TEXTS[ERRORS[this.code].message];
    const minutes = waitMinutes(this.details.retryAfterMs ?? 0);
    return [fill(text, { minutes: spanText(minutes, 'minute'), reference: '' })];
  }
}
