import type { Registration } from '../accounts/registration-store.ts';
import type { Db } from '../db/database.ts';
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
