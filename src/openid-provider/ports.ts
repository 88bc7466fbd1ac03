/** What the hosted login needs from outside. The server implements these; this room never imports it. */

import type { JWK } from 'jose';

/** Where a request came from. The cookie header lets the server find its own visit; its name is the server's business. */
export type Visitor = {
  readonly ip: string;
  readonly cookieHeader: string | undefined;
};

export type PasswordVerdict =
  | { readonly kind: 'ok'; readonly accountId: string }
  | { readonly kind: 'wrong' }
  /** The browser has to do a proof of work first (security R19); Auth0's name for it is `requires_verification`. */
  | { readonly kind: 'proofNeeded' }
  | { readonly kind: 'blocked'; readonly retryAfterSeconds: number };

/** Claims of one account, as they stand in the ID token and at /userinfo (OIDC Core 5.1). */
export type AccountClaims = {
  readonly sub: string;
  readonly email: string;
  readonly email_verified: boolean;
  readonly name: string;
  readonly given_name: string;
  readonly family_name: string;
  /** The subtenant, under Auth0's name for it. */
  readonly org_id?: string;
  /** When the free trial of an academy account ends, in seconds since 1970. */
  readonly trial_ends_at?: number;
};

export type OneTimeCodeVerdict =
  | { readonly kind: 'ok' | 'wrong' | 'expired' }
  | { readonly kind: 'blocked'; readonly retryAfterSeconds: number };

export type SentOneTimeCode =
  | { readonly kind: 'sent'; readonly handle: string }
  | { readonly kind: 'blocked'; readonly retryAfterSeconds: number };

/** The product's own one-time codes, for sign-ins by calls alone: the same limits, life and audit as on the screens. */
export type OneTimeCodes = {
  /** To the account's own contacts, after its password. The same `handle` again sends nothing while a code is on its way. */
  sendSecondFactor(
    accountId: string,
    handle: string | null,
    visitor: Visitor,
  ): Promise<SentOneTimeCode>;
  /** The account of this address or number, if exactly one active account has it. */
  findByContact(contact: { email: string } | { phone: string }): Promise<string | null>;
  /** Counts a passwordless start, for known and unknown alike; the seconds to wait, else 0. */
  countStart(visitor: Visitor): Promise<number>;
  sendPasswordless(
    accountId: string,
    channel: 'email' | 'sms',
    handle: string | null,
    visitor: Visitor,
  ): Promise<SentOneTimeCode>;
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
    | { readonly kind: 'invalid'; readonly messages: readonly string[] }
    | { readonly kind: 'blocked'; readonly retryAfterSeconds: number }
  >;
  /** Mails a link to the address, if somebody has it; the seconds to wait when the limits are used up, else 0. */
  askReset(email: string, visitor: Visitor): Promise<number>;
};

/** What an operator must be able to find again; never a token or a code. */
export type ProviderAuditEvent = {
  readonly kind: string;
  readonly accountId: string | null;
  readonly clientId: string | null;
  readonly ip: string;
};

export type Accounts = {
  /** Limits, timing parity for unknown users and audit are done behind this call. */
  verifyPassword(username: string, password: string, visitor: Visitor): Promise<PasswordVerdict>;
  /** Null for an account that is unknown or may not sign in: every token of it dies with that answer. */
  claimsOf(accountId: string): Promise<AccountClaims | null>;
};

export type SignInEvents = {
  /** The right password was redeemed in this browser: the sign-in record moves from 'password' to 'otp'. */
  passwordAccepted(event: {
    readonly accountId: string;
    /** The authorization request's `state`, by which the server knows which sign-in this is. */
    readonly state: string | undefined;
    readonly cookieHeader: string | undefined;
  }): Promise<void>;
  /** The person signed out at the hosted login: the portal's sign-in of this browser ends with it. */
  signedOut(event: { readonly cookieHeader: string | undefined }): Promise<void>;
  sessionEnded(event: SessionEnded): Promise<void>;
};

/** A hosted session is about to end; these clients had a part in it and each knows it by a `sid` of its own. */
export type SessionEnded = {
  readonly accountId: string;
  readonly clients: readonly { readonly clientId: string; readonly sid: string }[];
};

/** What people have agreed to share with which client, for longer than a session lives. */
export type Consents = {
  scopesOf(accountId: string, clientId: string): Promise<readonly string[]>;
};

/** One client that has to be told that one session is over; `jti` is the same at every try. */
export type LogoutNotice = {
  readonly accountId: string;
  readonly clientId: string;
  readonly sid: string;
  readonly jti: string;
};

export type StoredPayload = Record<string, unknown>;

/** One artefact of the provider: a session, grant, code or token. `id` is already a hash where the id is a bearer secret. */
export type StoredRecord = {
  readonly model: string;
  readonly id: string;
  readonly payload: StoredPayload;
  readonly grantId: string | null;
  readonly uid: string | null;
  readonly userCode: string | null;
  readonly accountId: string | null;
  readonly expiresAt: Date | null;
};

