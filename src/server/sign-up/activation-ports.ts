import type { Contact } from '#domain/proofs/otp.ts';
import type { Registration } from '../accounts/registration-store.ts';
import type { Db } from '../db/database.ts';
import type { Visit } from '../http/visit-cookie.ts';
import type { IdentityProviderAccounts } from '../identity-provider/port.ts';
import type { Leads } from '../leads/leads.ts';
import type { AddRole } from './add-role.ts';
import type { PromoCodes } from './promo-codes.ts';

export type Claim = {
  readonly userId: number;
  readonly registrationId: string | null;
  readonly otpId: string;
  /** The password of the set-password screen; used only for an account without one. */
  readonly password: string | null;
};

export type Activation = {
  /** Returns whether the account whose address this visit has just proven has a password (security D15). */
  isAuthUser(email: string, visit: Visit): Promise<boolean>;
  /**
   * Uses a right OTP once: activates the account, takes its address over, or adds the role to it.
   * @returns the proven contact; `null` for an OTP of the previous release
   * @throws AppError FORBIDDEN, BAD_REQUEST, PASSWORD_GUESSABLE
   */
  activate(claim: Claim, visit: Visit, ip: string): Promise<Contact | null>;
};

export type Ports = {
  readonly leads: Pick<Leads, 'capture'>;
  readonly hashing: { hash(password: string): Promise<string> };
  readonly isGuessable: (password: string, form: Registration) => Promise<boolean>;
  readonly providerAccounts: Pick<IdentityProviderAccounts, 'hasPassword' | 'activated'>;
  readonly promoCodes: Pick<PromoCodes, 'use'>;
  readonly addRole: AddRole;
  /** Ends every session, OTP, token and reset link of an account here. */
  readonly endAccess: (db: Db, userId: number, now: Date) => Promise<void>;
  /** Ends the hosted login's sessions and tokens of an account. */
  readonly endProviderSessions: (userId: number) => Promise<void>;
  readonly passwordCheck: {
    /** Resets earlier wrong passwords: those of the sign-up form may be among them (PRF-03). */
    resetFailures(email: string, from: { readonly ip: string }): Promise<void>;
  };
};

/** The proven contact, its address, and the account whose access ended. */
export type Used = {
  readonly proven: Contact | null;
  readonly email: string;
  readonly endedUserId: number | null;
};
