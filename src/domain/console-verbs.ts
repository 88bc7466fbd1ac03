/** When a verb of the console would do something, and which verb mends a cause. */

import type { ConsoleVerb } from './console-rights.ts';
import type { SignInCause } from './why-cannot-sign-in.ts';

/** The message that a resend sends again: the link of a sign-up, that of an invitation, or the code of a sign-in. */
export type Resendable = 'signUp' | 'invitation' | 'code';

/** The reason why a verb would do nothing now. */
export type VerbRest =
  | 'notLocked'
  | 'noSession'
  | 'mailComesBack'
  | 'switchedOff'
  | 'notSwitchedOff'
  | 'notFinished'
  | 'noPassword'
  | 'nothingWaits'
  | 'noRoleToGive'
  | 'noRoleToTake'
  | 'addressElsewhere'
  | 'noKey'
  | 'noAppCode'
  | 'noChange'
  | 'noOldAddress'
  | 'changeWaits'
  | AgreeRest;

/** Why a staff member cannot agree to a change that waits. */
export type AgreeRest = 'agreedAlready' | 'otherPerson' | 'notOpened';

export type VerbFacts = {
  readonly status: 'pending' | 'active' | 'inactive';
  readonly hasPassword: boolean;
  /** A counter of the person is full. */
  readonly isLocked: boolean;
  readonly sessions: number;
  readonly isMailBack: boolean;
  /** A change that was agreed to waits: no new password is set before. */
  readonly isResetHeld: boolean;
  readonly resendable: Resendable | null;
  readonly rolesToGive: number;
  readonly rolesToTake: number;
  /** Addresses and numbers are here, and not with a tenant. */
  readonly isContactHere: boolean;
  readonly keys: number;
  readonly hasAppCode: boolean;
  /** An address was changed within 72 hours, and can be had back. */
  readonly hasOldAddress: boolean;
  /** The change that waits, and why this staff member cannot agree; `null`: none waits. */
  readonly change: { readonly rest: AgreeRest | null } | null;
  /** A change of the account waits, or can still be undone. */
  readonly isChanging: boolean;
};

/** Returns why a verb would do nothing now; `null` when it would do something. */
export function restOf(verb: ConsoleVerb, facts: VerbFacts): VerbRest | null {
  const { status } = facts;
  switch (verb) {
    case 'resend':
      return facts.resendable === null ? 'nothingWaits' : null;
    case 'mailReset':
      if (status === 'inactive') return 'switchedOff';
      if (status === 'pending') return 'notFinished';
      if (!facts.hasPassword) return 'noPassword';
      if (facts.isResetHeld) return 'changeWaits';
      return facts.isMailBack ? 'mailComesBack' : null;
    case 'unlock':
      return facts.isLocked ? null : 'notLocked';
    case 'endSessions':
      return facts.sessions > 0 ? null : 'noSession';
    case 'suspend':
      if (status === 'inactive') return 'switchedOff';
      return status === 'pending' ? 'notFinished' : null;
    case 'resume':
      return status === 'inactive' ? null : 'notSwitchedOff';
    case 'giveRole':
      if (status === 'pending') return 'notFinished';
      return facts.rolesToGive > 0 ? null : 'noRoleToGive';
    case 'takeRole':
      return facts.rolesToTake > 0 ? null : 'noRoleToTake';
    case 'correctEmail':
    case 'correctPhone':
      if (status !== 'active') return status === 'pending' ? 'notFinished' : 'switchedOff';
      if (!facts.isContactHere) return 'addressElsewhere';
      return facts.isChanging ? 'changeWaits' : null;
    case 'removeKey':
      if (facts.keys === 0) return 'noKey';
      return facts.isChanging ? 'changeWaits' : null;
    case 'removeAppCode':
      if (!facts.hasAppCode) return 'noAppCode';
      return facts.isChanging ? 'changeWaits' : null;
    case 'agree':
      return facts.change ? facts.change.rest : 'noChange';
    case 'stopChange':
      return facts.change ? null : 'noChange';
    case 'mailUndo':
      return facts.hasOldAddress ? null : 'noOldAddress';
    case 'look':
    case 'invite':
    case 'export':
    case 'erase':
      return null;
  }
}

const MENDS: Readonly<Record<SignInCause, ConsoleVerb | null>> = {
  switchedOff: 'resume',
  neverVerified: 'resend',
  noPassword: 'resend',
  locked: 'unlock',
  noRole: 'giveRole',
  moduleNotSetUp: null,
  changeWaits: null,
  mailComesBack: 'correctEmail',
  wrongPassword: 'mailReset',
  phoneGetsNoTexts: 'resend',
  codeNotTyped: 'resend',
  appCodeNotTyped: null,
  nothing: null,
};

/** Returns the verb that mends a cause; `null` when none of the console does. */
export const mendOf = (cause: SignInCause): ConsoleVerb | null => MENDS[cause];

/** Verbs that need no code of the last five minutes. */
export const needsProof = (verb: ConsoleVerb): boolean => verb !== 'look' && verb !== 'resend';

const LONGEST_NOTE = 120;

/** Returns whether a note says something, and holds no address and no number: the audit log keeps no personal data. */
export const isNote = (note: string): boolean =>
  note.length >= 2 && note.length <= LONGEST_NOTE && !/@|\d{4}|\p{Cc}/u.test(note);
