import type { DoneMessage } from './done.ts';
import type { OtpType } from '../proofs/otp.ts';
import type { PrivacyHelp } from '../people/privacy-help.ts';
import type { Choice, Entrance } from '../people/role-routing.ts';
import type { ScreenName } from './screens.ts';
import type { SurveyAnswer } from '../people/survey.ts';
import type { ActivationProof, Login, PendingOtp } from './visit.ts';
import type { FlowEvent } from './event.ts';
import type { FollowedLink, HostedAnswer } from './terms.ts';
import type { Account, Say, SignUpData, SignUpRequest, TypedPhone } from './terms.ts';

/** A failure, and its place on the page. */
export type Problem =
  | {
      readonly where: 'field';
      readonly field: 'email' | 'promo' | 'otp' | 'role' | 'password' | 'phone';
      readonly say: Say;
    }
  | { readonly where: 'form'; readonly say: Say; readonly canRetry: boolean }
  | { readonly where: 'privacy'; readonly help: PrivacyHelp }
  /** The browser is offline; `canRetry`: the form can be sent again. */
  | { readonly where: 'offline'; readonly canRetry: boolean };

export type FlowState =
  | { readonly at: 'idle' }
  | {
      readonly at: 'signUp';
      /** `leaving`: a role was added to a known address, and the field says so for a moment (SUP-18). */
      readonly step: 'ready' | 'creating' | 'sendingOtp' | 'leaving';
      /** Kept only during the request. */
      readonly request: SignUpRequest | null;
      readonly account: Account | null;
      readonly data: SignUpData | null;
      readonly problem: Problem | null;
    }
  | {
      readonly at: 'otp';
      readonly step:
        | 'ready'
        | 'verifying'
        | 'resending'
        | 'extending'
        | 'calling'
        | 'moving'
        | 'activating'
        /** No new code can be requested. */
        | 'closed';
      readonly otp: PendingOtp;
      /** The code's deadline, on the clock of `reduce`. */
      readonly deadline: number;
      readonly signUpData: SignUpData | null;
      /** The account had a password before: congratulation says that it is still valid. */
      readonly hasOldPassword: boolean;
      /** Calls with this code that this page asked for. */
      readonly calls?: number;
      /** The link that led here, if one did. */
      readonly link?: FollowedLink;
      readonly problem: Problem | null;
    }
  | {
      readonly at: 'signIn';
      readonly step: 'ready' | 'checking' | 'authenticating';
      readonly entrance: Entrance;
      /** Kept only during the request. */
      readonly credentials: { readonly email: string; readonly password: string } | null;
      readonly failures: number;
      readonly problem: Problem | null;
    }
  | {
      readonly at: 'redirect';
      readonly entrance: Entrance;
      readonly email: string | null;
      readonly isOtpVerified: boolean;
      /** Index of the shown progress text. */
      readonly shown: number;
      readonly isPaused: boolean;
      readonly session: HostedAnswer | null;
      readonly login: Login | null;
      readonly isForClient: boolean;
      readonly nextPage: string | null;
      readonly offersKey?: boolean;
      readonly isSendingOtp: boolean;
      /** Set when the silent check found no session right after a right password: the help to show then. */
      readonly unseen?: PrivacyHelp;
      /** Of a right password, for the first check and for one that repeats it. */
      readonly loginTicket?: string | null;
      /** A session check had no answer in its time. */
      readonly hasTimedOut?: boolean;
      /** The check runs once more. */
      readonly isRepeated?: boolean;
      readonly problem: Problem | null;
    }
  | {
      readonly at: 'selectRole';
      readonly step: 'ready' | 'opening';
      readonly login: Login;
      readonly entrance: Entrance;
      readonly problem: Problem | null;
    }
  | {
      readonly at: 'activation';
      readonly step: 'ready' | 'sendingOtp' | 'confirming' | 'activating';
      readonly link: FollowedLink;
      /** The proof of the pressed button, with which the account is activated. */
      readonly proof: ActivationProof | null;
      readonly hasOldPassword: boolean;
      readonly problem: Problem | null;
    }
  | {
      readonly at: 'setPassword';
      readonly step: 'ready' | 'activating';
      readonly proof: ActivationProof;
      readonly link?: FollowedLink;
      readonly problem: Problem | null;
    }
  | {
      readonly at: 'done';
      readonly message: DoneMessage;
      /** Only a text activated the account: the congratulation says so (PRF-02). */
      readonly isByPhone?: boolean;
      /** The address had an account before. */
      readonly isKnown?: true;
    }
  | { readonly at: 'left' };

/** Effects: actions for the runner; each result comes back as an event. */
export type Effect =
  | { readonly do: 'createUser'; readonly request: SignUpRequest }
  | {
      readonly do: 'saveSurvey';
      readonly userId: number;
      readonly answers: readonly SurveyAnswer[];
    }
  | {
      readonly do: 'sendOtp';
      readonly userId: number;
      readonly otpType: OtpType;
      readonly sendOn?: string;
    }
  | { readonly do: 'resendOtp'; readonly otp: PendingOtp }
  | { readonly do: 'verifyOtp'; readonly otp: PendingOtp; readonly digits: string }
  | { readonly do: 'extendOtp'; readonly otp: PendingOtp }
  | { readonly do: 'callOtp'; readonly otp: PendingOtp }
  | {
      readonly do: 'changeAddress';
      readonly otp: PendingOtp;
      readonly email: string;
      readonly phone: TypedPhone | null;
    }
  | { readonly do: 'confirmLink'; readonly link: FollowedLink }
  | { readonly do: 'checkAuthUser'; readonly email: string | null }
  | { readonly do: 'activate'; readonly proof: ActivationProof; readonly password: string | null }
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
      readonly say: Say | 'otpSent' | DoneMessage;
    }
  | { readonly do: 'pause'; readonly ms: number | 'stepGap' }
  /** Reads the visit's step from the server and continues there; without any step it restarts at the fallback. */
  | {
      readonly do: 'restart';
      readonly fallback: 'signIn' | 'signUp';
      readonly entrance?: Entrance;
    }
  /** The session is over: shows sign-in with the reason, or continues with another tab's session. */
  | { readonly do: 'signInAgain'; readonly entrance: Entrance }
  | { readonly do: 'leave'; readonly url: string };

export type Transition = { readonly state: FlowState; readonly effects: readonly Effect[] };

export const to = (state: FlowState, ...effects: Effect[]): Transition => ({ state, effects });

/** The catch-all (SUP-21): 'Something went wrong. Try again later.' as a box and as a warning toast. */
export const GENERAL: Problem = { where: 'form', say: { key: 'general' }, canRetry: false };
export const generalToast: Effect = { do: 'toast', tone: 'warning', say: { key: 'general' } };

/** Shown only by the page's own note about the connection. */
export const OFFLINE: Problem = { where: 'offline', canRetry: true };

/** Returns the problem of a browser that cannot do the security check, with the help desk's number. */
export function captchaProblem(text: string): Problem {
  return { where: 'form', say: { text }, canRetry: false };
}

/** Returns the server's message about one field (SUP-21). */
export function refusedField({
  field,
  text,
}: Extract<FlowEvent, { type: 'fieldRefused' }>): Problem {
  return { where: 'field', field, say: { text } };
}

/** Returns the problem of a limit, with the waiting time. */
export function limitProblem(minutes: number): Problem {
  return { where: 'form', say: { key: 'tooMany', minutes }, canRetry: false };
}
