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

type Rest = (facts: VerbFacts) => VerbRest | null;

const ifNot =
  (isSo: (facts: VerbFacts) => boolean, rest: VerbRest): Rest =>
  (facts) =>
    isSo(facts) ? null : rest;
const never: Rest = () => null;
const notActive: Rest = ({ status }) =>
  ({ pending: 'notFinished', inactive: 'switchedOff', active: null } as const)[status];
const whileChanging: Rest = ({ isChanging }) => (isChanging ? 'changeWaits' : null);

const finished = ifNot(({ status }) => status !== 'pending', 'notFinished');

/** The first reason of several. */
const first =
  (...rests: readonly Rest[]): Rest =>
  (facts) => {
    for (const rest of rests) {
      const found = rest(facts);
      if (found !== null) return found;
    }
    return null;
  };
const correctContact = first(
  notActive,
  ifNot(({ isContactHere }) => isContactHere, 'addressElsewhere'),
  whileChanging,
);

const RESTS: Readonly<Record<ConsoleVerb, Rest>> = {
  look: never,
  resend: ifNot(({ resendable }) => resendable !== null, 'nothingWaits'),
  mailReset: first(
    notActive,
    ifNot(({ hasPassword }) => hasPassword, 'noPassword'),
    ifNot(({ isResetHeld }) => !isResetHeld, 'changeWaits'),
    ifNot(({ isMailBack }) => !isMailBack, 'mailComesBack'),
  ),
  unlock: ifNot(({ isLocked }) => isLocked, 'notLocked'),
  endSessions: ifNot(({ sessions }) => sessions > 0, 'noSession'),
  suspend: notActive,
  resume: first(
    finished,
    ifNot(({ status }) => status === 'inactive', 'notSwitchedOff'),
  ),
  giveRole: first(
    finished,
    ifNot(({ rolesToGive }) => rolesToGive > 0, 'noRoleToGive'),
  ),
  takeRole: first(
    finished,
    ifNot(({ rolesToTake }) => rolesToTake > 0, 'noRoleToTake'),
  ),
  correctEmail: correctContact,
  correctPhone: correctContact,
  removeKey: first(
    ifNot(({ keys }) => keys > 0, 'noKey'),
    whileChanging,
  ),
  removeAppCode: first(
    ifNot(({ hasAppCode }) => hasAppCode, 'noAppCode'),
    whileChanging,
  ),
  agree: ({ change }) => (change ? change.rest : 'noChange'),
  stopChange: ifNot(({ change }) => change !== null, 'noChange'),
  mailUndo: ifNot(({ hasOldAddress }) => hasOldAddress, 'noOldAddress'),
  invite: never,
  export: never,
  erase: never,
};

/** Returns why a verb would do nothing now; `null` when it would do something. */
export const restOf = (verb: ConsoleVerb, facts: VerbFacts): VerbRest | null => RESTS[verb](facts);

/** The verbs that help with a cause. The first one mends it. */
const HELPS: Readonly<Record<SignInCause, readonly ConsoleVerb[]>> = {
  switchedOff: ['resume'],
  neverVerified: ['resend'],
  noPassword: ['resend'],
  locked: ['unlock', 'mailReset'],
  noRole: ['giveRole'],
  moduleNotSetUp: [],
  changeWaits: [],
  mailComesBack: ['correctEmail'],
  wrongPassword: ['mailReset'],
  phoneGetsNoTexts: ['resend', 'correctPhone'],
  codeNotTyped: ['resend'],
  appCodeNotTyped: [],
  nothing: [],
};

/** Returns the verb that mends a cause; `null` when none of the console does. */
export const mendOf = (cause: SignInCause): ConsoleVerb | null => HELPS[cause][0] ?? null;

/** Returns whether a verb ends an account. */
export const isGrave = (verb: ConsoleVerb): boolean => verb === 'suspend' || verb === 'erase';

/** Returns where a verb that does something stands on the person's page. While a change waits, its verbs help. */
export function groupOf(verb: ConsoleVerb, cause: SignInCause): 'help' | 'free' | 'grave' {
  if (isGrave(verb)) return 'grave';
  return [...HELPS[cause], 'agree', 'stopChange'].includes(verb) ? 'help' : 'free';
}

/** Verbs that need no code of the last five minutes. */
export const needsProof = (verb: ConsoleVerb): boolean => verb !== 'look' && verb !== 'resend';

const LONGEST_NOTE = 120;

/** Returns whether a note says something, and holds no address and no number: the audit log keeps no personal data. */
export const isNote = (note: string): boolean =>
  note.length >= 2 && note.length <= LONGEST_NOTE && !/@|\d{4}|\p{Cc}/u.test(note);
