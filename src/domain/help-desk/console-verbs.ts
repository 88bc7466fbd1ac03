/** The verbs of the console: whom each may concern, when it would do something, and which one mends a cause. */

import { latinDigits } from '../typed/digits.ts';
import type { ConsoleRole, PersonKind } from './console-rights.ts';
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

const MEMBERS: readonly PersonKind[] = ['member'];
const PEOPLE: readonly PersonKind[] = ['member', 'staff', 'elsewhere'];
const EVERY_ROLE = { helpDesk: MEMBERS, operator: PEOPLE } as const;
const OPERATORS_ALONE = { helpDesk: [], operator: PEOPLE } as const;

/** What is the same wherever a verb is offered or done. Its deed is in `src/server/staff-console/people/verbs.ts`. */
type VerbRow = {
  /** Whom it may concern, by the console role of the staff member: nobody acts on oneself or on a colleague. */
  readonly rights: Readonly<Record<ConsoleRole, readonly PersonKind[]>>;
  readonly rest: Rest;
  /** It ends an account. */
  readonly isGrave?: true;
  /** It needs no code of the last five minutes. */
  readonly isUnproven?: true;
};

/** In the order of the person's page. docs/operations/help-desk.md draws the rights. */
const VERBS = {
  look: { rights: EVERY_ROLE, rest: never, isUnproven: true },
  resend: {
    rights: EVERY_ROLE,
    rest: ifNot(({ resendable }) => resendable !== null, 'nothingWaits'),
    isUnproven: true,
  },
  mailReset: {
    rights: EVERY_ROLE,
    rest: first(
      notActive,
      ifNot(({ hasPassword }) => hasPassword, 'noPassword'),
      ifNot(({ isResetHeld }) => !isResetHeld, 'changeWaits'),
      ifNot(({ isMailBack }) => !isMailBack, 'mailComesBack'),
    ),
  },
  unlock: { rights: EVERY_ROLE, rest: ifNot(({ isLocked }) => isLocked, 'notLocked') },
  endSessions: { rights: EVERY_ROLE, rest: ifNot(({ sessions }) => sessions > 0, 'noSession') },
  suspend: { rights: EVERY_ROLE, rest: notActive, isGrave: true },
  resume: {
    rights: EVERY_ROLE,
    rest: first(
      finished,
      ifNot(({ status }) => status === 'inactive', 'notSwitchedOff'),
    ),
  },
  giveRole: {
    rights: EVERY_ROLE,
    rest: first(
      finished,
      ifNot(({ rolesToGive }) => rolesToGive > 0, 'noRoleToGive'),
    ),
  },
  takeRole: {
    rights: EVERY_ROLE,
    rest: first(
      finished,
      ifNot(({ rolesToTake }) => rolesToTake > 0, 'noRoleToTake'),
    ),
  },
  correctEmail: { rights: EVERY_ROLE, rest: correctContact },
  correctPhone: { rights: EVERY_ROLE, rest: correctContact },
  removeKey: {
    rights: EVERY_ROLE,
    rest: first(
      notActive,
      ifNot(({ keys }) => keys > 0, 'noKey'),
      whileChanging,
    ),
  },
  removeAppCode: {
    rights: EVERY_ROLE,
    rest: first(
      notActive,
      ifNot(({ hasAppCode }) => hasAppCode, 'noAppCode'),
      whileChanging,
    ),
  },
  agree: { rights: EVERY_ROLE, rest: ({ change }) => (change ? change.rest : 'noChange') },
  stopChange: { rights: EVERY_ROLE, rest: ifNot(({ change }) => change !== null, 'noChange') },
  mailUndo: {
    rights: EVERY_ROLE,
    rest: ifNot(({ hasOldAddress }) => hasOldAddress, 'noOldAddress'),
  },
  invite: { rights: EVERY_ROLE, rest: never },
  export: { rights: OPERATORS_ALONE, rest: never },
  erase: { rights: OPERATORS_ALONE, rest: never, isGrave: true },
} as const satisfies Readonly<Record<string, VerbRow>>;

export type ConsoleVerb = keyof typeof VERBS;
const rowOf = (verb: ConsoleVerb): VerbRow => VERBS[verb];

export const CONSOLE_VERBS = Object.keys(VERBS) as readonly ConsoleVerb[];

/** Returns whether a console role has a verb for a kind of person. */
export const mayDo = (role: ConsoleRole, verb: ConsoleVerb, kind: PersonKind): boolean =>
  rowOf(verb).rights[role].includes(kind);

/** Returns why a verb would do nothing now; `null` when it would do something. */
export const restOf = (verb: ConsoleVerb, facts: VerbFacts): VerbRest | null =>
  rowOf(verb).rest(facts);

/** Returns whether a verb ends an account. */
export const isGrave = (verb: ConsoleVerb): boolean => rowOf(verb).isGrave === true;

/** Returns whether a verb needs a code of the last five minutes. */
export const needsProof = (verb: ConsoleVerb): boolean => rowOf(verb).isUnproven !== true;

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

/** Returns where a verb that does something stands on the person's page. While a change waits, its verbs help. */
export function groupOf(verb: ConsoleVerb, cause: SignInCause): 'help' | 'free' | 'grave' {
  if (isGrave(verb)) return 'grave';
  return [...HELPS[cause], 'agree', 'stopChange'].includes(verb) ? 'help' : 'free';
}

const LONGEST_NOTE = 120;

/** Returns whether a note says something, and holds no address and no number: the audit log keeps no personal data. */
export const isNote = (note: string): boolean =>
  note.length >= 2 && note.length <= LONGEST_NOTE && !/@|\d{4}|\p{Cc}/u.test(latinDigits(note));
