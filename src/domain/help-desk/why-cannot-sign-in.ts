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
  /** The organization by whose sign-in the person comes in, or should; `null`: none. */
  readonly organisation: {
    readonly label: string;
    /** `notLinked`: its sign-in was tried, and found no account. `off`: the organization switched the account off. */
    readonly state: 'works' | 'away' | 'notLinked' | 'off';
    /** Password and key open nothing. */
    readonly isOnly: boolean;
  } | null;
  /** The last step, if the account has not signed in since. */
  readonly lastStep: 'wrongPassword' | 'codeSent' | 'wrongCode' | null;
};

export const SIGN_IN_CAUSES = [
  'offByOrganisation',
  'switchedOff',
  'neverVerified',
  'noPassword',
  'locked',
  'noRole',
  'moduleNotSetUp',
  'organisationAway',
  'changeWaits',
  'notLinked',
  'mailComesBack',
  'wrongPassword',
  'phoneGetsNoTexts',
  'codeNotTyped',
  'appCodeNotTyped',
  'nothing',
] as const;
export type SignInCause = (typeof SIGN_IN_CAUSES)[number];

type Cause = readonly [cause: SignInCause, isSo: (facts: SignInFacts) => boolean];

const isMailBack = ({ lastMail }: SignInFacts) => lastMail?.state === 'failed';
const isLinked = ({ organisation }: SignInFacts) =>
  organisation?.state === 'works' || organisation?.state === 'away';
/** A person of an organization needs no password. */
const needsPassword = (facts: SignInFacts) => !facts.hasPassword && !isLinked(facts);
const isHeld = ({ changeUntil }: SignInFacts) => changeUntil !== null;

/** In this order the causes are to be removed. */
const CAUSES: readonly Cause[] = [
  // Only the organization, or an operator who unlinks the account, turns it on again.
  ['offByOrganisation', ({ organisation }) => organisation?.state === 'off'],
  ['switchedOff', ({ status }) => status === 'inactive'],
  // Without the mail no proof and no first password is possible.
  ['mailComesBack', (facts) => facts.status === 'pending' && isMailBack(facts)],
  ['neverVerified', ({ status }) => status === 'pending'],
  ['changeWaits', (facts) => needsPassword(facts) && isHeld(facts)],
  ['mailComesBack', (facts) => needsPassword(facts) && isMailBack(facts)],
  ['noPassword', needsPassword],
  ['organisationAway', ({ organisation }) => organisation?.state === 'away'],
  ['locked', ({ lockedUntil }) => lockedUntil !== null],
  ['noRole', ({ isRouted }) => !isRouted],
  ['moduleNotSetUp', ({ missingModule }) => missingModule !== null],
  ['changeWaits', (facts) => isHeld(facts) && [null, 'wrongPassword'].includes(facts.lastStep)],
  [
    'notLinked',
    ({ organisation, lastStep }) =>
      organisation?.state === 'notLinked' && [null, 'wrongPassword'].includes(lastStep),
  ],
  ['nothing', ({ lastStep }) => lastStep === null],
  // A link for a new password would come back as well.
  ['mailComesBack', (facts) => facts.lastStep === 'wrongPassword' && isMailBack(facts)],
  ['wrongPassword', ({ lastStep }) => lastStep === 'wrongPassword'],
  ['appCodeNotTyped', ({ hasAppCode }) => hasAppCode],
  ['mailComesBack', isMailBack],
  ['phoneGetsNoTexts', ({ lastText }) => lastText?.state === 'failed'],
];

/**
 * Returns why a person cannot sign in: the first cause to remove. 'nothing' means that no known fact prevents it. Text
 * and remedy of each cause are in `locales/operator/why-cannot-sign-in.ts`.
 */
export function whyCannotSignIn(facts: SignInFacts): SignInCause {
  return CAUSES.find(([, isSo]) => isSo(facts))?.[0] ?? 'codeNotTyped';
}
