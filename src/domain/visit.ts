import type { OtpMedium, OtpType } from './otp.ts';
import type { Entrance } from './role-routing.ts';
import type { ScreenName } from './screens.ts';
import { SCREENS } from './screens.ts';

/** Where a code is asked for: it decides the way back and what a right code does. */
export type CodeMode = 'signIn' | 'signUp' | 'activation';

/** A code on its way, as the server tells it. Times are remainders in milliseconds: clocks differ. */
export type PendingCode = {
  readonly id: string;
  readonly userId: number;
  readonly registrationId: string | null;
  readonly signUpPlatform: number;
  /** The address as typed in this very visit; `null` when the visit came by a link. */
  readonly email: string | null;
  readonly otpType: OtpType;
  readonly mode: CodeMode;
  readonly entrance: Entrance;
  readonly medium: OtpMedium;
  readonly sentTo: { readonly email: string | null; readonly phone: string | null };
  readonly remainingMs: number;
  readonly canExtend: boolean;
};

/** What another application's request waits for: a sign-in, a choice between living sign-ins, or a yes to sharing. */
export type ClientStep = 'signIn' | 'choose' | 'consent';

/** Another application that waits for this person; `over`: it was answered, or nobody came in time. */
export type ClientRequest = {
  readonly id: string;
  readonly step: ClientStep | 'over';
  readonly clientName: string;
  /** What it asks to be told; only the consent screen needs it. */
  readonly scopes: readonly string[];
  /** The address that the application believes the person has. */
  readonly loginHint: string | null;
  /** Where the application begins a sign-in, for whoever comes too late. */
  readonly startUrl: string | null;
};

/** How far a sign-in is. `password`: begun; `otp`: the password was right; `verified`: the code too; `complete`: recorded. */
export type SignInStage = 'password' | 'otp' | 'verified' | 'complete';

/** What the server knows of a visit: enough to draw any screen after a reload, Back, or with storage cleared. */
export type VisitState = {
  readonly subtenantId: number | null;
  readonly code: PendingCode | null;
  readonly signIn: {
    readonly stage: SignInStage;
    readonly entrance: Entrance;
    readonly email: string | null;
  } | null;
  readonly login: Login | null;
  /** A right activation code that waits for a password (OTP-10). */
  readonly proof: Proof | null;
  /** The sign-up this visit waited with a code for, when it was confirmed a moment ago: here or on another device. */
  readonly activated: string | null;
  /** The application's request that the asked address names, if it is this visit's. */
  readonly client: ClientRequest | null;
};

/** What ActivateUser needs after a right code; the ids are compared, never believed. */
export type Proof = {
  readonly otpId: string;
  readonly userId: number;
  readonly registrationId: string | null;
  readonly signUpPlatform: number;
  /** The proven address as it may be shown, for password managers. */
  readonly email: string | null;
};

/** The login result of RED-14, in the spelling of the code. */
export type Login = {
  readonly appState: string;
  readonly loggedInUserId: number;
  readonly loggedInId: string;
  readonly userName: string;
  readonly memberName: string;
  readonly roles: readonly { readonly roleId: number; readonly roleKey: string }[];
};

export const EMPTY_VISIT: VisitState = {
  subtenantId: null,
  code: null,
  signIn: null,
  login: null,
  proof: null,
  activated: null,
  client: null,
};

/**
 * The screen to draw for an asked one: a URL is a request, the state decides. Without what the screen needs,
 * the visitor goes to the step he or she is really at, or to sign-in.
 */
export function screenFor(asked: ScreenName, visit: VisitState): ScreenName {
  const { needs } = SCREENS[asked];
  if (needs === 'code' && !visit.code) {
    const current = currentScreen(visit);
    return current === 'signIn' && visit.activated ? 'congratulation' : current;
  }
  if (needs === 'signIn' && (!visit.signIn || visit.signIn.stage === 'password')) {
    return currentScreen(visit);
  }
  if (needs === 'roles' && !visit.login) return currentScreen(visit);
  if (needs === 'proof' && !visit.proof) return currentScreen(visit);
  if (needs === 'client' && !isWaitingAt(asked, visit)) return 'requestOver';
  return asked;
}

function isWaitingAt(asked: ScreenName, { client }: VisitState): boolean {
  if (!client || client.step === 'over') return false;
  return (client.step === 'consent') === (asked === 'consent');
}

function currentScreen(visit: VisitState): ScreenName {
  if (visit.code) return 'verifyOtp';
  if (visit.signIn && visit.signIn.stage !== 'password') return 'redirect';
  return 'signIn';
}
