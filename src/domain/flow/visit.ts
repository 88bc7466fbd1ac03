import type { OtpMedium, OtpType } from '../proofs/otp.ts';
import type { Entrance } from '../people/role-routing.ts';
import { type Need, type ScreenName, SCREENS } from './screens.ts';

/** The journey of the one-time code: it decides the link back and the effect of a right code. */
export const OTP_MODES = ['signIn', 'signUp', 'activation'] as const;
export type OtpMode = (typeof OTP_MODES)[number];

/** A one-time code that waits for its digits. Times are remainders in milliseconds, because clocks differ. */
export type PendingOtp = {
  readonly id: string;
  readonly userId: number;
  readonly registrationId: string | null;
  readonly signUpPlatform: number;
  /** The address as entered in this visit; `null` when the visit came by a link. */
  readonly email: string | null;
  readonly otpType: OtpType;
  readonly mode: OtpMode;
  readonly entrance: Entrance;
  readonly medium: OtpMedium;
  readonly sentTo: { readonly email: string | null; readonly phone: string | null };
  readonly remainingMs: number;
  readonly canExtend: boolean;
};

/** The pending step of an OAuth client's interaction: a sign-in, a choice between existing sign-ins, or consent. */
export const INTERACTION_STEPS = ['signIn', 'choose', 'consent'] as const;
export type InteractionStep = (typeof INTERACTION_STEPS)[number];

/** An OAuth client's authorization request that waits for this person; `over`: answered or expired. */
export type ClientInteraction = {
  readonly id: string;
  readonly step: InteractionStep | 'over';
  readonly clientName: string;
  /** The scopes that the client asks for; only the consent screen needs them. */
  readonly scopes: readonly string[];
  /** The email address that the client expects the person to have. */
  readonly loginHint: string | null;
  /** The address where the client starts a new sign-in, once this interaction is over. */
  readonly startUrl: string | null;
};

/**
 * The stages of a sign-in. `password`: begun; `otp`: the password was right; `verified`: the code too; `complete`:
 * recorded.
 */
export const SIGN_IN_STAGES = ['password', 'otp', 'verified', 'complete'] as const;
export type SignInStage = (typeof SIGN_IN_STAGES)[number];

/**
 * The server's state of a visit (a browser session): enough to render any screen after a reload, Back, or with storage
 * cleared. The field names are those of the wire.
 */
export type VisitState = {
  readonly subtenantId: number | null;
  readonly code: PendingOtp | null;
  readonly signIn: {
    readonly stage: SignInStage;
    readonly entrance: Entrance;
    readonly email: string | null;
  } | null;
  /** Only its name, when the asking tab has no bearer. */
  readonly login: Login | null;
  /** A right password was entered here, the sign-in then idled too long (SES-03), and there is no session now. */
  readonly hasTimedOut: boolean;
  /** A right activation code that waits for a password (OTP-10). */
  readonly proof: ActivationProof | null;
  /** The registration of this visit that was confirmed a moment ago, here or on another device. */
  readonly activated: string | null;
  /** It was confirmed by a text, and its mailbox is not proven yet. */
  readonly isActivatedByPhone: boolean;
  /** The interaction that the address names, if it belongs to this visit. */
  readonly client: ClientInteraction | null;
};

/** The fields that ActivateUser needs after a right code; the server compares the ids with its own row. */
export type ActivationProof = {
  readonly otpId: string;
  readonly userId: number;
  readonly registrationId: string | null;
  readonly signUpPlatform: number;
  /** The proven address, whole, for password managers. */
  readonly email: string | null;
};

/** The login result of RED-14, in our own spelling. */
export type Login = {
  readonly appState: string;
  readonly loggedInUserId: number;
  readonly signInId: string;
  readonly userName: string;
  readonly memberName: string;
  readonly roles: readonly { readonly roleId: number; readonly roleKey: string }[];
};

export const EMPTY_VISIT: VisitState = {
  subtenantId: null,
  code: null,
  signIn: null,
  login: null,
  hasTimedOut: false,
  proof: null,
  activated: null,
  isActivatedByPhone: false,
  client: null,
};

/** Whether a visit meets the condition of a screen; a browser that the account does not know has no session (091). */
const MEETS: Readonly<Record<Need, (visit: VisitState, asked: ScreenName) => boolean>> = {
  nothing: () => true,
  otp: ({ code }) => code !== null,
  signIn: ({ signIn }) => signIn !== null && signIn.stage !== 'password',
  roles: ({ login }) => login?.roles[0] !== undefined,
  account: ({ login }) => Boolean(login?.signInId),
  activationProof: ({ proof }) => proof !== null,
  interaction: isWaitingAt,
};

/**
 * Returns the screen for an address. If the visit does not meet the screen's condition, it is the screen of the visit's
 * current step, or sign-in.
 */
export function screenFor(asked: ScreenName, visit: VisitState): ScreenName {
  const { needs } = SCREENS[asked];
  if (MEETS[needs](visit, asked)) return asked;
  if (needs === 'interaction') return 'interactionOver';
  const current = currentScreen(visit);
  const isNews = needs === 'otp' && current === 'signIn' && visit.activated;
  return isNews ? 'congratulation' : current;
}

function isWaitingAt({ client }: VisitState, asked: ScreenName): boolean {
  if (!client || client.step === 'over') return false;
  return (client.step === 'consent') === (asked === 'consent');
}

function currentScreen(visit: VisitState): ScreenName {
  if (visit.code) return 'verifyOtp';
  if (visit.signIn && visit.signIn.stage !== 'password') return 'redirect';
  return 'signIn';
}
