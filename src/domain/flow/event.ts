import type { ActivationMode } from '../proofs/activation.ts';
import type { OtpMedium } from '../proofs/otp.ts';
import type { PrivacyHelp } from '../people/privacy-help.ts';
import type { Choice, Entrance } from '../people/role-routing.ts';
import type { ActivationProof, Login, PendingOtp } from './visit.ts';
import type { Account, Say, SignUpRequest, TypedPhone } from './terms.ts';
import type { FollowedLink, HostedAnswer } from './terms.ts';

/** Events: an action of the person, or the result of an effect. */
/** Why entered digits were refused. After 'otpExpired' and 'otpDead' only a new code helps. */
export type OtpRefusal = 'otpWrong' | 'otpReplaced' | 'otpOtherMinute' | 'otpExpired' | 'otpDead';

export type FlowEvent =
  | { readonly type: 'signUpSubmitted'; readonly request: SignUpRequest }
  | { readonly type: 'userCreated'; readonly account: Account; readonly mode: ActivationMode }
  | { readonly type: 'emailInUse' }
  /** The server's message about one field of a form. */
  | {
      readonly type: 'fieldRefused';
      readonly field: 'email' | 'password' | 'promo' | 'phone';
      readonly text: string;
    }
  | { readonly type: 'sendOtpAgain' }
  | { readonly type: 'otpSent'; readonly otp: PendingOtp }
  | { readonly type: 'otpSubmitted'; readonly digits: string }
  | { readonly type: 'otpVerified' }
  | { readonly type: 'otpRefused'; readonly reason: OtpRefusal }
  /** Both factors were right, and the account is suspended (PRF-09). */
  | { readonly type: 'accountSuspended' }
  /** A newer sign-in of this browser ended the one that this code belongs to. */
  | { readonly type: 'otherSignInFound' }
  | { readonly type: 'resendAsked' }
  /** A message failed: the next code is sent only by this medium. */
  | { readonly type: 'otherWayAsked'; readonly medium: OtpMedium }
  | { readonly type: 'resendTooSoon'; readonly waitMs: number }
  | { readonly type: 'moreTimeAsked' }
  | { readonly type: 'otpExtended'; readonly remainingMs: number; readonly canExtend: boolean }
  | { readonly type: 'callAsked' }
  | { readonly type: 'otpCalled'; readonly remainingMs: number; readonly canExtend: boolean }
  | { readonly type: 'callRefused'; readonly text: string }
  | { readonly type: 'authUserChecked'; readonly isAuthUser: boolean }
  | { readonly type: 'linkFollowed'; readonly link: FollowedLink }
  | { readonly type: 'linkOtpAsked' }
  | { readonly type: 'linkConfirmAsked' }
  /** No proof: the account is active already. */
  | { readonly type: 'linkConfirmed'; readonly proof: ActivationProof | null }
  | { readonly type: 'linkRefused'; readonly text: string }
  /** The form behind this code was confirmed in another tab, or by the link of the same mail on another device. */
  | { readonly type: 'confirmedElsewhere'; readonly isByPhone?: boolean }
  /** `phone`: `null` keeps the number. */
  | { readonly type: 'addressGiven'; readonly email: string; readonly phone: TypedPhone | null }
  | { readonly type: 'addressChanged'; readonly otp: PendingOtp; readonly phone: TypedPhone | null }
  | {
      readonly type: 'addressRefused';
      readonly reason: 'emailInUse' | 'emailInvalid' | 'phoneImpossible';
    }
  | { readonly type: 'passwordChosen'; readonly password: string }
  | { readonly type: 'activated'; readonly isByPhone?: boolean }
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
  /** The session check had no answer in its time. */
  | { readonly type: 'checkTimedOut' }
  /** `sendOn`: the person's masked contact. */
  | { readonly type: 'userLoaded'; readonly userId: number; readonly sendOn: string }
  | { readonly type: 'noPendingSignIn' }
  /** `isForClient`: an OAuth client waits, and the person returns to it instead of to a module. */
  | {
      readonly type: 'loginRecorded';
      readonly login: Login;
      readonly isForClient?: boolean;
      /** A passkey is offered first. */
      readonly offersKey?: boolean;
      /** The page of the portal to which this sign-in returns, instead of to a module. */
      readonly nextPage?: string | null;
    }
  | { readonly type: 'interactionOver' }
  | { readonly type: 'otpStepRequired' }
  | { readonly type: 'choiceSubmitted'; readonly choice: Choice | null }
  | { readonly type: 'handoffIssued'; readonly url: string }
  | { readonly type: 'passwordWanted' }
  | { readonly type: 'handoffRefused'; readonly say: Say }
  | { readonly type: 'sessionEnded' }
  /** The server closed this step: it expired, the cookie is gone, or another tab finished it. */
  | { readonly type: 'stepLost' }
  | { readonly type: 'limited'; readonly minutes: number }
  /** This browser cannot do the security check; the text has the help contacts. */
  | { readonly type: 'captchaFailed'; readonly text: string }
  | { readonly type: 'failed' }
  /** Nothing was sent: the browser is offline. */
  | { readonly type: 'offline' };
