/** The ports of the OpenID provider. The server implements them; this room never imports the server. */

import type { JWK } from 'jose';

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

/** Claims of one account, as in the ID token and at /userinfo (OIDC Core 5.1). */
export type AccountClaims = {
  readonly sub: string;
  readonly email: string;
  readonly email_verified: boolean;
  readonly phone_number?: string;
  readonly phone_number_verified?: boolean;
  readonly name: string;
  readonly given_name?: string;
  readonly family_name?: string;
  /** The subtenant, under Auth0's name for it. */
  readonly org_id?: string;
  /** End of an academy account's free trial, in seconds since 1970. */
  readonly trial_ends_at?: number;
  readonly roles?: readonly { readonly roleId: number; readonly roleKey: string }[];
  readonly subtenant_id?: number;
};

/** Returns the claims of the scope `roles` (PRF-06). */
export function roleClaims(claims: AccountClaims | null): object {
  return { roles: claims?.roles ?? [], subtenant_id: claims?.subtenant_id };
}

export type OneTimeCodeVerdict =
  | { readonly kind: 'ok' | 'wrong' | 'expired' }
  | { readonly kind: 'blocked'; readonly retryAfterSeconds: number };

export type PasswordlessStart = {
  /** Identifies client and contact together. */
  readonly hash: string;
  readonly clientId: string;
  readonly channel: 'email' | 'sms';
  readonly contact: string;
};

export type SentOneTimeCode =
  | { readonly kind: 'sent'; readonly handle: string }
  | { readonly kind: 'blocked'; readonly retryAfterSeconds: number };

