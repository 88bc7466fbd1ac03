/** The ports of the OpenID provider. The server implements them; this room never imports the server. */

import type { JWK } from 'jose';
import type { ChallengeRecord } from './store-port.ts';
import type { AccountClaims } from './claims.ts';

/** The origin of a request. The server finds its own visit by the cookie header. */
export type Visitor = {
  readonly ip: string;
  readonly cookieHeader: string | undefined;
};

export type PasswordVerdict =
  /** `isSuspended`: the password is right, but the account is suspended; a code follows, and never a session. */
  | { readonly kind: 'ok'; readonly accountId: string; readonly isSuspended?: true }
  | { readonly kind: 'wrong' }
  /** The browser has to do a proof of work first (security R19); Auth0's name for it is `requires_verification`. */
  | { readonly kind: 'proofNeeded' }
  | { readonly kind: 'blocked'; readonly retryAfterSeconds: number };

export type OneTimeCodeVerdict =
  /** `isOfApp`: it came from the person's own app, or is a printed recovery code. */
  | { readonly kind: 'ok'; readonly isOfApp?: boolean }
  | { readonly kind: 'wrong' | 'expired' }
  | { readonly kind: 'blocked'; readonly retryAfterSeconds: number };

export type PasswordlessStart = {
  /** Identifies client and contact together. */
  readonly hash: string;
  readonly clientId: string;
  readonly channel: 'email' | 'sms';
  readonly contact: string;
};

export type SentOneTimeCode =
  /** `isOfApp`: nothing was sent, the person's own app has the code. */
  | { readonly kind: 'sent'; readonly handle: string; readonly isOfApp?: boolean }
  | { readonly kind: 'blocked'; readonly retryAfterSeconds: number };

/** The portal's one-time codes for grants without a browser, with the limits, lifetime and audit of the screens. */
export type OneTimeCodes = {
  /** Returns whether the account signs in with a code of an app: none is sent. */
  usesApp(accountId: string): Promise<boolean>;
  /**
   * Sends a code to the account's own contacts, after its password. With the same `handle` no code is sent while one is
   * valid.
   */
  sendSecondFactor(
    accountId: string,
    handle: string | null,
    visitor: Visitor,
  ): Promise<SentOneTimeCode>;
  /** Counts a passwordless start, for known and unknown contacts alike; returns the seconds to wait, or 0. */
  countStart(visitor: Visitor): Promise<number>;
  /**
   * Sends a code to the one active account of this contact, if there is one, and records the challenge under `hash`.
   * All of it happens after this call has returned: it takes the same time for every contact (decision 118).
   */
  startPasswordless(start: PasswordlessStart, visitor: Visitor): Promise<void>;
  /**
   * Verifies a code for the contact of a passwordless start. For a contact without an account no code is right, and it
   * takes the same statements as a wrong one.
   */
  verifyContact(
    challenge: ChallengeRecord,
    code: string,
    visitor: Visitor,
  ): Promise<OneTimeCodeVerdict>;
  verify(
    accountId: string,
    handle: string,
    code: string,
    visitor: Visitor,
  ): Promise<OneTimeCodeVerdict>;
};

/** Auth0's calls for a database connection, over the portal's own sign-up and reset. */
export type Registrations = {
  signUp(
    form: {
      readonly email: string;
      readonly password: string;
      readonly givenName: string;
      readonly familyName: string;
      readonly phone: string;
    },
    visitor: Visitor,
  ): Promise<
    | { readonly kind: 'created'; readonly accountId: string }
    | { readonly kind: 'exists' | 'weakPassword' | 'proofNeeded' }
    | { readonly kind: 'invalid' | 'guessablePassword'; readonly messages: readonly string[] }
    | { readonly kind: 'blocked'; readonly retryAfterSeconds: number }
  >;
  /**
   * Mails a reset link, which leads back to this client's sign-in, if the address has an account; returns the seconds
   * to wait when the limits are used up, else 0.
   */
  askReset(email: string, visitor: Visitor, clientId: string): Promise<number>;
};

/** An event for the audit log; never contains a token or a code. */
export type ProviderAuditEvent = {
  readonly kind: 'hosted.tokens' | 'hosted.refreshed' | 'hosted.revoked' | 'hosted.refused';
  readonly accountId: string | null;
  readonly clientId: string | null;
  readonly ip: string;
  /** Reason of the refusal: an OAuth error and, if known, the cause. */
  readonly reason?: string;
};

export type Accounts = {
  /** Includes rate limits, equal time for unknown users, and audit. */
  verifyPassword(username: string, password: string, visitor: Visitor): Promise<PasswordVerdict>;
  /** Returns null for an account that is unknown or may not sign in; then none of its tokens is accepted. */
  claimsOf(accountId: string): Promise<AccountClaims | null>;
};

export type SignInEvents = {
  /**
   * Reports that a login ticket was redeemed in this browser: the sign-in attempt moves from 'password' to 'otp'.
   * @returns whether there was one
   */
  passwordAccepted(event: {
    readonly accountId: string;
    /** The `state` of the authorization request, by which the server finds the sign-in. */
    readonly state: string | undefined;
    readonly cookieHeader: string | undefined;
  }): Promise<boolean>;
  /** Reports a sign-out at the provider: the portal's sign-in of this browser ends too. */
  signedOut(event: {
    readonly cookieHeader: string | undefined;
    readonly addCookie: (line: string) => void;
  }): Promise<void>;
  sessionEnded(event: SessionEnded): Promise<void>;
};

/** Clients of a session that is about to end, each under its own `sid`. */
export type SessionEnded = {
  readonly accountId: string;
  readonly clients: readonly { readonly clientId: string; readonly sid: string }[];
};

/** The consents that outlive a session. */
export type Consents = {
  scopesOf(accountId: string, clientId: string): Promise<readonly string[]>;
};

/** A logout notice for one client and one session; `jti` is the same at every attempt. */
export type LogoutNotice = {
  readonly accountId: string;
  readonly clientId: string;
  readonly sid: string;
  readonly jti: string;
};

/** The keys of the provider. The server creates, stores and rotates them. */
export type ProviderKeys = {
  /** Private keys. Of each algorithm the first one signs; all of them verify and are published. */
  readonly signing: readonly JWK[];
  /** The first one signs cookies, all of them verify. */
  readonly cookies: readonly string[];
};

export type Log = {
  info(fields: object, message: string): void;
  warn(fields: object, message: string): void;
  error(fields: object, message: string): void;
};
