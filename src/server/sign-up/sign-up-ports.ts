import type { SignUpRequest } from '#domain/flow/terms.ts';
import type { ActivationMode } from '#domain/proofs/activation.ts';
import type { SignUpForm } from '../accounts/registration-store.ts';
import type { EnumerationGuard } from '../abuse/enumeration-guard.ts';
import type { Caller, Visit } from '../http/visit-cookie.ts';
import type { AddressClaim } from '../proofs/otp/otp.routes.ts';
import type { Subtenants } from '../subtenants/subtenants.ts';
import type { AddRole } from './add-role.ts';
import type { PromoCodes } from './promo-codes.ts';

/** A sign-up as a browser or an application sends it. */
export type SignUp = Omit<SignUpRequest, 'country' | 'survey'> & {
  readonly signUpPlatform: number;
  readonly roleId: number;
  readonly userName: string;
};

export type SignUpAnswer = {
  readonly userId: number;
  readonly id: string;
  readonly userActivationMode: ActivationMode;
};

export type SignUps = {
  /**
   * Creates a pending account, or returns why not (SRV-01). Unless `mayDisclose`, the answer is the same for a taken
   * address, as in `strict`.
   * @throws AppError
   */
  create(signUp: SignUp, caller: Caller, mayDisclose: boolean): Promise<SignUpAnswer>;
  /**
   * Checks and hashes a form without reading any account.
   * @throws AppError as `create` does
   */
  prepare(signUp: SignUp, ip: string): Promise<SignUpForm>;
  /** Handles a prepared form as `create` does without disclosure; the account's own password adds no role. */
  createWithoutDisclosure(form: SignUpForm, caller: Caller): Promise<SignUpAnswer>;
  /**
   * Returns the same answer to a form that this visit has sent before: a retry costs and changes nothing, and no limit
   * applies (SRV-02). `null` for any other form.
   * @throws AppError BAD_REQUEST
   */
  findPreviousAnswer(signUp: SignUp, visit: Visit): Promise<SignUpAnswer | null>;
  /**
   * Moves a pending sign-up of this visit to another address, number or both; closes its old OTP, and with another
   * address deletes the old form and its link.
   * @throws AppError FORBIDDEN, BAD_REQUEST, EMAIL_IN_USE, TOO_MANY
   */
  changeAddress(
    claim: AddressClaim,
    caller: Caller,
  ): Promise<{ readonly userId: number; readonly registrationId: string }>;
  /** Returns whether the address has an account with a password; a suspended one answers as an active one (PRF-09). */
  isKnown(email: string): Promise<boolean>;
};

export type Ports = {
  readonly hashing: {
    hash(password: string): Promise<string>;
    verify(passwordHash: string | null, password: string): Promise<boolean>;
  };
  readonly isGuessable: (
    password: string,
    form: Omit<SignUpForm, 'password_hash'>,
  ) => Promise<boolean>;
  readonly subtenants: Pick<Subtenants, 'find'>;
  readonly promoCodes: Pick<PromoCodes, 'isUsable'>;
  readonly addRole: AddRole;
  readonly enumerationGuard: EnumerationGuard;
  readonly signIns: {
    /** Returns whether this visit has a complete sign-in of the account. */
    isSignedIn(visit: Visit, userId: number): Promise<boolean>;
  };
  readonly passwordCheck: {
    /** Returns whether this is the password of the address; it counts as a sign-in try (PRF-03). */
    isOfAddress(typed: {
      readonly email: string;
      readonly password: string;
      readonly ip: string;
    }): Promise<boolean>;
  };
};
