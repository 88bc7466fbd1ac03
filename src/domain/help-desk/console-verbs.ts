/** The verbs of the console: whom each may concern, when it would do something, and which one mends a cause. */

import { latinDigits } from '../typed/digits.ts';
import type { RoleId } from '../people/roles.ts';
import {
  type ConsoleGrant,
  type ConsoleRole,
  type ConsoleStaff,
  mayHandle,
  type PersonKind,
  personKindOf,
} from './console-rights.ts';
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
  | 'offByOrganisation'
  | 'keptByOrganisation'
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
export type AgreeRest = 'agreedAlready' | 'otherPerson' | 'notOpened' | 'notIndependent';

export type VerbFacts = {
  readonly status: 'pending' | 'active' | 'inactive';
  readonly hasPassword: boolean;
  /** The directory of an organisation keeps the account: no password is set here. */
  readonly isKept: boolean;
  /** That directory switched the account off. */
  readonly isOffByOrganisation: boolean;
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
const notActive: Rest = ({ status }) =>
  ({ pending: 'notFinished', inactive: 'switchedOff', active: null } as const)[status];
/** The code of a sign-in by the organisation may be sent again. */
const notKept: Rest = ({ isKept, resendable }) =>
  isKept && resendable !== 'code' ? 'keptByOrganisation' : null;
const whileChanging: Rest = ({ isChanging }) => (isChanging ? 'changeWaits' : null);
const finished = ifNot(({ status }) => status !== 'pending', 'notFinished');
const contactHere = ifNot(({ isContactHere }) => isContactHere, 'addressElsewhere');

/** Whom a verb may concern, by the console role of the staff member: nobody acts on oneself or on a colleague. */
const RIGHTS: Readonly<Record<ConsoleRole, readonly PersonKind[]>> = {
  helpDesk: ['member'],
  administrator: ['member', 'staff'],
  operator: ['member', 'staff', 'elsewhere'],
};

/** What is the same wherever a verb is offered or done. Its deed is in `src/server/staff-console/people/verbs.ts`. */
type VerbRow = {
  /** The first one that is there counts. */
  readonly rests: readonly Rest[];
  /** Neither a help desk nor an administrator has it. */
  readonly isOperators?: true;
  /** An administrator has it for staff of the house, too. */
  readonly isForStaff?: true;
  /** It ends an account. */
  readonly isGrave?: true;
  /** It needs no code of the last five minutes. */
  readonly isUnproven?: true;
};

/** In the order of the person's page. docs/operations/help-desk.md draws the rights. */
const VERBS = {
  look: { rests: [], isUnproven: true, isForStaff: true },
  resend: {
    rests: [notKept, ifNot(({ resendable }) => resendable !== null, 'nothingWaits')],
    isUnproven: true,
    isForStaff: true,
  },
  mailReset: {
    isForStaff: true,
    rests: [
      notActive,
      notKept,
      ifNot(({ hasPassword }) => hasPassword, 'noPassword'),
      ifNot(({ isResetHeld }) => !isResetHeld, 'changeWaits'),
      ifNot(({ isMailBack }) => !isMailBack, 'mailComesBack'),
    ],
  },
  unlock: { rests: [ifNot(({ isLocked }) => isLocked, 'notLocked')], isForStaff: true },
  endSessions: { rests: [ifNot(({ sessions }) => sessions > 0, 'noSession')], isForStaff: true },
  suspend: { rests: [notActive], isGrave: true, isForStaff: true },
  resume: {
    isForStaff: true,
    rests: [
      finished,
      ifNot(({ status }) => status === 'inactive', 'notSwitchedOff'),
      ifNot(({ isOffByOrganisation }) => !isOffByOrganisation, 'offByOrganisation'),
    ],
  },
  giveRole: {
    rests: [finished, ifNot(({ rolesToGive }) => rolesToGive > 0, 'noRoleToGive')],
    isForStaff: true,
  },
  takeRole: {
    rests: [finished, ifNot(({ rolesToTake }) => rolesToTake > 0, 'noRoleToTake')],
    isForStaff: true,
  },
  correctEmail: { rests: [notActive, contactHere, whileChanging] },
  correctPhone: { rests: [notActive, contactHere, whileChanging] },
  removeKey: { rests: [notActive, ifNot(({ keys }) => keys > 0, 'noKey'), whileChanging] },
  removeAppCode: {
    rests: [notActive, ifNot(({ hasAppCode }) => hasAppCode, 'noAppCode'), whileChanging],
  },
  agree: { rests: [({ change }) => (change ? change.rest : 'noChange')] },
  stopChange: { rests: [ifNot(({ change }) => change !== null, 'noChange')] },
  mailUndo: { rests: [ifNot(({ hasOldAddress }) => hasOldAddress, 'noOldAddress')] },
  invite: { rests: [], isForStaff: true },
  export: { rests: [], isOperators: true },
  erase: { rests: [], isOperators: true, isGrave: true },
} as const satisfies Readonly<Record<string, VerbRow>>;

export type ConsoleVerb = keyof typeof VERBS;
const verbRow = (verb: ConsoleVerb): VerbRow => VERBS[verb];

export const CONSOLE_VERBS = Object.keys(VERBS) as readonly ConsoleVerb[];

/** Returns whether a console role has a verb for a kind of person. */
export const mayDo = (role: ConsoleRole, verb: ConsoleVerb, kind: PersonKind): boolean =>
  RIGHTS[role].includes(kind) &&
  (role === 'operator' || verbRow(verb).isOperators !== true) &&
  (role !== 'administrator' || kind !== 'staff' || verbRow(verb).isForStaff === true);

/** Returns whether a staff member may invite a new person to the own house for a role. */
export function mayInvite(
  staff: ConsoleStaff,
  roleId: RoleId,
  grants: readonly ConsoleGrant[],
): boolean {
  const { subtenantId } = staff;
  const newcomer = { id: 0, subtenantId, roleIds: [roleId], administers: null };
  return (
    mayHandle(staff, roleId, subtenantId, grants) &&
    mayDo(staff.role, 'invite', personKindOf(staff, newcomer, grants))
  );
}

/** Returns why a verb would do nothing now; `null` when it would do something. */
export function verbRest(verb: ConsoleVerb, facts: VerbFacts): VerbRest | null {
  const rests = verbRow(verb).rests.map((rest) => rest(facts));
  return rests.find((rest) => rest !== null) ?? null;
}

/** Returns whether a verb ends an account. */
export const isGrave = (verb: ConsoleVerb): boolean => verbRow(verb).isGrave === true;

/** Returns whether a verb needs a code of the last five minutes. */
export const needsProof = (verb: ConsoleVerb): boolean => verbRow(verb).isUnproven !== true;

/** The verbs that help with a cause. The first one mends it. */
const HELPS: Readonly<Record<SignInCause, readonly ConsoleVerb[]>> = {
  offByOrganisation: [],
  organisationAway: [],
  notLinked: ['mailReset'],
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
export const mendingVerb = (cause: SignInCause): ConsoleVerb | null => HELPS[cause][0] ?? null;

/** Returns where a verb that does something stands on the person's page. To agree to a change that waits helps; to stop it takes away what the person asked for. */
export function verbGroup(verb: ConsoleVerb, cause: SignInCause): 'help' | 'free' | 'grave' {
  if (isGrave(verb) || verb === 'stopChange') return 'grave';
  return [...HELPS[cause], 'agree'].includes(verb) ? 'help' : 'free';
}

const LONGEST_NOTE = 120;

/** Returns whether a note says something, and holds no address and no number: the audit log keeps no personal data. */
export const isNote = (note: string): boolean =>
  note.length >= 2 && note.length <= LONGEST_NOTE && !/@|\d{4}|\p{Cc}/u.test(latinDigits(note));
