/** Which step of a journey an event of the audit log, a message or a call belongs to. No I/O. */

import { type CallName, ROUTES } from '#contract/routes.ts';
import {
  mediumChannels,
  channelContact,
  type MessageChannel,
  type OtpMedium,
} from '#domain/proofs/otp.ts';

export type Step = 'signIn' | 'signUp' | 'code' | 'reset' | 'activation';
export type Outcome = 'started' | 'sent' | 'delivered' | 'failed' | 'verified' | 'gaveUp';
export type StepCount = {
  /** `notice`: a mail that is no part of a journey. */
  readonly step: Step | 'notice';
  readonly outcome: Outcome;
  readonly channel: MessageChannel | null;
};
type Details = Readonly<Record<string, unknown>>;

const SIGN_UP_CODE = 'USER_ACTIVATION';
const count = (step: Step, outcome: Outcome, channel: MessageChannel | null = null): StepCount => ({
  step,
  outcome,
  channel,
});
const PROVEN = [count('signUp', 'verified'), count('activation', 'started')];
const ACTIVE = [count('activation', 'verified')];

const FIXED: Readonly<Record<string, readonly StepCount[]>> = {
  'signIn.password': [count('signIn', 'started')],
  'signIn.key': [count('signIn', 'started')],
  'signIn.complete': [count('signIn', 'verified')],
  'signUp.created': [count('signUp', 'started')],
  'activation.linkConfirmed': PROVEN,
  'account.activated': ACTIVE,
  'account.roleAdded': ACTIVE,
  'reset.asked': [count('reset', 'started')],
  'reset.done': [count('reset', 'verified')],
};

/** Returns the step of an event of the audit log; most kinds have none. */
export function eventSteps(kind: string, { medium, proven, type }: Details): readonly StepCount[] {
  const channels = typeof medium === 'number' ? mediumChannels(medium as OtpMedium) : [];
  if (kind === 'otp.sent') return channels.map((channel) => count('code', 'started', channel));
  if (kind !== 'otp.verified') return FIXED[kind] ?? [];
  const channel = channels.find((each) => channelContact(each) === proven) ?? null;
  return [count('code', 'verified', channel), ...(type === SIGN_UP_CODE ? PROVEN : [])];
}

/** Beginnings of the keys that messages are queued under. */
const MESSAGES: Readonly<Record<string, Step>> = {
  otp: 'code',
  call: 'code',
  reset: 'reset',
  invitation: 'reset',
  activation: 'activation',
};

/** The step that a message belongs to, by its idempotency key. */
export const stepOfMessage = (key: string): StepCount['step'] =>
  MESSAGES[key.split(':', 1)[0] ?? ''] ?? 'notice';

/** An unfinished step that clean-up deleted: a row of `otp_codes`, `reset_links` or `users` that went. */
export type Unfinished = { readonly table: string; readonly what: string | null };

/** The steps that were abandoned. */
export function givenUp({ table, what }: Unfinished): readonly StepCount[] {
  if (table === 'users') return [count('signUp', 'gaveUp')];
  if (table === 'reset_links') return [count('reset', 'gaveUp')];
  // A right code of a sign-up that no account was made with.
  if (what === 'verified') return [count('activation', 'gaveUp')];
  const isSignIn = what === 'TWOFACTORAUTHENTICATION';
  return [count('code', 'gaveUp'), ...(isSignIn ? [count('signIn', 'gaveUp')] : [])];
}

const CALLS: Readonly<Record<Step | 'handOff', readonly CallName[]>> = {
  signIn: [
    'checkUser',
    'getLoginUser',
    'beginSession',
    'recordLogin',
    'keyRequest',
    'signInWithKey',
  ],
  signUp: ['createUser', 'createAcademyUser', 'changeAddress'],
  code: ['sendOtp', 'resendOtp', 'verifyOtp', 'extendOtp', 'callOtp'],
  reset: ['forgotPassword', 'getResetUser', 'updatePassword'],
  activation: [
    'isAuthUser',
    'validateLink',
    'confirmLink',
    'rejectLink',
    'createActivationLink',
    'getActivationLink',
    'activateUser',
  ],
  handOff: ['issueHandoff', 'redeemHandoff'],
};
/** Where the hosted login takes passwords. */
const PASSWORD_PATHS = ['/idp/co/authenticate', '/idp/usernamepassword/login'];

const STEP_OF_PATH = new Map<string, string>([
  ...Object.entries(CALLS).flatMap(([step, calls]) =>
    calls.map((name) => [ROUTES[name].split(' ')[1] ?? '', step] as const),
  ),
  ...PASSWORD_PATHS.map((path) => [path, 'signIn'] as const),
]);

/** The step that a refused call belongs to; `other` for all that is none. */
export const stepOfPath = (path: string): string => STEP_OF_PATH.get(path) ?? 'other';
