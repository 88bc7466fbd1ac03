import type { FieldMessage } from '#locales/en/fields.ts';
import type { ProblemMessage } from '#locales/en/problems.ts';
import type { ActivationMode } from '../activation.ts';
import type { OtpMedium, OtpType } from '../otp.ts';
import type { PrivacyHelp } from '../privacy-help.ts';
import type { Choice, Entrance } from '../role-routing.ts';
import type { ScreenName } from '../screens.ts';
import type { SurveyAnswer } from '../survey.ts';
import type { Login, PendingCode, Proof } from '../visit.ts';

/** A text by key, or a sentence the server wrote for this very case. */
export type Say =
  | { readonly key: FieldMessage | ProblemMessage; readonly minutes?: number }
  | { readonly text: string };

/** Something went wrong, and where it shows: decided here, once, and tested with the flow. */
export type Problem =
  | {
      readonly where: 'field';
      readonly field: 'email' | 'promo' | 'otp' | 'role';
      readonly say: Say;
    }
  | { readonly where: 'form'; readonly say: Say; readonly canRetry: boolean }
  | { readonly where: 'privacy'; readonly help: PrivacyHelp };

export type SignUpRequest = {
  readonly subtenantId: number;
  readonly firstName: string;
  readonly lastName: string;
  readonly dialCode: string;
  readonly phone: string;
  readonly email: string;
  readonly password: string;
  readonly promoCode: string | null;
  readonly survey: readonly SurveyAnswer[];
};

/** What was typed at sign-up, without the password: the code screen's entry in the history carries it (SUP-19). */
export type SignUpData = Omit<SignUpRequest, 'password' | 'survey'>;

type Account = {
  readonly userId: number;
  readonly registrationId: string;
  /** As typed: later steps name the account by it. */
  readonly email: string;
};

export type FlowState =
  | { readonly at: 'idle' }
  | {
      readonly at: 'signUp';
      readonly step: 'ready' | 'creating' | 'sendingCode';
      /** Held only while the request is under way. */
      readonly request: SignUpRequest | null;
      readonly account: Account | null;
      readonly data: SignUpData | null;
      readonly problem: Problem | null;
    }
  | {
      readonly at: 'code';
      readonly step: 'ready' | 'verifying' | 'resending' | 'extending' | 'moving' | 'activating';
      readonly code: PendingCode;
      /** When the code runs out, on the clock that `next` is given. */
      readonly deadline: number;
      readonly signUpData: SignUpData | null;
      /** The account had a password before: congratulation says that it still counts. */
      readonly hasOldPassword: boolean;
      readonly problem: Problem | null;
    }
  | {
      readonly at: 'signIn';
      readonly step: 'ready' | 'checking' | 'authenticating';
      readonly entrance: Entrance;
      /** Held only while the request is under way. */
      readonly credentials: { readonly email: string; readonly password: string } | null;
      readonly failures: number;
      readonly problem: Problem | null;
    }
  | {
      readonly at: 'redirect';
      readonly entrance: Entrance;
      readonly email: string | null;
      readonly isOtpVerified: boolean;
      /** Index of the progress text on show. */
      readonly shown: number;
      readonly isPaused: boolean;
      readonly session: HostedAnswer | null;
      readonly login: Login | null;
      readonly isForClient: boolean;
      readonly isSendingCode: boolean;
      /** The password was right just now, and yet the silent check saw nobody: what would help then. */
      readonly unseen?: PrivacyHelp;
      readonly hasTicket?: boolean;
      readonly problem: Problem | null;
    }
  | {
      readonly at: 'switcher';
      readonly step: 'ready' | 'opening';
      readonly login: Login;
      readonly entrance: Entrance;
      readonly problem: Problem | null;
    }
  | {
      readonly at: 'activation';
      readonly step: 'ready' | 'sendingCode' | 'confirming' | 'activating';
      readonly link: FollowedLink;
      /** What the pressed button proved; with it the account is activated. */
      readonly proof: Proof | null;
      readonly hasOldPassword: boolean;
      readonly problem: Problem | null;
    }
  | {
      readonly at: 'setPassword';
      readonly step: 'ready' | 'activating';
      readonly proof: Proof;
      readonly problem: Problem | null;
    }
  | { readonly at: 'done'; readonly message: DoneMessage }
  | { readonly at: 'left' };

/** An activation link that the server found valid. */
export type FollowedLink = {
  readonly userId: number;
  readonly registrationId: string;
  readonly platform: number;
  readonly key: string;
};

export type DoneMessage = 'created' | 'activated' | 'oldPassword' | 'passwordSet';

/** An authorization answer of the hosted login. */
export type HostedAnswer = { readonly code: string; readonly state: string };

