import type { DeliveryReason, DeliveryState } from './delivery.ts';

/** What became of the newest message of one kind. */
export type LastMessage = {
  readonly state: DeliveryState;
  readonly reason: DeliveryReason | null;
} | null;

/** What is known of an account and of its tries since it last signed in. */
export type SignInFacts = {
  readonly status: 'pending' | 'active' | 'inactive';
  readonly hasPassword: boolean;
  /** When the next password is compared; `null`: the next one is. */
  readonly lockedUntil: Date | null;
  /** Whether a role is left that leads to an app. */
  readonly isRouted: boolean;
  /** The app of a role that is not set up here. */
  readonly missingModule: string | null;
  readonly lastMail: LastMessage;
  readonly lastText: LastMessage;
  /** What came last, if the account has not signed in since. */
  readonly lastStep: 'wrongPassword' | 'codeSent' | 'wrongCode' | null;
};

export const SIGN_IN_CAUSES = [
  'switchedOff',
  'neverVerified',
  'noPassword',
  'locked',
  'noRole',
  'moduleNotSetUp',
  'mailComesBack',
  'wrongPassword',
  'phoneGetsNoTexts',
  'codeNotTyped',
  'nothing',
] as const;
export type SignInCause = (typeof SIGN_IN_CAUSES)[number];

/**
 * Returns why a person cannot sign in: the first cause that has to be mended. 'nothing' means that no known fact is in
 * the way. The words, and the mend, of each cause stand in `locales/operator/why-cannot-sign-in.ts`.
 */
export function whyCannotSignIn(facts: SignInFacts): SignInCause {
  const { lastStep, lastMail, lastText } = facts;
  if (facts.status === 'inactive') return 'switchedOff';
  const isMailBack = lastMail?.state === 'failed';
  // Without the mail nothing can be proven, and no first password can be set.
  if (facts.status === 'pending') return isMailBack ? 'mailComesBack' : 'neverVerified';
  if (!facts.hasPassword) return isMailBack ? 'mailComesBack' : 'noPassword';
  if (facts.lockedUntil !== null) return 'locked';
  if (!facts.isRouted) return 'noRole';
  if (facts.missingModule !== null) return 'moduleNotSetUp';
  if (lastStep === 'wrongPassword') return 'wrongPassword';
  if (lastStep === null) return 'nothing';
  if (isMailBack) return 'mailComesBack';
  return lastText?.state === 'failed' ? 'phoneGetsNoTexts' : 'codeNotTyped';
}
