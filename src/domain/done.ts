/** What a page of success says (OTP-09 to OTP-11, PWD-09). */
export const DONE_MESSAGES = ['created', 'activated', 'oldPassword', 'passwordSet'] as const;
export type DoneMessage = (typeof DONE_MESSAGES)[number];

/** The query parameter that says it where no script runs; a script keeps it in the history. */
export const DONE_QUERY = 'done';

/** @param value as anybody may have written it */
export const doneMessageIn = (value: unknown): DoneMessage | undefined =>
  DONE_MESSAGES.find((message) => message === value);

/** What the page's root has for it, such as ` data-done="created"`; nothing for what a page of success says by itself. */
export function doneAttribute(value: unknown): string {
  const message = doneMessageIn(value) ?? 'activated';
  return message === 'activated' ? '' : ` data-done="${message}"`;
}