/** Facts: what a person did, or what came back. */
export type FlowEvent =
  | { readonly type: 'signUpSubmitted'; readonly request: SignUpRequest }
  | { readonly type: 'userCreated'; readonly account: Account; readonly mode: ActivationMode }
  | {
      readonly type: 'signUpRefused';
      readonly reason: 'emailInUse' | 'invalidSubtenant' | 'invalidPromo';
      readonly text: string;
    }
  | { readonly type: 'sendCodeAgain' }
  | { readonly type: 'codeSent'; readonly code: PendingCode }
  | { readonly type: 'codeSubmitted'; readonly digits: string }
  | { readonly type: 'codeVerified' }
  | { readonly type: 'codeRefused'; readonly reason: 'otpWrong' | 'otpExpired' | 'otpDead' }
  | { readonly type: 'resendAsked' }
  /** A message failed: the next code goes by this medium alone. */
  | { readonly type: 'otherWayAsked'; readonly medium: OtpMedium }
  | { readonly type: 'resendTooSoon'; readonly waitMs: number }
  | { readonly type: 'moreTimeAsked' }
  | { readonly type: 'codeExtended'; readonly remainingMs: number; readonly canExtend: boolean }
  | { readonly type: 'authUserChecked'; readonly isAuthUser: boolean }
  | { readonly type: 'linkFollowed'; readonly link: FollowedLink }
  | { readonly type: 'linkCodeAsked' }
  | { readonly type: 'linkConfirmAsked' }
  /** No proof: the account is active already. */
  | { readonly type: 'linkConfirmed'; readonly proof: Proof | null }
  | { readonly type: 'linkRefused'; readonly text: string }
  /** The link beside this very code was confirmed, on whatever device. */
  | { readonly type: 'confirmedElsewhere' }
  | { readonly type: 'addressGiven'; readonly email: string }
  | { readonly type: 'addressChanged'; readonly code: PendingCode }
  | { readonly type: 'addressRefused'; readonly reason: 'emailInUse' | 'emailInvalid' }
  | { readonly type: 'passwordChosen'; readonly password: string }
  | { readonly type: 'activated' }
  | {
      readonly type: 'signInSubmitted';
      readonly email: string;
      readonly password: string;
      readonly entrance: Entrance;
    }
  | { readonly type: 'userChecked'; readonly isKnown: boolean }
  | { readonly type: 'passwordAccepted'; readonly loginTicket: string | null }
  | { readonly type: 'passwordRefused' }
  | {
      readonly type: 'redirectOpened';
      readonly entrance: Entrance;
      readonly email: string | null;
      readonly isOtpVerified: boolean;
    }
  | { readonly type: 'paused' }
  | { readonly type: 'sessionFound'; readonly answer: HostedAnswer }
  | { readonly type: 'loginRequired'; readonly help: PrivacyHelp }
  | { readonly type: 'userLoaded'; readonly userId: number }
  | { readonly type: 'noPendingSignIn' }
  /** `isForClient`: another application waits, and the person goes back to it instead of into a module. */
  | { readonly type: 'loginRecorded'; readonly login: Login; readonly isForClient?: boolean }
  | { readonly type: 'requestOver' }
  | { readonly type: 'codeRequired' }
  | { readonly type: 'choiceSubmitted'; readonly choice: Choice | null }
  | { readonly type: 'handoffIssued'; readonly url: string }
  | { readonly type: 'handoffLooped' }
  | { readonly type: 'sessionEnded' }
  /** This visit is no longer at this step: too late, the cookie is gone, or another tab was faster. */
  | { readonly type: 'stepLost' }
  | { readonly type: 'limited'; readonly minutes: number }
  /** This browser cannot do the security check; the text says whom to ask. */
  | { readonly type: 'captchaFailed'; readonly text: string }
  | { readonly type: 'failed' };

/** Wishes: the runner grants each one and answers with an event. */
export type Effect =
  | { readonly do: 'createUser'; readonly request: SignUpRequest }
  | {
      readonly do: 'saveSurvey';
      readonly userId: number;
      readonly answers: readonly SurveyAnswer[];
    }
  | { readonly do: 'sendCode'; readonly userId: number; readonly otpType: OtpType }
  | { readonly do: 'resendCode'; readonly code: PendingCode }
  | { readonly do: 'verifyCode'; readonly code: PendingCode; readonly digits: string }
  | { readonly do: 'extendCode'; readonly code: PendingCode }
  | { readonly do: 'changeAddress'; readonly code: PendingCode; readonly email: string }
  | { readonly do: 'confirmLink'; readonly link: FollowedLink }
  | { readonly do: 'checkAuthUser'; readonly email: string | null }
  | { readonly do: 'activate'; readonly proof: Proof; readonly password: string | null }
  | { readonly do: 'checkUser'; readonly email: string }
  | {
      readonly do: 'authenticate';
      readonly entrance: Entrance;
      readonly email: string;
      readonly password: string;
    }
  | { readonly do: 'checkSession'; readonly loginTicket: string | null }
  | { readonly do: 'loadUser'; readonly email: string | null }
  | { readonly do: 'recordLogin'; readonly answer: HostedAnswer }
  | { readonly do: 'continueToClient' }
  | { readonly do: 'issueHandoff'; readonly choice: Choice | null; readonly entrance: Entrance }
  | { readonly do: 'show'; readonly screen: ScreenName; readonly entrance?: Entrance }
  | {
      readonly do: 'toast';
      readonly tone: 'success' | 'warning';
      readonly say: Say | 'codeSent' | DoneMessage;
    }
  | { readonly do: 'pause'; readonly ms: number }
  /** Asks the server where the visit stands and goes on there; at nothing, the flow begins anew at the fallback. */
  | {
      readonly do: 'restart';
      readonly fallback: 'signIn' | 'signUp';
      readonly entrance?: Entrance;
    }
  | { readonly do: 'leave'; readonly url: string };

export type Transition = { readonly state: FlowState; readonly effects: readonly Effect[] };

export const to = (state: FlowState, ...effects: Effect[]): Transition => ({ state, effects });

/** The catch-all (SUP-21): 'Something went wrong. Try again later.' as a box and as a warning toast. */
export const GENERAL: Problem = { where: 'form', say: { key: 'general' }, canRetry: false };
export const generalToast: Effect = { do: 'toast', tone: 'warning', say: { key: 'general' } };

/** The security check cannot be done here: in words, with the help desk's number. */
export function captchaProblem(text: string): Problem {
  return { where: 'form', say: { text }, canRetry: false };
}

/** The problem of a limit: it says when to come back. */
export function limitProblem(minutes: number): Problem {
  return { where: 'form', say: { key: 'tooMany', minutes }, canRetry: false };
}