/** What is found: the payload as stored, and the moment of consumption (seconds since 1970) when there was one. */
export type FoundRecord = {
  readonly id: string;
  readonly payload: StoredPayload;
  readonly consumed: number | null;
  /** How long ago that was, by the store's own clock. */
  readonly consumedAgoMs: number | null;
};

/** One login ticket; only hashes are stored. */
export type TicketRecord = {
  readonly hash: string;
  readonly accountId: string;
  readonly clientId: string;
  readonly coIdHash: string;
  /** How its holder proved who they are, with blanks between (RFC 8176). */
  readonly amr: string;
  readonly expiresAt: Date;
};

/** A sign-in by calls alone that waits for its code. */
export type ChallengeRecord = {
  readonly hash: string;
  readonly clientId: string;
  /** Null for an address that nobody has. */
  readonly accountId: string | null;
  /** What the server knows the sent code by. */
  readonly handle: string | null;
  readonly details: Readonly<Record<string, string>>;
  readonly expiresAt: Date;
};

export type ProviderStore = {
  readonly payloads: {
    upsert(record: StoredRecord): Promise<void>;
    /** False, and nothing done, when there is such a row. */
    insert(record: StoredRecord): Promise<boolean>;
    /** Changes a row that exists and never brings one back that was deleted meanwhile. */
    update(record: StoredRecord): Promise<void>;
    find(model: string, id: string): Promise<FoundRecord | null>;
    findByUid(model: string, uid: string): Promise<FoundRecord | null>;
    findByUserCode(model: string, userCode: string): Promise<FoundRecord | null>;
    /** True for exactly one of any number of callers. */
    consume(model: string, id: string): Promise<boolean>;
    destroy(model: string, id: string): Promise<void>;
    revokeByGrantId(model: string, grantId: string): Promise<void>;
    /** The living rows of one kind that an account has. */
    listByAccount(model: string, accountId: string): Promise<readonly StoredPayload[]>;
    /** What an account has with one client: its grants, codes and tokens. */
    destroyByAccountAndClient(accountId: string, clientId: string): Promise<void>;
    /** Everything an account has: sessions, grants, codes, tokens and open login tickets. */
    destroyByAccount(accountId: string): Promise<void>;
  };
  readonly tickets: {
    add(ticket: TicketRecord): Promise<void>;
    /** Deletes and returns the ticket in one statement, so that only one caller ever gets it; expired or not. */
    take(hash: string): Promise<TicketRecord | null>;
  };
  readonly challenges: {
    /** Replaces what stands under the same hash. */
    put(challenge: ChallengeRecord): Promise<void>;
    /** Notes which code was sent; false for a challenge that was ended meanwhile, and stays so. */
    recordSentCode(hash: string, handle: string): Promise<boolean>;
    find(hash: string): Promise<ChallengeRecord | null>;
    /** Deletes and returns it in one statement, so that only one caller ever gets it. */
    take(hash: string): Promise<ChallengeRecord | null>;
  };
  /** Deletes what has expired; returns how many rows went. */
  purge(now: Date): Promise<number>;
};

/** How a client proves itself at the token endpoint (OIDC Core 9). A secret is known by its SHA-256 alone (base64url). */
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

/** An application that may use the hosted login. */
export type OAuthClient = {
  readonly clientId: string;
  /** As people read it. Default: the id. */
  readonly name?: string;
  /** Only a native application may answer on any port of its own machine (RFC 8252, 7.3). Default: web. */
  readonly type?: 'web' | 'native';
  readonly redirectUris: readonly string[];
  readonly postLogoutRedirectUris: readonly string[];
  /** Origins whose pages may post a password (Auth0's "Allow Cross-Origin Authentication" and "Web Origins"). */
  readonly webOrigins: readonly string[];
  /** One of the house: consent is implied and the password step moves the portal's sign-in record. */
  readonly firstParty: boolean;
  /** Default: the code flow and nothing else (RFC 9700, 2.1). */
  readonly grants?: readonly string[];
  /** Default: `code`. */
  readonly responseTypes?: readonly string[];
  /** What it may ask for; the provider leaves out the rest. Default: everything. */
  readonly scopes?: readonly string[];
  /** Default: a public client. PKCE is demanded of every client. */
  readonly auth?: ClientAuth;
  /** Where it is told that a session is over (OIDC Back-Channel Logout 1.0). */
  readonly backChannelLogoutUri?: string | null;
  /** Where its own sign-in begins (OIDC Core 4). */
  readonly initiateLoginUri?: string | null;
  /** The subtenant its people belong to, unless the request names another. */
  readonly subtenantId?: number | null;
  /** ES256 costs a quarter of RS256 (performance S6); RS256 is what auth0-js and most clients expect. */
  readonly idTokenAlg?: 'ES256' | 'RS256';
  /** The APIs it may ask tokens for and the scopes it can get there (Auth0's "client grants"). */
  readonly apis?: readonly { readonly audience: string; readonly scopes: readonly string[] }[];
};

/** Where the clients are: looked up anew for each request, so that one that was taken away is gone at once. */
export type ClientSource = {
  find(clientId: string): Promise<OAuthClient | null>;
  list(): Promise<readonly OAuthClient[]>;
};

/** The keys that the hosted login works with. Others make, keep and change them. */
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
