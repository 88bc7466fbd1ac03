import type { DeliveryReason, DeliveryState } from '../proofs/delivery.ts';

/** The state of the newest message of one kind. */
export type LastMessage = {
  readonly state: DeliveryState;
  readonly reason: DeliveryReason | null;
} | null;

/** The facts of an account and of its tries since it last signed in. */
export type SignInFacts = {
  readonly status: 'pending' | 'active' | 'inactive';
  readonly hasPassword: boolean;
  /** The time from which the next password is compared; `null`: at once. */
  readonly lockedUntil: Date | null;
  /** A change that staff agreed to waits until then, and no new password is set; `null`: none waits. */
  readonly changeUntil: Date | null;
  /** Whether one of the roles leads to an app. */
  readonly isRouted: boolean;
  /** The app of a role, if that app is not set up here. */
  readonly missingModule: string | null;
  /** A code of an app is asked for, in place of one that is sent. */
  readonly hasAppCode: boolean;
  readonly lastMail: LastMessage;
  readonly lastText: LastMessage;
  /** The last step, if the account has not signed in since. */
  readonly lastStep: 'wrongPassword' | 'codeSent' | 'wrongCode' | null;
};

export const SIGN_IN_CAUSES = [
  'switchedOff',
  'neverVerified',
  'noPassword',
  'locked',
  'noRole',
  'moduleNotSetUp',
  'changeWaits',
  'mailComesBack',
  'wrongPassword',
  'phoneGetsNoTexts',
  'codeNotTyped',
  'appCodeNotTyped',
  'nothing',
] as const;
export type SignInCause = (typeof SIGN_IN_CAUSES)[number];

/**
 * Returns why a person cannot sign in: the first cause to remove. 'nothing' means that no known fact prevents it. Text
 * and remedy of each cause are in `locales/operator/why-cannot-sign-in.ts`.
 */
export function whyCannotSignIn(facts: SignInFacts): SignInCause {
  const { lastStep, lastMail, lastText } = facts;
  if (facts.status === 'inactive') return 'switchedOff';
  const isMailBack = lastMail?.state === 'failed';
  // Without the mail no proof and no first password is possible.
  if (facts.status === 'pending') return isMailBack ? 'mailComesBack' : 'neverVerified';
  const isHeld = facts.changeUntil !== null;
  if (!facts.hasPassword && isHeld) return 'changeWaits';
  if (!facts.hasPassword) return isMailBack ? 'mailComesBack' : 'noPassword';
  if (facts.lockedUntil !== null) return 'locked';
  if (!facts.isRouted) return 'noRole';
  if (facts.missingModule !== null) return 'moduleNotSetUp';
  if (isHeld && (lastStep === null || lastStep === 'wrongPassword')) return 'changeWaits';
  if (lastStep === null) return 'nothing';
  // A link for a new password would come back as well.
  if (lastStep === 'wrongPassword') return isMailBack ? 'mailComesBack' : 'wrongPassword';
  if (facts.hasAppCode) return 'appCodeNotTyped';
  if (isMailBack) return 'mailComesBack';
  return lastText?.state === 'failed' ? 'phoneGetsNoTexts' : 'codeNotTyped';
}
