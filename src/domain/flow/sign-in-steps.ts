/** The steps of a sign-in as the console counts them, and the causes of stops between them. */

export const SIGN_IN_STEPS = [
  'tried',
  'passwordRight',
  'codeArrived',
  'codeRight',
  'inTheApp',
] as const;
export type SignInStep = (typeof SIGN_IN_STEPS)[number];

export const STOP_CAUSES = [
  'wrongPassword',
  'switchedOff',
  'mailCameBack',
  'noCodeAsked',
  'codeNotTyped',
  'wrongCode',
  'moduleMissing',
  'wentBack',
] as const;
export type StopCause = (typeof STOP_CAUSES)[number];

/** A share of fewer visits than these says nothing. */
export const FEWEST_VISITS = 20;

/** Returns the share of a number in the first one, in whole hundredths. */
export const stepShare = (part: number, whole: number): number =>
  whole === 0 ? 0 : Math.round((part / whole) * 100);
