import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Data } from '#contract/index.ts';
import type { AuthorizationInteractions } from '#openid-provider/options.ts';
import type { Db } from '../db/database.ts';

/** Who a verified ID token says is signed in. */
export type HostedIdentity = {
  readonly sub: string;
  readonly amr: readonly string[];
  /** Seconds since 1970 (OIDC Core 2). */
  readonly authTime: number | undefined;
  readonly sid: string | undefined;
  readonly email: string | undefined;
  readonly isEmailVerified: boolean;
  readonly orgId: string | undefined;
};

/** An account as far as its hosted login is concerned. */
export type HostedAccount = {
  readonly id: number;
  readonly email: string;
  readonly password_hash: string | null;
  readonly hosted_user_id: string | null;
};

export type Passwords = {
  /** Whether this is the account's password of today (PWD-07). */
  isCurrent(account: HostedAccount, password: string, ip: string): Promise<boolean>;
  /**
   * Prepares a new password; the returned function sets it, in the transaction that uses up the right to do so.
   * @throws AppError RESET_REFUSED, RESET_UNAUTHORIZED, RESET_UNKNOWN, UNAVAILABLE, both here and there.
   */
  change(account: HostedAccount, password: string): Promise<(transaction: Db) => Promise<void>>;
};

/** How accounts, which are ours, and people of the hosted login belong together. */
export type HostedAccounts = {
  /** The account of who is signed in there; `null`: nobody of ours. */
  accountOf(identity: HostedIdentity): Promise<number | null>;
  /**
   * A real tenant knows nothing of our code: its session exists right after the password, and all it allows is a code
   * being sent (SRV-08). The embedded hosted login makes its session after the code.
   */
  readonly isSessionFirst: boolean;
  /** An account became active: what it needs there is made in good time. */
  activated(transaction: Db, userId: number): Promise<void>;
  /** Whether somebody with this address, proven there, has a password there that we know nothing of. */
  hasPassword(email: string): Promise<boolean>;
  /** Whether the account's password is still on its way there: no password is right yet. */
  isBeingMade(email: string): Promise<boolean>;
};

/** Where passwords are checked and hosted sessions live: the embedded provider, or a real Auth0 tenant. */
export type HostedLogin = {
  /** What browsers are told (API-04). */
  readonly settings: Omit<Data<'getSettings'>['hostedLogin'], 'scope'>;
  /** Origins besides our own that a page calls and frames. */
  readonly origins: readonly string[];
  readonly passwords: Passwords;
  /** Other applications sign people in through us; with a tenant of its own they go there. */
  readonly door: AuthorizationInteractions | null;
  mount(fastify: FastifyInstance): Promise<void>;
  /** The code was right: whoever makes sessions only now makes one with this answer (SRV-08). */
  codeVerified(userId: number, request: FastifyRequest, reply: FastifyReply): Promise<void>;
  /** Ends the hosted session of this browser as far as the backend can. */
  endSession(request: FastifyRequest, reply: FastifyReply): Promise<void>;
  /** Ends every hosted session and token of an account. */
  endAccount(userId: number): Promise<void>;
  /** Deletes what has expired; returns how much. */
  purge(): Promise<number>;
};
