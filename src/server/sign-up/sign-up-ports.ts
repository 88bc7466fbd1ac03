import type { Data } from '#contract/index.ts';
import type { SignUpRequest } from '#domain/flow/terms.ts';
import type { SignUpForm } from '../accounts/registration-store.ts';
import type { EnumerationGuard } from '../abuse/enumeration-guard.ts';
import type { Visit } from '../http/visit-cookie.ts';
import type { Subtenants } from '../subtenants/subtenants.ts';
import type { AddRole } from './add-role.ts';
import type { PromoCodes } from './promo-codes.ts';

/** A sign-up as a browser or an application sends it. */
export type SignUp = Omit<SignUpRequest, 'country' | 'survey'> & {
  readonly signUpPlatform: number;
  readonly roleId: number;
  readonly userName: string;
};

export type SignUpAnswer = Readonly<Data<'createUser'>>;

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