/** The portal's one-time codes for grants without a browser, with the limits, lifetime and audit of the screens. */
export type OneTimeCodes = {
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
  readonly kind: string;
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

export type StoredPayload = Record<string, unknown>;

/** One stored record of the provider: a session, grant, code or token. An id that is a bearer secret is hashed. */
export type StoredRecord = {
  readonly model: string;
  readonly id: string;
  readonly payload: StoredPayload;
  readonly grantId: string | null;
  readonly uid: string | null;
  readonly userCode: string | null;
  readonly accountId: string | null;
  /** Seconds from now on, by the store's clock; `null` for no expiry. The store does not return an expired record. */
  readonly secondsToLive: number | null;
};

/** A record as found. `consumed`: time of its use, in seconds since 1970. */
export type FoundRecord = {
  readonly id: string;
  readonly payload: StoredPayload;
  readonly consumed: number | null;
  /** Milliseconds since its use, by the store's own clock. */
  readonly consumedAgoMs: number | null;
};

/** One login ticket; only hashes are stored. */
export type TicketRecord = {
  readonly hash: string;
  readonly accountId: string;
  readonly clientId: string;
  readonly coIdHash: string;
  /** The verified factors (RFC 8176), separated by spaces. */
  readonly amr: string;
  readonly expiresAt: Date;
};

/** A sign-in without a browser that waits for its one-time code. */
export type ChallengeRecord = {
  readonly hash: string;
  readonly clientId: string;
  /** Null for a contact without an account. */
  readonly accountId: string | null;
  /** The key by which the server finds the sent code. */
  readonly handle: string | null;
  readonly details: Readonly<Record<string, string>>;
  readonly expiresAt: Date;
};

/** Rows that one statement reads together with a record. */
type FoundBeside = {
  readonly grant: FoundRecord | null;
  /** The result of `claimsOf`; left out by a store that has no accounts. */
  readonly claims?: AccountClaims | null;
};

export type RecordToSave = { readonly record: StoredRecord; readonly isUpdate: boolean };

export type ProviderStore = {
  readonly payloads: {
    /** Saves all of them or none. With `isUpdate` a row that was deleted meanwhile is not restored. */
    save(records: readonly RecordToSave[]): Promise<void>;
    /** Returns false and changes nothing when the row exists. */
    insert(record: StoredRecord): Promise<boolean>;
    /** Returns an authorization code with its session, its grant and its account; null without the code. */
    findCode(
      id: string,
    ): Promise<
      (FoundBeside & { readonly code: FoundRecord; readonly session: FoundRecord | null }) | null
    >;
    /** Returns a session with the grant of one client and its account. */
    findSession(
      id: string,
      clientId: string,
    ): Promise<(FoundBeside & { readonly session: FoundRecord }) | null>;
    find(model: string, id: string): Promise<FoundRecord | null>;
    findByUid(model: string, uid: string): Promise<FoundRecord | null>;
    findByUserCode(model: string, userCode: string): Promise<FoundRecord | null>;
    /** Marks the record as used; returns true for exactly one of several concurrent callers. */
    consume(model: string, id: string): Promise<boolean>;
    destroy(model: string, id: string): Promise<void>;
    revokeByGrantId(model: string, grantId: string): Promise<void>;
    /** Returns an account's records of one model. */
    listByAccount(model: string, accountId: string): Promise<readonly StoredPayload[]>;
    /** Deletes an account's grants, codes and tokens of one client. */
    destroyByAccountAndClient(accountId: string, clientId: string): Promise<void>;
    /** Deletes an account's sessions, grants, codes, tokens and open login tickets. */
    destroyByAccount(accountId: string): Promise<void>;
  };
  readonly tickets: {
    add(ticket: TicketRecord): Promise<void>;
    /** Deletes and returns the ticket in one statement, so that only one caller ever gets it; expired or not. */
    take(hash: string): Promise<TicketRecord | null>;
  };
  readonly challenges: {
    /** Replaces a challenge with the same hash. */
    put(challenge: ChallengeRecord): Promise<void>;
    /** Records the sent code; returns false when the challenge was deleted meanwhile. */
    recordSentCode(hash: string, handle: string): Promise<boolean>;
    find(hash: string): Promise<ChallengeRecord | null>;
    /** Adds to `details.tries` of a challenge that has no account. */
    countTry(hash: string, by: 1 | -1): Promise<void>;
    /** Deletes and returns it in one statement, so that only one caller ever gets it. */
    take(hash: string): Promise<ChallengeRecord | null>;
  };
};

/**
 * A client's authentication at the token endpoint (OIDC Core 9). Of a secret only the SHA-256 is stored (base64url).
 */
export type ClientAuth =
  | { readonly method: 'none' }
  | { readonly method: 'client_secret_basic' | 'client_secret_post'; readonly secretHash: string }
  | {
      readonly method: 'private_key_jwt';
      readonly jwks: { readonly keys: readonly Readonly<Record<string, unknown>>[] };
    }
  | { readonly method: 'private_key_jwt'; readonly jwksUri: string };

/** An API that access tokens can be asked for (Auth0's "API"; RFC 8707). */
export type Api = {
  /** Auth0's identifier, the `audience` of a request: any text, usually an address. */
  readonly identifier: string;
  readonly scopes: readonly string[];
  /** At most ten minutes, which is also the default (security R25). */
  readonly tokenSeconds?: number | undefined;
};

/** A registered client (RFC 6749, 2). */
export type OAuthClient = {
  readonly clientId: string;
  /** The name that people see. Default: the id. */
  readonly name?: string;
  /** Only a native application may use any port of its own machine (RFC 8252, 7.3). Default: web. */
  readonly type?: 'web' | 'native';
  readonly redirectUris: readonly string[];
  readonly postLogoutRedirectUris: readonly string[];
  /** Origins whose pages may post a password (Auth0's "Allow Cross-Origin Authentication" and "Web Origins"). */
  readonly webOrigins: readonly string[];
  /** An application of the operator: consent is implied, and its password step moves the portal's sign-in attempt. */
  readonly firstParty: boolean;
  /** Default: the code flow and nothing else (RFC 9700, 2.1). */
  readonly grants?: readonly string[];
  /** Default: `code`. */
  readonly responseTypes?: readonly string[];
  /** The scopes it may request; others are dropped. Default: all. */
  readonly scopes?: readonly string[];
  /** Default: a public client. */
  readonly auth?: ClientAuth;
  /** `optional` only for a client with a secret or a key, whose library knows no PKCE. Default: required (PRF-07). */
  readonly pkce?: 'required' | 'optional';
  /** `required`: it gets no token without a proof of its key (RFC 9449). Default: it may send one. */
  readonly dpop?: 'required' | 'optional';
  /** The address that receives logout notices (OIDC Back-Channel Logout 1.0). */
  readonly backChannelLogoutUri?: string | null;
  /** The start of its own sign-in (OIDC Core 4). */
  readonly initiateLoginUri?: string | null;
  /** The subtenant of its people, unless the request names another. */
  readonly subtenantId?: number | null;
  /** ES256 costs a quarter of RS256 (performance S6); RS256 is what auth0-js and most clients expect. */
  readonly idTokenAlg?: 'ES256' | 'RS256';
  /** Lifetime of its refresh tokens: without use, and in all since the sign-in. Default: as long as a session. */
  readonly refreshLife?: { readonly idleSeconds: number; readonly seconds: number } | undefined;
  /** The APIs it may request tokens for, with the scopes it can get (Auth0's "client grants"). */
  readonly apis?: readonly { readonly audience: string; readonly scopes: readonly string[] }[];
};

/** The registered clients, looked up for each request, so that a removed one is refused at once. */
export type ClientSource = {
  find(clientId: string): Promise<OAuthClient | null>;
  list(): Promise<readonly OAuthClient[]>;
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
