import type { CallOffer, DeliveryReason } from '#domain/proofs/delivery.ts';
import type { CodeType, Contact, OtpMedium } from '#domain/proofs/otp.ts';
import type { PendingOtp } from '#domain/flow/visit.ts';
import type { StoredCall } from '#domain/proofs/voice.ts';
import type { Receipt } from '../../abuse/rate-limits.ts';
import type { Db } from '../../db/database.ts';
import type { AppCodes } from '../authenticator/authenticator.ts';
import type { Caller, Visit } from '../../http/visit-cookie.ts';
import type { LimitSubjectOf } from './otp-limits.ts';
import type { Otp, OtpClaim } from './otp-store.ts';
import type { OtpRecipient } from './recipients.ts';

type OtpTime = Pick<PendingOtp, 'remainingMs' | 'canExtend'>;
export type SentOtp = OtpTime & Pick<PendingOtp, 'id' | 'medium' | 'sentTo'>;

export type Otps = {
  /**
   * Sends an OTP, or returns the one that is still on its way.
   * @throws AppError
   */
  send(recipient: OtpRecipient, medium: OtpMedium, caller: Caller): Promise<SentOtp>;
  /** Sends a new OTP once the countdown is over. @throws AppError TOO_SOON, TOO_MANY */
  resend(recipient: OtpRecipient, medium: OtpMedium, caller: Caller): Promise<SentOtp>;
  /**
   * Checks an OTP.
   * @throws AppError INVALID_OTP, OTP_REPLACED, OTP_OTHER_MINUTE, OTP_EXPIRED, OTP_DEAD, OTHER_SIGN_IN, CONFLICT,
   * FORBIDDEN
   */
  verify(claim: OtpClaim & { readonly otp: number | string }, caller: Caller): Promise<Otp>;
  /**
   * Takes as long as `verify` does for a wrong code, so that timing does not disclose an account.
   * @throws AppError TOO_MANY
   */
  dummyVerify(
    limitSubject: readonly string[],
    tried: { readonly code: string; readonly tries: number },
    ip: string,
  ): Promise<void>;
  /**
   * Gives an open OTP more time.
   * @throws AppError OTP_LIFE_OVER
   */
  extend(claim: OtpClaim, visit: Visit): Promise<OtpTime>;
  /**
   * Calls the phone of the account with an open OTP and gives the OTP more time. A second request within the pause
   * makes no second call.
   * @throws AppError FORBIDDEN, OTP_EXPIRED, OTP_DEAD, CALL_REFUSED, TOO_MANY
   */
  call(recipient: OtpRecipient, otpId: string, caller: Caller): Promise<OtpTime>;
  /** Returns the call that this visit may ask for, and its last one; `null` when none can be made. */
  callOffer(recipient: OtpRecipient, visit: Visit): Promise<CallOffer | null>;
  /** Returns the digits of the phone of an OTP that still works. */
  digitsToSay(otpId: string): Promise<string | null>;
};

/** Calls that say an OTP; `null` where nothing can make one. */
export type CallPorts = {
  /** Returns whether a phone is in a region and of a kind that is called; `null` when it is not. */
  readonly look: (phone: string) => Promise<{ readonly isLandline: boolean } | null>;
  /** Counts one call. @throws AppError TOO_MANY, CALL_REFUSED */
  readonly take: (
    phone: string,
    by: { readonly ip: string; readonly userId: number },
  ) => Promise<Receipt>;
  /** Queues a call, in the transaction that counts its OTP as called. */
  readonly queue: (
    db: Db,
    recipient: OtpRecipient,
    call: { readonly otpId: string; readonly nth: number },
  ) => Promise<void>;
  /** Returns the calls with an OTP, the newest first. */
  readonly list: (db: Db, otpId: string) => Promise<readonly StoredCall[]>;
} | null;

export type OtpPorts = {
  /** A provider sends texts. */
  readonly hasTexts: boolean;
  /** Queues the messages of an OTP, in the transaction that adds it. */
  readonly queueOtp: (
    db: Db,
    recipient: OtpRecipient,
    otp: {
      readonly id: string;
      readonly digits: Readonly<Record<Contact, string>>;
      readonly medium: OtpMedium;
      readonly expiresAt: Date;
      readonly textRefusal: DeliveryReason | null;
    },
  ) => Promise<void>;
  /** Counts one text to this number; a refusal has the reason why none is sent now. */
  readonly takeSms: (
    phone: string,
    from: { readonly ip: string; readonly isSignIn: boolean },
  ) => Promise<{ readonly refusal: DeliveryReason | null; readonly counted: Receipt }>;
  readonly calls: CallPorts;
  /** Returns whether the OTP can still arrive by one of its channels. */
  readonly isComing: (db: Db, otpId: string) => Promise<boolean>;
  readonly limitSubjectOf: LimitSubjectOf;
  readonly appCodes: AppCodes;
  readonly rightCodes: RightCodes;
};

/**
 * What a right code does, by its purpose: each feature that asks for codes brings its own. It runs in the transaction
 * that accepts the code; `otp.proven` names the proven contact.
 */
export type RightCodes = Readonly<Record<CodeType, (db: Db, otp: Otp) => Promise<void>>>;
