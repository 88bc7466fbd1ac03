import { otpDigits } from '#domain/proofs/otp.ts';

/**
 * Puts typed, pasted, dictated or autofilled text into the boxes of a code. A whole code starts at the first box
 * wherever it arrives; shorter text starts at its own box.
 * @returns the digits of all boxes and the box to focus next
 */
export function spreadDigits(
  boxes: readonly string[],
  at: number,
  text: string,
): { boxes: readonly string[]; next: number } {
  const digits = otpDigits(text);
  const start = digits.length === boxes.length ? 0 : at;
  const filled = boxes.map((old, index) => digits[index - start] ?? old);
  return { boxes: filled, next: Math.min(start + digits.length, boxes.length - 1) };
}

/**
 * Returns the text that a box was given when its value became `value`: typing into a full box adds a character beside
 * the old one, and then only the new one (`typed`) is used.
 */
export function givenText(value: string, typed: string | null): string {
  return typed !== null && /^\d$/.test(typed) ? typed : value;
}
