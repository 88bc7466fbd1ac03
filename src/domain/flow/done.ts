/** The messages of a success page (OTP-09 to OTP-11, PWD-09). */
export const DONE_MESSAGES = ['created', 'activated', 'oldPassword', 'passwordSet'] as const;
export type DoneMessage = (typeof DONE_MESSAGES)[number];

/** The query parameter of the message without JavaScript; a script keeps it in the history. */
export const DONE_QUERY = 'done';

/** @param value untrusted */
export const doneMessageIn = (value: unknown): DoneMessage | undefined =>
  DONE_MESSAGES.find((message) => message === value);

/** Returns the attribute of a page's root, such as ` data-done="created"`; nothing for the default message. */
export function doneAttribute(value: unknown): string {
  const message = doneMessageIn(value) ?? 'activated';
  return message === 'activated' ? '' : ` data-done="${message}"`;
}
